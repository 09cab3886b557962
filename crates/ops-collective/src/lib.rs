//! Collective operations: what the members of a group do together inside of a step.
//!
//! A member is a node; its group and instance keys say with whom and for which occasion it meets the others
//! (`meeting.rs` has the protocol). `work.rs` is what is done once all are there, `call.rs` reads what a node is
//! told about its group, the other files are TensorFlow's operations,
//! but for `exchange.rs`: the way of a training worker's gradients to the others.

mod all_to_all;
mod assign_group;
mod broadcast;
mod call;
mod communicator;
mod exchange;
mod gather;
mod meeting;
mod member;
mod reduce;
mod reduce_scatter;
mod work;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub use exchange::{Carrier, Exchanged, set_carrier};

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    all_to_all::register(registry)?;
    assign_group::register(registry)?;
    broadcast::register(registry)?;
    communicator::register(registry)?;
    exchange::register(registry)?;
    gather::register(registry)?;
    reduce::register(registry)?;
    reduce_scatter::register(registry)
}

#[cfg(test)]
mod tests;
