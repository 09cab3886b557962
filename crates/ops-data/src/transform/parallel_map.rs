//! ParallelMapDataset: a function of the graph applied to several elements at the same time.

use std::sync::Arc;

use downpour_data::Parallel;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::map::length;
use crate::component::Signature;
use crate::dataset::{self, scalar_i64};
use crate::function::{Captured, GraphMap};
use crate::function_stage;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, count, order) in [
        ("ParallelMapDataset", "int32", "sloppy: bool = false"),
        ("ParallelMapDatasetV2", "int64", "deterministic: string = 'default'"),
    ] {
        let own = if count == "int64" { "use_unbounded_threadpool: bool = false" } else { "" };
        let signature = format!(
            "{name}(input_dataset: variant, other_arguments: Targuments, num_parallel_calls: {count}) -> (handle: variant)
                f: func
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                use_inter_op_parallelism: bool = true
                {order}
                preserve_cardinality: bool = false
                {own}
                metadata: string = ''"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(ParallelMap(build.callable("f")?)))
        })?;
    }
    Ok(())
}

/// Calls that run at the same time; more threads would only wait for each other.
const MOST: usize = 64;

struct ParallelMap(Arc<FunctionHandle>);

impl Kernel for ParallelMap {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let calls = scalar_i64(cx, cx.inputs_len() - 1, "num_parallel_calls")?;
        let parallel = parallel("num_parallel_calls", calls, function.threads())?;
        let names = Signature::of(cx.node())?.names();
        let length = length(cx)?;
        let input = dataset::input(cx, 0)?;
        let may_end = !cx.node().bool("preserve_cardinality")?;
        // Results keep the order of the input, which every setting allows.
        let mapped =
            function_stage::elementwise("map", input, function, length, move |input, function| {
                let map = GraphMap { function, names: names.clone(), may_end };
                Ok(map.apply(|map| input.map_parallel(parallel, map)))
            });
        dataset::finish(cx, mapped)
    }
}

/// A function that waits for files or other tasks may use more threads than there are processors; so many times more are
/// tried if the program leaves it to us.
const TRIED: usize = 4;

/// Returns how many calls a program has asked for at the same time; -1 leaves it to what is measured.
pub(super) fn parallel(name: &str, asked: i64, threads: usize) -> Result<Parallel> {
    match asked {
        -1 => Ok(Parallel::autotuned(threads.saturating_mul(TRIED).min(MOST))),
        1.. => Ok(Parallel::new(usize::try_from(asked).unwrap_or(MOST).min(MOST))),
        _ => Err(Status::invalid_argument(format!("{name} must be greater than zero."))),
    }
}
