//! What runs steps, by names and messages only: a session of this process, or of a cluster.

use std::sync::Arc;

use downpour_runtime::ResourceManager;
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{GraphDef, StepStats};

pub use downpour_runtime::{RunRequest, StepOptions};

/// A place where a graph lives and steps of it run.
pub trait Runner: Send + Sync {
    /// Adds nodes to the graph.
    fn extend(&self, graph: &GraphDef) -> Result<()>;

    /// Runs one step and returns the fetched values.
    fn run(&self, request: RunRequest, options: &StepOptions) -> Result<Vec<Tensor>>;

    /// Runs one step and reports what every node did and when.
    fn run_traced(&self, request: RunRequest) -> Result<(Vec<Tensor>, StepStats)>;

    /// Prepares a step that will run often; [`ByName`] is an answer for runners with nothing better.
    fn prepare(
        self: Arc<Self>,
        feeds: Vec<String>,
        fetches: Vec<String>,
        targets: Vec<String>,
    ) -> Result<Box<dyn PreparedRun>>;

    /// The resources its steps see, if they are in this process.
    fn resources(&self) -> Option<&Arc<ResourceManager>> {
        None
    }

    /// Ends what runs and refuses further steps.
    fn close(&self) -> Result<()>;
}

/// A step that was prepared.
pub trait PreparedRun: Send + Sync {
    /// Runs it once, with fed values in the order of their names.
    fn run(&self, feeds: Vec<Tensor>, options: &StepOptions) -> Result<Vec<Tensor>>;
}

/// A prepared step that goes by names each time, for runners that have nothing better.
pub struct ByName<R: ?Sized> {
    /// What runs it.
    pub runner: Arc<R>,
    /// The names of the fed values.
    pub feeds: Vec<String>,
    /// The names of the values to return.
    pub fetches: Vec<String>,
    /// The names of the nodes to run.
    pub targets: Vec<String>,
}

impl<R: Runner + ?Sized> PreparedRun for ByName<R> {
    fn run(&self, feeds: Vec<Tensor>, options: &StepOptions) -> Result<Vec<Tensor>> {
        if feeds.len() != self.feeds.len() {
            return Err(Status::invalid_argument(format!(
                "the step takes {} fed tensors but got {}",
                self.feeds.len(),
                feeds.len()
            )));
        }
        let request = RunRequest {
            feeds: self.feeds.iter().cloned().zip(feeds).collect(),
            fetches: self.fetches.clone(),
            targets: self.targets.clone(),
        };
        self.runner.run(request, options)
    }
}
