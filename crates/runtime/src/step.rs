//! What all kernels of one step share.

use std::sync::Arc;

use crate::cancellation::CancellationToken;
use crate::pool::Parallel;
use crate::rendezvous::Rendezvous;
use crate::resource::ResourceManager;
use crate::trace::StepTrace;

/// What a step is made from.
pub struct StepConfig {
    pub id: i64,
    pub resources: Arc<ResourceManager>,
    pub parallel: Parallel,
    pub cancellation: CancellationToken,
    /// The device nodes run on, as in `/job:localhost/replica:0/task:0/device:CPU:0`.
    pub device: Arc<str>,
    /// Where nodes report what they did, if the step is traced.
    pub trace: Option<Arc<StepTrace>>,
    /// How values get to and from other devices, if the step has any.
    pub rendezvous: Option<Arc<dyn Rendezvous>>,
}

pub struct Step {
    id: i64,
    resources: Arc<ResourceManager>,
    session: Arc<ResourceManager>,
    local: ResourceManager,
    parallel: Parallel,
    cancellation: CancellationToken,
    device: Arc<str>,
    trace: Option<Arc<StepTrace>>,
    rendezvous: Option<Arc<dyn Rendezvous>>,
}

/// The container name in handles of resources that live as long as the step.
pub const STEP_CONTAINER: &str = "__per_step";

impl Step {
    /// A step without a session.
    pub fn new(config: StepConfig) -> Arc<Step> {
        Step::of_session(config, Arc::default())
    }

    /// A step of a session, which has these resources.
    pub fn of_session(config: StepConfig, session: Arc<ResourceManager>) -> Arc<Step> {
        Arc::new(Step {
            id: config.id,
            resources: config.resources,
            session,
            local: ResourceManager::new(),
            parallel: config.parallel.cancelled_by(config.cancellation.clone()),
            cancellation: config.cancellation,
            device: config.device,
            trace: config.trace,
            rendezvous: config.rendezvous,
        })
    }

    pub fn id(&self) -> i64 {
        self.id
    }

    /// Resources of the device, which outlive the step.
    pub fn resources(&self) -> &Arc<ResourceManager> {
        &self.resources
    }

    /// Resources that end with the session (tensors behind session handles).
    pub fn session(&self) -> &Arc<ResourceManager> {
        &self.session
    }

    /// Resources that end with the step (tensor arrays, stacks, temporary variables).
    pub fn local(&self) -> &ResourceManager {
        &self.local
    }

    pub fn parallel(&self) -> &Parallel {
        &self.parallel
    }

    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    pub fn trace(&self) -> Option<&Arc<StepTrace>> {
        self.trace.as_ref()
    }

    pub fn rendezvous(&self) -> Option<&dyn Rendezvous> {
        self.rendezvous.as_deref()
    }

    pub fn device(&self) -> &str {
        &self.device
    }
}
