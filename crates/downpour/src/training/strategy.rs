//! How training is spread over processes.

mod mirrored;
mod parameter_server;
mod placement;
mod replicas;
mod sandblaster;

use downpour_cluster::{ClusterSpec, TfConfig};
use downpour_tensor::{Result, Status};

use super::model_parallel::ModelParallel;
pub use mirrored::MultiWorkerMirrored;
pub use parameter_server::{Downpour, ParameterServer};
pub(crate) use parameter_server::{Service, Way};
pub(crate) use placement::{Balance, Placement};
pub use replicas::Mirrored;
pub use sandblaster::Sandblaster;

/// A cluster, and which of its tasks this process is.
pub(crate) type Place = (ClusterSpec, String, u32);

/// How training is spread over processes: an argument of [`Trainer::strategy`](super::Trainer::strategy).
#[derive(Clone, Debug, Default)]
pub enum Strategy {
    /// In this process alone.
    #[default]
    Local,
    /// Variables on parameter servers, the model on every worker.
    ParameterServer(ParameterServer),
    /// The parts of one model on several tasks.
    ModelParallel(ModelParallel),
    /// Several replicas of the model in this process, each with its part of the batch.
    Mirrored(Mirrored),
    /// Every worker has all variables; gradients are averaged between the workers.
    MultiWorkerMirrored(MultiWorkerMirrored),
    /// L-BFGS over all of the data, in small units.
    Sandblaster(Sandblaster),
}

impl Strategy {
    /// The parameter servers, where there are some that workers exchange with.
    pub(crate) fn servers(&self) -> Option<&ParameterServer> {
        match self {
            Strategy::ParameterServer(strategy) => Some(strategy),
            Strategy::Sandblaster(strategy) => Some(&strategy.servers),
            _ => None,
        }
    }
}

impl From<Sandblaster> for Strategy {
    fn from(strategy: Sandblaster) -> Strategy {
        Strategy::Sandblaster(strategy)
    }
}

impl From<MultiWorkerMirrored> for Strategy {
    fn from(strategy: MultiWorkerMirrored) -> Strategy {
        Strategy::MultiWorkerMirrored(strategy)
    }
}

impl From<ParameterServer> for Strategy {
    fn from(strategy: ParameterServer) -> Strategy {
        Strategy::ParameterServer(strategy)
    }
}

/// A task's place: as it was said, or as TF_CONFIG says.
pub(super) fn own_place(said: &Option<Place>, strategy: &str, tasks: &str) -> Result<Place> {
    if let Some(place) = said {
        return Ok(place.clone());
    }
    let text = std::env::var("TF_CONFIG").ok().filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| {
        Status::failed_precondition(format!(
            "the strategy {strategy} needs a cluster, but TF_CONFIG is not set. Start the program with \
             `downpour run {tasks} --all -- PROGRAM`, or name the cluster with {strategy}::task."
        ))
    })?;
    let config = TfConfig::from_json(&text)?;
    let job = config.job.ok_or_else(|| {
        Status::invalid_argument("TF_CONFIG does not say which task this process is")
    })?;
    Ok((config.cluster, job, config.task.unwrap_or(0)))
}
