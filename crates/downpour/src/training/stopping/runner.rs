//! Steps that end when waiting is over.

use std::sync::Arc;

use downpour_runtime::{CancelGuard, CancellationToken, ResourceManager};
use downpour_tensor::{Result, Tensor};
use downpour_wire::proto::{GraphDef, StepStats};

use super::Stopping;
use crate::session::{PreparedRun, RunRequest, Runner, StepOptions};

/// Runs steps of another runner, and cancels those that still run when waiting is over.
pub(crate) struct Interruptible {
    runner: Arc<dyn Runner>,
    stopping: Stopping,
}

impl Interruptible {
    pub fn new(runner: Arc<dyn Runner>, stopping: &Stopping) -> Interruptible {
        Interruptible { runner, stopping: stopping.clone() }
    }
}

/// Adds a token that is cancelled when waiting is over. Every step has its own: a step that fails cancels it.
fn watched(stopping: &Stopping, options: &StepOptions) -> (StepOptions, CancelGuard) {
    let token = options.cancellation.clone().unwrap_or_else(CancellationToken::new);
    let theirs = token.clone();
    let guard = stopping.on_over(move || theirs.cancel());
    (StepOptions { cancellation: Some(token), ..options.clone() }, guard)
}

impl Runner for Interruptible {
    fn extend(&self, graph: &GraphDef) -> Result<()> {
        self.runner.extend(graph)
    }

    fn run(&self, request: RunRequest, options: &StepOptions) -> Result<Vec<Tensor>> {
        let (options, _guard) = watched(&self.stopping, options);
        self.runner.run(request, &options)
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
        Ok(Box::new(InterruptibleStep { step, stopping: self.stopping.clone() }))
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
    stopping: Stopping,
}

impl PreparedRun for InterruptibleStep {
    fn run(&self, feeds: Vec<Tensor>, options: &StepOptions) -> Result<Vec<Tensor>> {
        let (options, _guard) = watched(&self.stopping, options);
        self.step.run(feeds, &options)
    }
}
