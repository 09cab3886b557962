//! One way to train: a strategy with settings of its own, written as `synchronous+backups:1+int8`.

use clap::ValueEnum;
use downpour_tensor::{Result, Status};

use crate::train::strategy::{ClusterTable, StrategyName};

/// What is compared if nobody says otherwise.
pub const USUAL: [&str; 11] = [
    "local",
    "asynchronous",
    "synchronous",
    "synchronous+backups:1",
    "synchronous+int8",
    "bounded",
    "downpour",
    "downpour+top-k:0.01",
    "all_reduce",
    "sandblaster",
    "pipeline",
];

/// Sets a number of a cluster's table.
type Set = fn(&mut ClusterTable, u32);

/// Settings that are numbers; anything else after a `+` is a compression.
const NUMBERS: [(&str, Set); 5] = [
    ("backups", |cluster, number| cluster.backups = Some(number)),
    ("staleness", |cluster, number| cluster.staleness = Some(number)),
    ("push_every", |cluster, number| cluster.push_every = Some(number)),
    ("fetch_every", |cluster, number| cluster.fetch_every = Some(number)),
    ("micro_batches", |cluster, number| cluster.micro_batches = Some(number as usize)),
];

/// A way to train.
#[derive(Clone, Debug)]
pub struct Way {
    /// As it was written.
    pub name: String,
    pub strategy: StrategyName,
    settings: Vec<String>,
    /// Of Sandblaster: how many, whatever the others do.
    pub iterations: Option<i64>,
}

impl Way {
    pub fn parse(text: &str) -> Result<Way> {
        let mut parts = text.split('+').map(str::trim);
        let word = parts.next().unwrap_or_default();
        let strategy = StrategyName::from_str(word, true).map_err(|_| {
            let known: Vec<&str> = StrategyName::value_variants().iter().map(|s| s.word()).collect();
            Status::invalid_argument(format!(
                "there is no strategy '{word}' to compare; there are {}\nhint: settings follow a +, as in \
                 synchronous+int8 or downpour+push_every:5",
                known.join(", ")
            ))
        })?;
        let (mut settings, mut iterations) = (Vec::new(), None);
        for setting in parts {
            match setting.strip_prefix("iterations:") {
                Some(value) if strategy == StrategyName::Sandblaster => {
                    iterations = Some(i64::from(number("iterations", value)?.max(1)));
                }
                Some(_) => {
                    return Err(Status::invalid_argument(format!(
                        "{text}: iterations are a setting of sandblaster; --steps says how long all train"
                    )));
                }
                None => settings.push(setting.to_string()),
            }
        }
        Ok(Way { name: text.trim().to_string(), strategy, settings, iterations })
    }

    /// A folder's name: `downpour+top-k-0.01`.
    pub fn folder(&self) -> String {
        self.name.replace([':', '/', '\\', ' '], "-")
    }

    /// The job's cluster for this way: processes are the job's, the strategy's settings are the way's.
    pub fn cluster(&self, job: &ClusterTable) -> Result<ClusterTable> {
        let ClusterTable { ps, workers, threads, max_restarts, .. } = *job;
        let usual = ClusterTable::default();
        let mut cluster =
            ClusterTable { strategy: self.strategy, ps, workers, threads, max_restarts, ..usual };
        if cluster.is_in_parts() {
            cluster.stages = job.stages;
            cluster.parts.clone_from(&job.parts);
            cluster.micro_batches = job.micro_batches;
            cluster.schedule = job.schedule;
            // As many processes compute as in the other ways.
            cluster.workers = (workers / cluster.stages_wanted().max(1)).max(1);
        }
        for setting in &self.settings {
            let (key, value) = setting.split_once(':').unwrap_or((setting, ""));
            match NUMBERS.iter().find(|(known, _)| *known == key) {
                Some((_, set)) => set(&mut cluster, number(key, value)?),
                None => cluster.compression = Some(setting.clone()),
            }
        }
        Ok(cluster)
    }
}

fn number(key: &str, value: &str) -> Result<u32> {
    value.parse().map_err(|_| {
        Status::invalid_argument(format!(
            "{key} needs a whole number: {key}:1, not '{key}:{value}'"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> ClusterTable {
        ClusterTable { ps: 2, workers: 4, backups: Some(3), ..ClusterTable::default() }
    }

    #[test]
    fn settings_are_the_ways_own() {
        let cluster = |text: &str| Way::parse(text).and_then(|way| way.cluster(&job())).unwrap();
        let plain = cluster("synchronous");
        assert_eq!((plain.ps, plain.workers, plain.backups), (2, 4, None));
        let both = cluster("synchronous+backups:1+top-k:0.01");
        assert_eq!((both.backups, both.compression.as_deref()), (Some(1), Some("top-k:0.01")));
        assert_eq!(cluster("pipeline").workers, 2);
        assert_eq!(Way::parse("downpour+top-k:0.01").unwrap().folder(), "downpour+top-k-0.01");
    }

    #[test]
    fn all_usual_ways_can_be_read() {
        for name in USUAL {
            Way::parse(name).and_then(|way| way.cluster(&job())).unwrap_or_else(|e| panic!("{e}"));
        }
        let refused = Way::parse("telepathy").unwrap_err();
        assert!(refused.message().contains("'telepathy'"), "{refused}");
        let refused = Way::parse("bounded+staleness:x").and_then(|way| way.cluster(&job()));
        assert!(refused.unwrap_err().message().contains("staleness:1"));
        let refused = Way::parse("local+iterations:3").unwrap_err();
        assert!(refused.message().contains("a setting of sandblaster"), "{refused}");
    }
}
