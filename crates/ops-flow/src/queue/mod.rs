//! Queues, barriers and staging areas: where steps wait for each other.

mod barrier;
mod batch;
mod control;
mod core;
mod create;
mod map_stage;
mod stage;
mod store;
mod transfer;

pub(crate) use self::core::Queue;
pub(crate) use create::handle_shape;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// One element of a queue: a tensor per component.
pub(crate) type Tuple = Vec<downpour_tensor::Tensor>;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    barrier::register(registry)?;
    control::register(registry)?;
    create::register(registry)?;
    map_stage::register(registry)?;
    stage::register(registry)?;
    transfer::register(registry)
}
