//! The threads of a process that serves or uses a cluster: some carry messages, others compute.

use std::sync::Arc;

use downpour_runtime::ComputePool;
use downpour_tensor::{Result, Status};
use tokio::runtime::{Builder, Runtime};

/// So many threads that carry messages; they never compute.
pub fn network_threads(count: usize) -> Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(count.max(1))
        .thread_name("network")
        .enable_all()
        .build()
        .map_err(|e| Status::internal(format!("cannot start network threads: {e}")))
}

/// So many threads that compute; 0 is one per processor.
pub fn compute_threads(count: usize) -> Result<Arc<ComputePool>> {
    match count {
        0 => ComputePool::for_machine(),
        count => ComputePool::new(count),
    }
    .map_err(|e| Status::resource_exhausted(format!("cannot start compute threads: {e}")))
}
