//! What the tests over pipes share.

use std::future::Future;
use std::time::Duration;

use downpour_collectives::StreamMesh;
use tokio::io::DuplexStream;

pub type Pipes = StreamMesh<DuplexStream>;

/// Longer than any test takes; time is stopped, so nothing waits for it.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Runs `work` on every rank at once, the ranks distributed over machines, and gives their results in order.
pub fn on_ranks<T, F>(machines: &[usize], work: impl Fn(Pipes) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime without threads");
    runtime.block_on(async {
        let meshes = StreamMesh::in_process(machines.len(), PATIENCE);
        let tasks: Vec<_> = meshes
            .into_iter()
            .map(|mesh| tokio::spawn(work(mesh.on_machines(machines.to_vec()))))
            .collect();
        let mut results = Vec::new();
        for task in tasks {
            results.push(task.await.expect("no rank panics"));
        }
        results
    })
}
