//! MapAndBatchDataset: a function of the graph applied to several elements at the same time, and its results in batches.
//!
//! Unlike a batch behind a map, a batch one of whose elements fails is left out as a whole.

use std::sync::Arc;

use downpour_data::{Batch, OnError};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::batch;
use super::parallel_map::parallel;
use crate::component::Signature;
use crate::dataset::{self, scalar_i64};
use crate::function::{Captured, GraphMap};
use crate::function_stage;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, own) in
        [("MapAndBatchDataset", "metadata: string = ''"), ("ExperimentalMapAndBatchDataset", "")]
    {
        let signature = format!(
            "{name}(input_dataset: variant, other_arguments: Targuments, batch_size: int64, num_parallel_calls: int64, drop_remainder: bool) -> (handle: variant)
                f: func
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                preserve_cardinality: bool = false
                {own}"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(MapAndBatch(build.callable("f")?)))
        })?;
    }
    Ok(())
}

struct MapAndBatch(Arc<FunctionHandle>);

impl Kernel for MapAndBatch {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let first = cx.node().input_range("other_arguments")?.end;
        let size = usize::try_from(scalar_i64(cx, first, "batch_size")?).unwrap_or(0);
        if size == 0 {
            return Err(Status::invalid_argument("batch_size must be greater than zero."));
        }
        let calls = scalar_i64(cx, first + 1, "num_parallel_calls")?;
        let parallel = parallel("num_parallel_calls", calls, function.threads())?;
        let how = Batch::new(size)
            .remainder(batch::remainder(cx, first + 2)?)
            .on_error(OnError::FailBatch);
        let names = Signature::of(cx.node())?.names();
        let input = dataset::input(cx, 0)?;
        let may_end = !cx.node().bool("preserve_cardinality")?;
        let length = match may_end {
            true => None,
            false => input.pipeline.batch_with(how.clone())?.length(),
        };
        let batches = function_stage::dataset(
            "map_and_batch",
            input,
            function,
            move |_| length,
            move |input, function| {
                let map = GraphMap { function, names: names.clone(), may_end };
                map.apply(|map| input.map_parallel(parallel, map)).batch_with(how.clone())
            },
        );
        dataset::finish(cx, batches)
    }
}
