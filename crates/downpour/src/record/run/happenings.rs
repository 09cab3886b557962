//! What happened to the tasks, in order of time: starts, restarts, failures, ends.

use super::{Run, Task, Time};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// When.
    pub time: Time,
    /// To which task.
    pub task: String,
    /// What.
    pub kind: Kind,
    /// At which global step.
    pub step: i64,
    /// The reason of an end, or what was warned of; empty otherwise.
    pub text: String,
}

/// What kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The task began.
    Started,
    /// The user took the run up again.
    Resumed,
    /// The supervisor started the task again.
    Restarted,
    /// The task warned of something.
    Warned,
    /// The task ended by an error.
    Failed,
    /// The task ended well.
    Ended,
}

impl Run {
    /// Everything that happened to the tasks, in order of time.
    pub fn happenings(&self) -> Vec<Happening> {
        let mut all: Vec<Happening> = self.tasks().into_iter().flat_map(Task::happenings).collect();
        all.sort_by(|left, right| left.time.total_cmp(&right.time));
        all
    }
}

impl Task {
    /// What happened to this task.
    pub fn happenings(&self) -> Vec<Happening> {
        let mut all = Vec::new();
        let mut restarts = 0;
        for (index, life) in self.lives.iter().enumerate() {
            if let Some(start) = &life.started {
                let kind = match index {
                    _ if start.restarts > restarts => Kind::Restarted,
                    0 if start.step == 0 => Kind::Started,
                    _ => Kind::Resumed,
                };
                restarts = start.restarts;
                let (time, step) = (start.time, start.step);
                all.push(Happening {
                    time,
                    task: self.name.clone(),
                    kind,
                    step,
                    text: String::new(),
                });
            }
            let begun = life.started.as_ref().map_or(0, |start| start.step);
            for warned in &life.warnings {
                all.push(Happening {
                    time: warned.time,
                    task: self.name.clone(),
                    kind: Kind::Warned,
                    step: begun,
                    text: warned.text.clone(),
                });
            }
            if let Some(end) = &life.finished {
                let kind = if end.failed { Kind::Failed } else { Kind::Ended };
                let (time, step, text) =
                    (end.time, end.step, super::outcome::plain_reason(&end.reason).to_string());
                all.push(Happening { time, task: self.name.clone(), kind, step, text });
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn restarts_are_told_from_resumption() {
        let mut run = Run::default();
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        run.take("worker-1", started("worker/1", 1.0, 0, 0));
        run.take("worker-1", finished(3.0, 10, "failed: out of memory"));
        run.take("worker-1", started("worker/1", 4.0, 10, 1));
        run.take("worker-0", finished(5.0, 20, "stopped by a signal"));
        run.take("worker-0", started("worker/0", 50.0, 20, 0));
        let kinds: Vec<Kind> = run.happenings().iter().map(|happening| happening.kind).collect();
        use Kind::*;
        assert_eq!(kinds, [Started, Started, Failed, Restarted, Ended, Resumed]);
        assert_eq!(run.happenings()[2].text, "out of memory");
    }
}
