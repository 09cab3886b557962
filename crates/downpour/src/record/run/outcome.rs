//! How a run ended.

use super::{Run, Time};

/// The end of a run, or that it has none yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Nobody has said that it is over: it runs, or was killed.
    Open,
    /// `reached step 2000`, `stopped by a signal`.
    Ended {
        /// When.
        time: Time,
        /// Why, in words for people.
        reason: String,
    },
    /// Which task failed first, and why.
    Failed {
        /// When.
        time: Time,
        /// Which task.
        task: String,
        /// Why, in words for people.
        reason: String,
    },
}

impl Run {
    /// How the run ended: what its chief said last; without that, the first failure nobody recovered from.
    pub fn outcome(&self) -> Outcome {
        let chief = self.chief();
        let said = |task: &super::Task| task.lives.last().and_then(|life| life.finished.clone());
        let failures = self.tasks.iter().filter_map(|task| Some((task, said(task)?)));
        let first_failure = failures
            .filter(|(_, finished)| finished.failed)
            .min_by(|left, right| left.1.time.total_cmp(&right.1.time));
        match (chief.and_then(said), first_failure) {
            (Some(end), _) if !end.failed => Outcome::Ended { time: end.time, reason: end.reason },
            (_, Some((task, failure))) => Outcome::Failed {
                time: failure.time,
                task: task.name.clone(),
                reason: plain_reason(&failure.reason).to_string(),
            },
            _ => Outcome::Open,
        }
    }
}

/// `failed: why` without its first word, which is said anyway.
pub fn plain_reason(reason: &str) -> &str {
    reason.strip_prefix("failed:").map_or(reason, str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn the_first_failure_is_the_reason() {
        let mut run = Run::default();
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        run.take("worker-1", started("worker/1", 0.0, 0, 0));
        assert_eq!(run.outcome(), Outcome::Open);
        run.take("worker-0", finished(5.2, 10, "failed: a peer is gone"));
        run.take("worker-1", finished(5.0, 10, "failed: the disk is full"));
        let Outcome::Failed { task, reason, .. } = run.outcome() else { panic!("failed") };
        assert_eq!((task.as_str(), reason.as_str()), ("worker/1", "the disk is full"));
    }

    #[test]
    fn a_run_recovers_from_failures() {
        let mut run = Run::default();
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        run.take("worker-1", started("worker/1", 0.0, 0, 0));
        run.take("worker-1", finished(5.0, 10, "failed: the disk is full"));
        run.take("worker-1", started("worker/1", 6.0, 10, 1));
        assert_eq!(run.outcome(), Outcome::Open);
        run.take("worker-0", finished(9.0, 1000, "reached step 1000"));
        assert!(matches!(run.outcome(), Outcome::Ended { .. }));
    }
}
