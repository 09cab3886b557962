//! PrefetchDataset: elements made ahead of whoever takes them.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "PrefetchDataset(input_dataset: variant, buffer_size: int64) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                slack_period: int = 0
                legacy_autotune: bool = true
                buffer_size_min: int = 0
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(prefetch)),
    )
}

/// More would only take memory.
const MOST: i64 = 4096;

fn prefetch(cx: &mut OpContext<'_>) -> Result<()> {
    let input = &dataset::input(cx, 0)?.pipeline;
    let ahead = match scalar_i64(cx, 1, "buffer_size")? {
        0 => input.clone(),
        -1 => input.prefetch_autotuned(),
        count @ 1.. => input.prefetch(count.min(MOST) as usize),
        _ => {
            return Err(Status::invalid_argument(
                "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning",
            ));
        }
    };
    dataset::finish(cx, ahead)
}
