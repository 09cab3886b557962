//! Workers that come and go: within which limits, and with which strategies.

use std::time::Duration;

use downpour_tensor::Result;

use super::{ClusterTable, StrategyName};
use crate::train::mistake::Text;

/// Seconds before a worker is started or ended, if the job does not say.
const AFTER: f64 = 60.0;

/// Within which limits workers come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elastic {
    pub least: u32,
    pub most: u32,
    /// What is measured must hold so long.
    pub after: Duration,
}

impl ClusterTable {
    /// The limits, if workers come and go.
    pub fn elastic(&self) -> Option<Elastic> {
        (self.max_workers.is_some() || self.min_workers.is_some()).then(|| Elastic {
            least: self.min_workers.unwrap_or(self.workers),
            most: self.max_workers.unwrap_or(self.workers),
            after: Duration::from_secs_f64(self.elastic_after.unwrap_or(AFTER)),
        })
    }

    pub(super) fn check_elastic(&self, place: &Text<'_>) -> Result<()> {
        let given = [
            ("max_workers", self.max_workers.is_some()),
            ("min_workers", self.min_workers.is_some()),
            ("elastic_after", self.elastic_after.is_some()),
        ];
        let Some((key, _)) = given.into_iter().find(|(_, given)| *given) else { return Ok(()) };
        let why = match self.strategy {
            StrategyName::Downpour | StrategyName::Synchronous => None,
            StrategyName::Bounded => Some("its bound was not tried with workers that come and go"),
            StrategyName::Asynchronous => Some(
                "a step of one graph over all tasks does not tell how long it waits, so nobody knows whether more help",
            ),
            StrategyName::AllReduce => {
                Some("its workers are connected in the beginning, once for all")
            }
            StrategyName::Hybrid | StrategyName::Sandblaster => {
                Some("it has no leases, and who comes later would have no data")
            }
            _ => Some("its processes are parts of one model"),
        };
        if let Some(why) = why {
            let why = format!(
                "goes with the strategies downpour and synchronous; this job's is '{}': {why}",
                self.strategy.word()
            );
            return Err(place.at_key(key, &why));
        }
        if !self.leases() {
            return Err(place.at_key(key, "needs leases: who comes later has no data"));
        }
        if self.max_workers.is_some_and(|most| most < self.workers) {
            return Err(place.at_key("max_workers", "must be at least `workers`"));
        }
        if self.min_workers.is_some_and(|least| least == 0 || least > self.workers) {
            return Err(place.at_key("min_workers", "must be at least 1 and at most `workers`"));
        }
        if self.elastic().is_some_and(|limits| self.backups.is_some_and(|b| b >= limits.least)) {
            let why =
                "must be fewer than there are workers at the least: a step has to wait for one";
            return Err(place.at_key("backups", why));
        }
        if self.elastic_after.is_some_and(|after| !(0.1..=1e6).contains(&after)) {
            return Err(place.at_key("elastic_after", "must be at least 0.1 seconds"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> ClusterTable {
        toml::from_str(text).unwrap()
    }

    fn checked(text: &str) -> std::result::Result<(), String> {
        let checked = table(text).check(&Text { text, file: "job.toml" });
        checked.map_err(|status| status.message().to_string())
    }

    #[test]
    fn limits_are_those_that_are_given_or_the_workers_there_are() {
        let of = |text: &str| {
            let found = table(text).elastic();
            found.map(|limits| (limits.least, limits.most, limits.after.as_secs()))
        };
        assert_eq!(of("workers = 3"), None);
        assert_eq!(of("workers = 3\nmax_workers = 5"), Some((3, 5, 60)));
        assert_eq!(of("workers = 3\nmin_workers = 2\nelastic_after = 5.0"), Some((2, 3, 5)));
    }

    #[test]
    fn strategies_without_it_say_why() {
        for (strategy, said) in [
            ("asynchronous", "does not tell how long it waits"),
            ("bounded", "was not tried"),
            ("hybrid", "has no leases"),
            ("sandblaster", "has no leases"),
            ("all_reduce", "once for all"),
            ("pipeline", "parts of one model"),
        ] {
            let leases = if strategy == "asynchronous" { "leases = true\n" } else { "" };
            let refused = checked(&format!("strategy = \"{strategy}\"\n{leases}max_workers = 4"));
            assert!(refused.clone().unwrap_err().contains(said), "{refused:?}");
        }
        for strategy in ["downpour", "synchronous"] {
            let text = format!("strategy = \"{strategy}\"\nleases = true\nworkers = 3\n");
            assert_eq!(checked(&(text.clone() + "max_workers = 4\nmin_workers = 1")), Ok(()));
            assert!(checked(&(text.clone() + "max_workers = 2")).is_err());
            assert!(checked(&(text.clone() + "min_workers = 4")).is_err());
            assert!(checked(&(text + "min_workers = 0")).is_err());
        }
        let unleased = checked("strategy = \"synchronous\"\nmax_workers = 4").unwrap_err();
        assert!(unleased.contains("needs leases"), "{unleased}");
        let backups =
            "strategy = \"synchronous\"\nleases = true\nworkers = 3\nbackups = 1\nmin_workers = 1";
        assert!(checked(backups).unwrap_err().starts_with("backups"));
    }
}
