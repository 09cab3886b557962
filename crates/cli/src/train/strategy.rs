//! A job's cluster: how training is spread over processes.

mod elastic;

use std::collections::BTreeMap;
use std::time::Duration;

use downpour::pipeline::PipelineSchedule;
use downpour::training::{
    Compression, Downpour, Mirrored, MultiWorkerMirrored, ParameterServer, Sandblaster, Strategy,
};
use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

use super::mistake::Text;
use super::sandblaster::SandblasterTable;
use elastic::Elastic;

/// The processes that train.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClusterTable {
    pub strategy: StrategyName,
    pub ps: u32,
    pub workers: u32,
    /// Compute threads of each process; 0 is one per processor.
    pub threads: usize,
    /// How often a process that fails is started again.
    pub max_restarts: u32,
    /// Of `mirrored`: replicas of the model in the one process; without it one per processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<usize>,
    /// Of `synchronous`: how many workers no step waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backups: Option<u32>,
    /// Of `bounded`: how many steps the fastest worker may be ahead of the slowest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staleness: Option<u32>,
    /// Of `downpour`: steps between two times a worker takes the servers' parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetch_every: Option<u32>,
    /// Of `downpour`: steps whose gradients are handed over together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push_every: Option<u32>,
    /// Of `downpour`: so many steps one worker trains alone before the others begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm_start: Option<u64>,
    /// Seconds between two snapshots of all parameter servers (1): what one that dies costs at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot_every: Option<f64>,
    /// Seconds without a sign of life after which a worker is given up: parameter servers go on without it (30), and with
    /// leases its data goes to others (10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence: Option<f64>,
    /// Of `downpour` and `synchronous`, with leases: at most so many workers. There are `workers` at first; more
    /// are started when all are busy, and ended again when they only wait; one that the others wait for is ended or
    /// replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_workers: Option<u32>,
    /// The same: at least so many; without it `workers`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_workers: Option<u32>,
    /// With `max_workers` or `min_workers`: so many seconds all must be busy, or wait, before a worker is started or ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elastic_after: Option<f64>,
    /// Workers lease their data from a coordinator, which is one more process: of `bounded` and `downpour` so if
    /// nothing is said, of `synchronous` and `asynchronous` if it is `true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leases: Option<bool>,
    /// Of `bounded`, `downpour`, `hybrid` and `synchronous`: variables of more mebibytes are cut by rows and divided over
    /// the servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split_above_mib: Option<u32>,
    /// Of `bounded`, `downpour`, `hybrid` and `synchronous`: every so many seconds the chief looks whether the servers are
    /// unevenly busy, and has variables moved between them while training goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebalance: Option<f64>,
    /// Of `all_reduce`, `bounded`, `downpour`, `hybrid` and `synchronous`: gradients travel as `lz4`, `zstd`, `bfloat16`, `float16`, `int8`,
    /// `one-bit`, `top-k:0.01` or `power-sgd:4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<String>,
    /// Of `model_parallel` and `pipeline`: processes for one model, a worker and its servers; `ps` does not count
    /// then. Without it as many as `parts` names, or 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stages: Option<usize>,
    /// Of `model_parallel` and `pipeline`: scopes of the model, each with the number of its stage, as
    /// `parts = { embedding = 0, tower = 1 }`. Without it stages are made to take equally long.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, usize>,
    /// Of `pipeline`: into how many parts a batch is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub micro_batches: Option<usize>,
    /// Of `pipeline`: in which order a stage works on them, `gpipe` or `1f1b`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<PipelineSchedule>,
}

