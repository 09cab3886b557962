//! Operations that say on how many threads a pipeline may run.
//!
//! Pipelines share the threads of the process, and stages have no more than they need, so that the numbers are checked
//! and change nothing.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry, Resource};
use downpour_tensor::{Result, Status};

use crate::dataset::{self, scalar_i64};
use crate::shared::SharedPlace;

/// TensorFlow refuses so many threads.
const TOO_MANY: i64 = 65_536;

const ELEMENTS: &str = "
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1";

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for prefix in ["", "Experimental"] {
        let private = format!(
            "{prefix}PrivateThreadPoolDataset(input_dataset: variant, num_threads: int64) -> (handle: variant){ELEMENTS}"
        );
        let spec = OpSpec::new(&private)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(private_pool)))?;
        let within = format!(
            "{prefix}MaxIntraOpParallelismDataset(input_dataset: variant, max_intra_op_parallelism: int64) -> (handle: variant){ELEMENTS}"
        );
        let spec = OpSpec::new(&within)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(within_operations)))?;
        let shared = format!(
            "{prefix}ThreadPoolDataset(input_dataset: variant, thread_pool: resource) -> (handle: variant) @stateful{ELEMENTS}"
        );
        let spec = OpSpec::new(&shared)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(shared_pool)))?;
        let handle = format!(
            "{prefix}ThreadPoolHandle() -> (handle: resource) @stateful
                num_threads: int
                max_intra_op_parallelism: int = 1
                display_name: string
                container: string = ''
                shared_name: string = ''"
        );
        registry.add(OpSpec::new(&handle)?.shape(shapes::scalar), |build| {
            let threads = build.int("num_threads")?;
            check_threads(threads)?;
            Ok(KernelBox::new(Pool { place: SharedPlace::new(build)?, threads }))
        })?;
    }
    Ok(())
}

fn check_threads(count: i64) -> Result<()> {
    match count {
        0..TOO_MANY => Ok(()),
        ..0 => Err(Status::invalid_argument("`num_threads` must be >= 0")),
        _ => Err(Status::invalid_argument(format!("`num_threads` must be < {TOO_MANY}"))),
    }
}

fn private_pool(cx: &mut OpContext<'_>) -> Result<()> {
    check_threads(scalar_i64(cx, 1, "num_threads")?)?;
    pass(cx)
}

fn within_operations(cx: &mut OpContext<'_>) -> Result<()> {
    if scalar_i64(cx, 1, "max_intra_op_parallelism")? < 0 {
        return Err(Status::invalid_argument("`max_intra_op_parallelism` must be >= 0"));
    }
    pass(cx)
}

fn shared_pool(cx: &mut OpContext<'_>) -> Result<()> {
    cx.resource::<ThreadPool>(1)?;
    pass(cx)
}

fn pass(cx: &mut OpContext<'_>) -> Result<()> {
    let input = dataset::input(cx, 0)?.pipeline.clone();
    dataset::finish(cx, input)
}

/// A number of threads under a name.
struct ThreadPool(i64);

impl Resource for ThreadPool {
    fn describe(&self) -> String {
        format!("a request for {} threads", self.0)
    }
}

struct Pool {
    place: SharedPlace,
    threads: i64,
}

impl Kernel for Pool {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        self.place.set_handle(cx, || Ok(ThreadPool(self.threads)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_numbers_of_threads_are_refused() {
        check_threads(0).unwrap();
        check_threads(TOO_MANY - 1).unwrap();
        for count in [-1, i64::MIN, TOO_MANY, i64::MAX] {
            assert!(check_threads(count).unwrap_err().message().contains("`num_threads` must be"));
        }
    }
}
