//! RepeatDataset: a dataset several times over, or without end.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RepeatDataset(input_dataset: variant, count: int64) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(repeat)),
    )
}

fn repeat(cx: &mut OpContext<'_>) -> Result<()> {
    let input = &dataset::input(cx, 0)?.pipeline;
    let repeated = match u64::try_from(scalar_i64(cx, 1, "count")?) {
        Ok(count) => input.repeat_times(count),
        Err(_) => input.repeat(),
    };
    dataset::finish(cx, repeated)
}
