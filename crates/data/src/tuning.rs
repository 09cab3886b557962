//! How stages choose for themselves what the program has left to them.
//!
//! A stage measures while it runs and changes one number: how many threads a map has ([`Threads`]), how many elements
//! are read ahead ([`Ahead`]). Neither changes which elements come, or their order.

mod ahead;
mod threads;

pub(crate) use ahead::Ahead;
pub(crate) use threads::Threads;

use downpour_tensor::{memory_limit, memory_use};

/// Whether the process may hold so many more bytes of elements that nobody has asked for yet.
///
/// Reading ahead never takes more than half of the memory limit together with everything else, so that the steps that
/// use the elements have room.
fn may_hold(bytes: usize) -> bool {
    memory_use().in_use.saturating_add(bytes) <= memory_limit() / 2
}