impl Default for ClusterTable {
    fn default() -> ClusterTable {
        ClusterTable {
            strategy: StrategyName::Local,
            ps: 1,
            workers: 1,
            threads: 0,
            max_restarts: 3,
            replicas: None,
            backups: None,
            staleness: None,
            fetch_every: None,
            push_every: None,
            warm_start: None,
            snapshot_every: None,
            silence: None,
            split_above_mib: None,
            rebalance: None,
            max_workers: None,
            min_workers: None,
            elastic_after: None,
            leases: None,
            compression: None,
            stages: None,
            parts: BTreeMap::new(),
            micro_batches: None,
            schedule: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
#[clap(rename_all = "snake_case")]
pub enum StrategyName {
    /// One process.
    Local,
    /// One process with several replicas of the model, each with its part of the batch.
    Mirrored,
    /// Parameter servers; every worker applies its gradients as it has them.
    Asynchronous,
    /// Parameter servers; the gradients of all workers (but the backups) make one update.
    Synchronous,
    /// Parameter servers; every worker trains a copy and exchanges now and then (Downpour SGD).
    Downpour,
    /// Parameter servers; as asynchronous, but nobody is far ahead of the slowest.
    Bounded,
    /// Parameter servers; rows of embeddings are applied at once, everything else as with synchronous.
    Hybrid,
    /// No servers; workers average their gradients between them (MultiWorkerMirrored).
    AllReduce,
    /// Parameter servers; L-BFGS over all of the data in every step, cut into small units (Sandblaster).
    Sandblaster,
    /// One model in parts on several processes.
    #[clap(alias = "model-parallel")]
    ModelParallel,
    /// The same, and parts of a batch go through it one behind the other.
    Pipeline,
}

impl StrategyName {
    pub fn word(self) -> &'static str {
        match self {
            StrategyName::Local => "local",
            StrategyName::Mirrored => "mirrored",
            StrategyName::Asynchronous => "asynchronous",
            StrategyName::Synchronous => "synchronous",
            StrategyName::Downpour => "downpour",
            StrategyName::Bounded => "bounded",
            StrategyName::Hybrid => "hybrid",
            StrategyName::AllReduce => "all_reduce",
            StrategyName::Sandblaster => "sandblaster",
            StrategyName::ModelParallel => "model_parallel",
            StrategyName::Pipeline => "pipeline",
        }
    }
}

/// What one global step takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A batch of one worker.
    Batch,
    /// A batch of every worker.
    BatchOfEach,
    /// All of the data.
    AllData,
}

impl StrategyName {
    /// What is comparable between strategies is examples, not steps.
    pub fn step_takes(self) -> Takes {
        match self {
            StrategyName::Local
            | StrategyName::Mirrored
            | StrategyName::Asynchronous
            | StrategyName::Downpour
            | StrategyName::ModelParallel
            | StrategyName::Pipeline => Takes::Batch,
            StrategyName::Synchronous
            | StrategyName::Bounded
            | StrategyName::Hybrid
            | StrategyName::AllReduce => Takes::BatchOfEach,
            StrategyName::Sandblaster => Takes::AllData,
        }
    }
}

/// Steps the fastest worker may be ahead, if the job does not say.
const STALENESS: u32 = 3;

impl ClusterTable {
    pub fn check(&self, place: &Text<'_>) -> Result<()> {
        let name = self.strategy;
        let alone = self.is_one_process() || name == StrategyName::AllReduce || self.is_in_parts();
        if name == StrategyName::AllReduce && self.workers == 0 {
            return Err(place.at_key("workers", "must be at least 1"));
        }
        if !alone && (self.ps == 0 || self.workers == 0) {
            return Err(
                place.at_key("strategy", "needs at least one parameter server and one worker")
            );
        }
        if self.backups.is_some_and(|backups| backups >= self.workers) {
            return Err(place.at_key("backups", "must be fewer than there are workers"));
        }
        let settings = [
            ("replicas", self.replicas.is_some(), StrategyName::Mirrored),
            ("backups", self.backups.is_some(), StrategyName::Synchronous),
            ("staleness", self.staleness.is_some(), StrategyName::Bounded),
            ("fetch_every", self.fetch_every.is_some(), StrategyName::Downpour),
            ("push_every", self.push_every.is_some(), StrategyName::Downpour),
            ("warm_start", self.warm_start.is_some(), StrategyName::Downpour),
            ("micro_batches", self.micro_batches.is_some(), StrategyName::Pipeline),
            ("schedule", self.schedule.is_some(), StrategyName::Pipeline),
        ];
        for (key, given, of) in settings {
            if given && of != name {
                let (of, name) = (of.word(), name.word());
                let why = format!("is a setting of the strategy '{of}'; this job's is '{name}'");
                return Err(place.at_key(key, &why));
            }
        }
        let without = [StrategyName::Local, StrategyName::Asynchronous, StrategyName::Sandblaster];
        let given = [
            ("split_above_mib", self.split_above_mib.is_some()),
            ("rebalance", self.rebalance.is_some()),
        ];
        for (key, _) in given.iter().filter(|(_, given)| *given) {
            if alone || without.contains(&name) {
                let why = "goes with the strategies bounded, downpour, hybrid and synchronous";
                return Err(place.at_key(key, why));
            }
        }
        let above_0 = |time: Duration| !time.is_zero();
        let long = |time: Duration| time >= Duration::from_secs(1);
        let times = [
            (
                "snapshot_every",
                self.snapshot_every,
                &above_0 as &dyn Fn(Duration) -> bool,
                "above 0",
            ),
            ("silence", self.silence, &long, "of 1 or more"),
            ("rebalance", self.rebalance, &above_0, "above 0"),
        ];
        for (key, seconds, good, wanted) in times {
            let Some(seconds) = seconds else { continue };
            if !Duration::try_from_secs_f64(seconds).is_ok_and(good) {
                return Err(place.at_key(key, &format!("must be a number of seconds {wanted}")));
            }
            let leased = key == "silence" && self.leases();
            if alone || name == StrategyName::Asynchronous && !leased {
                let why = "goes with the strategies bounded, downpour, hybrid, sandblaster and synchronous";
                return Err(place.at_key(key, why));
            }
        }
        let leasable = [
            StrategyName::Asynchronous,
            StrategyName::Synchronous,
            StrategyName::Downpour,
            StrategyName::Bounded,
        ];
        if self.leases == Some(true) && !leasable.contains(&name) {
            let why = "goes with the strategies asynchronous, bounded, downpour and synchronous";
            return Err(place.at_key("leases", why));
        }
        self.check_elastic(place)?;
        if let Some(compression) = &self.compression {
            if without.contains(&name) || self.is_one_process() || self.is_in_parts() {
                let why = "goes with the strategies all_reduce, bounded, downpour, hybrid and synchronous";
                return Err(place.at_key("compression", why));
            }
            let read = compression.parse::<Compression>();
            read.map_err(|e| place.at_key("compression", e.message()))?;
        }
        if self.replicas == Some(0) {
            return Err(place.at_key("replicas", "must be at least 1"));
        }
        for (key, every) in [("fetch_every", self.fetch_every), ("push_every", self.push_every)] {
            if every == Some(0) {
                return Err(place.at_key(key, "must be at least 1"));
            }
        }
        self.check_parts(place)
    }

