//! Sandblaster L-BFGS over the parameter service.
#![allow(missing_docs)]

mod arithmetic;
mod asking;
mod board;
mod coordinator;
mod encoding;
mod gather;
mod kept;
mod layout;
pub(crate) mod messages;
mod replica;
mod serving;
mod space;
mod vectors;

use parking_lot::Mutex;

pub use coordinator::{Coordinator, Saved};
pub use replica::{Contribution, Work, Worked, work};
pub(crate) use serving::answer;
pub use space::{Mark, Plan, ServiceSpace};

/// A server's part in it. Locked in this order: vectors, what is gathered; the board on its own.
#[derive(Default)]
pub(crate) struct Sandblaster {
    vectors: Mutex<vectors::Vectors>,
    gather: Mutex<gather::Gather>,
    pub board: board::Board,
}
