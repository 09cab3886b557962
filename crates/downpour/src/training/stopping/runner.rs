//! Steps that end when waiting is over.

use std::sync::Arc;

use downpour_runtime::ResourceManager;
use downpour_tensor::{Code, Result, Status, Tensor};
use downpour_wire::proto::{GraphDef, StepStats};

use super::Stopping;
use crate::session::{PreparedRun, RunRequest, Runner, StepOptions};

/// Runs steps of another runner, and cancels those that still run when waiting is over.
pub(crate) struct Interruptible {
    runner: Arc<dyn Runner>,
    watch: Watch,
}

impl Interruptible {
    /// `others` are the tasks that a step may wait for, in words for people.
    pub fn new(runner: Arc<dyn Runner>, stopping: &Stopping, others: String) -> Interruptible {
        let watch = Watch { stopping: stopping.clone(), others: others.into() };
        Interruptible { runner, watch }
    }
}

#[derive(Clone)]
struct Watch {
    stopping: Stopping,
    others: Arc<str>,
}

impl Watch {
    /// Runs a step with a token that is cancelled when waiting is over. Every step has its own: a step that fails
    /// cancels it.
    fn run<T>(
        &self,
        options: &StepOptions,
        step: impl FnOnce(&StepOptions) -> Result<T>,
    ) -> Result<T> {
        let token = options.cancellation.clone().unwrap_or_default();
        let theirs = token.clone();
        let _guard = self.stopping.on_over(move || theirs.cancel());
        let ran = step(&StepOptions { cancellation: Some(token), ..options.clone() });
        ran.map_err(|status| match status.code() {
            Code::Cancelled if self.stopping.is_over() => Status::cancelled(format!(
                "stopped by a signal while waiting for a step with {}: {}",
                self.others,
                status.message()
            )),
            _ => status,
        })
    }
}

impl Runner for Interruptible {
    fn extend(&self, graph: &GraphDef) -> Result<()> {
        self.runner.extend(graph)
    }

    fn run(&self, request: RunRequest, options: &StepOptions) -> Result<Vec<Tensor>> {
        self.watch.run(options, |options| self.runner.run(request, options))
    }

    fn run_traced(&self, request: RunRequest) -> Result<(Vec<Tensor>, StepStats)> {
        self.runner.run_traced(request)
    }

    fn prepare(
        self: Arc<Self>,
        feeds: Vec<String>,
        fetches: Vec<String>,
        targets: Vec<String>,
    ) -> Result<Box<dyn PreparedRun>> {
        let step = self.runner.clone().prepare(feeds, fetches, targets)?;
        Ok(Box::new(InterruptibleStep { step, watch: self.watch.clone() }))
    }

    fn resources(&self) -> Option<&Arc<ResourceManager>> {
        self.runner.resources()
    }

    fn close(&self) -> Result<()> {
        self.runner.close()
    }
}

struct InterruptibleStep {
    step: Box<dyn PreparedRun>,
    watch: Watch,
}

impl PreparedRun for InterruptibleStep {
    fn run(&self, feeds: Vec<Tensor>, options: &StepOptions) -> Result<Vec<Tensor>> {
        self.watch.run(options, |options| self.step.run(feeds, options))
    }
}
