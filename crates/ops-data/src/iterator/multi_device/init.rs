//! MultiDeviceIteratorInit: begins an iterator for several devices with a dataset.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::resource::MultiDeviceIterator;
use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MultiDeviceIteratorInit(dataset: variant, multi_device_iterator: resource, max_buffer_size: int64) -> (incarnation_id: int64) @stateful",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(init)),
    )
}

/// More would only take memory.
const MOST: i64 = 4096;

fn init(cx: &mut OpContext<'_>) -> Result<()> {
    let iterator = cx.resource::<MultiDeviceIterator>(1)?;
    let most = scalar_i64(cx, 2, "max_buffer_size")?;
    if most < 0 {
        return Err(Status::invalid_argument(format!(
            "max_buffer_size must be at least 0, but it is {most}"
        )));
    }
    let incarnation = iterator.start(dataset::input(cx, 0)?, most.min(MOST) as usize)?;
    cx.set_output(0, Tensor::scalar(incarnation));
    Ok(())
}