    pub fn strategy(&self, blasted: &SandblasterTable) -> Result<Strategy> {
        let compression = self.compression.as_deref().unwrap_or("none").parse::<Compression>()?;
        // The job was checked.
        let time = |key: &str, seconds: Option<f64>| {
            let time = seconds.map(Duration::try_from_secs_f64).transpose();
            time.map_err(|e| Status::invalid_argument(format!("{key}: {e}")))
        };
        let every = time("snapshot_every", self.snapshot_every)?;
        let silence = time("silence", self.silence)?;
        let strategy = match (self.strategy, self.backups) {
            (StrategyName::Local, _) => return Ok(Strategy::Local),
            (StrategyName::Mirrored, _) => {
                return Ok(Mirrored::new(self.replicas.unwrap_or(0)).into());
            }
            (StrategyName::Sandblaster, _) => {
                let strategy = Sandblaster::new().history(blasted.history).l2(blasted.l2);
                let strategy = match every {
                    Some(every) => strategy.snapshot_every(every),
                    None => strategy,
                };
                return Ok(match silence {
                    Some(silence) => strategy.silence(silence).into(),
                    None => strategy.into(),
                });
            }
            (StrategyName::AllReduce, _) => {
                return Ok(MultiWorkerMirrored::new().compression(compression).into());
            }
            (StrategyName::ModelParallel | StrategyName::Pipeline, _) => return Ok(self.in_parts()),
            (StrategyName::Asynchronous, _) => ParameterServer::asynchronous(),
            (StrategyName::Synchronous, backups) => {
                ParameterServer::with_backups(backups.unwrap_or(0))
            }
            (StrategyName::Bounded, _) => {
                ParameterServer::bounded(self.staleness.unwrap_or(STALENESS))
            }
            (StrategyName::Hybrid, _) => ParameterServer::hybrid(),
            (StrategyName::Downpour, _) => {
                let usual = Downpour::default();
                let downpour = Downpour {
                    fetch_every: self.fetch_every.unwrap_or(usual.fetch_every),
                    push_every: self.push_every.unwrap_or(usual.push_every),
                    warm_start: self.warm_start.unwrap_or(usual.warm_start),
                    ..usual
                };
                ParameterServer::downpour(downpour)
            }
        };
        let strategy = match every {
            Some(every) => strategy.snapshot_every(every),
            None => strategy,
        };
        let strategy = match silence {
            Some(silence) => strategy.silence(silence),
            None => strategy,
        };
        let strategy = match self.split_above_mib {
            Some(mebibytes) => strategy.split_above(u64::from(mebibytes) << 20),
            None => strategy,
        };
        let strategy = match time("rebalance", self.rebalance)? {
            Some(every) => strategy.rebalance(every),
            None => strategy,
        };
        let strategy = match self.elastic() {
            Some(Elastic { least, most, after }) => {
                strategy.elastic(least as usize, most as usize, after)
            }
            None => strategy,
        };
        Ok(strategy.compression(compression).leases(self.leases()).into())
    }

