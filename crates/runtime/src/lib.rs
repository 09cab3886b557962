//! Runs graphs: kernels and their contexts, the compute pool, variables and other resources.

mod async_context;
mod cancellation;
mod context;
pub mod executor;
mod frame_iteration;
mod function;
mod io_pool;
mod kernel;
mod optimize;
mod pool;
mod registry;
mod rendezvous;
mod resource;
mod session;
mod step;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod timer;
mod trace;
mod value;
mod variable;
mod worker_session;

pub use async_context::{AsyncContext, FinishFn};
pub use cancellation::{CancelGuard, CancellationToken};
pub use context::OpContext;
pub use executor::{GraphLoader, LoadedGraph};
pub use frame_iteration::FrameIteration;
pub use function::{FunctionBody, FunctionHandle, FunctionResult};
pub use io_pool::{IoWork, run_on_io_thread};
pub use kernel::{AsyncKernel, FunctionSource, Kernel, KernelBox, KernelBuild, KernelFactory};
pub use optimize::GraphOptions;
pub use pool::{ComputePool, Parallel};
pub use registry::{KernelWrapper, Registry};
pub use rendezvous::{Crossing, LocalRendezvous, OnReceive, OnSent, Rendezvous, Slot};
pub use resource::{DEFAULT_CONTAINER, InitializableTable, Resource, ResourceManager};
pub use session::{Device, PartialRun, RunRequest, Session, SessionOptions, StepOptions};
pub use step::{STEP_CONTAINER, Step, StepConfig};
pub use timer::{TimerGuard, after};
pub use trace::{NodeTrace, OutputTrace, StepTrace};
pub use value::{Outputs, Value};
pub use variable::Variable;
pub use worker_session::{RegisteredGraph, WorkerSession, WorkerStep};
