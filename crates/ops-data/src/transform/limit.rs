//! TakeDataset and SkipDataset: the first elements only, or all but the first.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let taken = OpSpec::new(&signature("TakeDataset"))?.shape(shapes::scalar);
    registry.add(taken, |_| Ok(KernelBox::cheap(take)))?;
    let rest = OpSpec::new(&signature("SkipDataset"))?.shape(shapes::scalar);
    registry.add(rest, |_| Ok(KernelBox::cheap(skip)))
}

fn signature(name: &str) -> String {
    format!(
        "{name}(input_dataset: variant, count: int64) -> (handle: variant)
            output_types: list(type) >= 1
            output_shapes: list(shape) >= 1
            metadata: string = ''"
    )
}

/// A negative count is all of them.
fn take(cx: &mut OpContext<'_>) -> Result<()> {
    let input = &dataset::input(cx, 0)?.pipeline;
    let taken = match u64::try_from(scalar_i64(cx, 1, "count")?) {
        Ok(count) => input.take(count),
        Err(_) => input.clone(),
    };
    dataset::finish(cx, taken)
}

/// A negative count is all of them.
fn skip(cx: &mut OpContext<'_>) -> Result<()> {
    let input = &dataset::input(cx, 0)?.pipeline;
    let rest = match u64::try_from(scalar_i64(cx, 1, "count")?) {
        Ok(count) => input.skip(count),
        Err(_) => input.skip_all(),
    };
    dataset::finish(cx, rest)
}