    /// Whether data is leased. Where the numbers of one process are promised it is not, unless it was asked for.
    pub fn leases(&self) -> bool {
        self.leases.unwrap_or(match self.strategy {
            StrategyName::Downpour => true,
            StrategyName::Bounded => self.staleness != Some(0),
            _ => false,
        })
    }

    /// Everything is in one process.
    pub fn is_one_process(&self) -> bool {
        matches!(self.strategy, StrategyName::Local | StrategyName::Mirrored)
    }

    /// How many parameter servers there are.
    pub fn servers(&self) -> u32 {
        match self.strategy {
            StrategyName::AllReduce => 0,
            StrategyName::ModelParallel | StrategyName::Pipeline => self.servers_of_stages(),
            _ => self.ps,
        }
    }

    /// For the report: the strategy with its settings.
    pub fn describe(&self) -> String {
        let mut text = self.strategy.word().to_string();
        let settings = [
            ("replicas", self.replicas.map(|replicas| replicas as u64)),
            ("backups", self.backups.map(u64::from)),
            ("staleness", self.staleness.map(u64::from)),
            ("fetch every", self.fetch_every.map(u64::from)),
            ("push every", self.push_every.map(u64::from)),
            ("warm start", self.warm_start),
            ("split above MiB", self.split_above_mib.map(u64::from)),
            ("least workers", self.min_workers.map(u64::from)),
            ("most workers", self.max_workers.map(u64::from)),
            ("stages", self.is_in_parts().then(|| u64::from(self.stages_wanted()))),
            ("micro-batches", self.micro_batches.map(|parts| parts as u64)),
        ];
        for (key, value) in settings {
            if let Some(value) = value {
                text.push_str(&format!(", {key} {value}"));
            }
        }
        if let Some(seconds) = self.rebalance {
            text.push_str(&format!(", rebalanced every {seconds} s"));
        }
        if self.leases() {
            text.push_str(", leased data");
        }
        if let Some(compression) = &self.compression {
            text.push_str(&format!(", gradients as {compression}"));
        }
        text
    }
}
