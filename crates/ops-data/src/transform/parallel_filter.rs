//! ParallelFilterDataset: a predicate of the graph asked for several elements at the same time.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use super::parallel_map::parallel;
use crate::dataset::{self, scalar_i64};
use crate::function::{Captured, end_of_sequence};
use crate::function_stage::{self, unknown_length};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ParallelFilterDataset(input_dataset: variant, other_arguments: Targuments, num_parallel_calls: int64) -> (handle: variant)
                predicate: func
                deterministic: string = 'default'
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(ParallelFilter(build.callable("predicate")?))),
    )
}

struct ParallelFilter(Arc<FunctionHandle>);

impl Kernel for ParallelFilter {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let calls = scalar_i64(cx, cx.inputs_len() - 1, "num_parallel_calls")?;
        let parallel = parallel("num_parallel_calls", calls, function.threads())?;
        let input = dataset::input(cx, 0)?;
        // Elements keep their order, which every setting allows.
        let kept = function_stage::dataset(
            "parallel_filter",
            input,
            function,
            unknown_length,
            move |input, function| {
                Ok(input.filter_parallel(parallel, move |element| {
                    function.test(element.tensors().to_vec()).map_err(end_of_sequence)
                }))
            },
        );
        dataset::finish(cx, kept)
    }
}
