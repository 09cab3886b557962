//! Queues, barriers and staging areas: where steps wait for each other.

mod batch;
mod control;
mod core;
mod create;
mod philox;
mod store;
mod transfer;

pub(crate) use create::handle_shape;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// One element of a queue: a tensor per component.
pub(crate) type Tuple = Vec<downpour_tensor::Tensor>;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    control::register(registry)?;
    create::register(registry)?;
    transfer::register(registry)
}
