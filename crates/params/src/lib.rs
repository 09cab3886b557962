//! The parameter service: workers push gradients to servers and pull parameters from them.
//!
//! A [`Store`] keeps the books of one server: who takes part, which updates were applied, when an update is
//! made (at once, of all workers together, or within a bound of staleness) and who has to wait. The numbers
//! themselves are behind the trait [`Values`]: a task's variables, or plain memory. [`serve`] answers one
//! connection, a [`Caller`] is the other end of it, and a [`Client`] a worker's view of all servers.
//!
//! Nothing here knows sockets, clocks or threads of its own: streams come in by argument, time is tokio's
//! (which a simulator can turn), and numbers are computed where [`Compute`] says.
//!
//! Every update carries a tag: worker, incarnation, sequence. A repeated one is answered and not applied; one
//! of an incarnation that is over is refused.
#![warn(missing_docs)]

mod caller;
mod client;
mod compute;
mod frame;
mod gradient;
mod ledger;
mod member;
mod message;
mod mode;
mod pieces;
mod plain;
mod saved;
mod service;
mod snapshot;
mod store;
mod sums;
mod values;

pub use caller::{Caller, Connect, Patience, Stream};
pub use client::{Client, Joined, Pulled, Pushed, Shard};
pub use compute::{Compute, Inline};
pub use frame::{Contents, Reader, room_for};
pub use gradient::{Gradient, Named, Packed, Update};
pub use member::{Receipt, Remembered, Tag};
pub use message::{Hello, MAGIC, VERSION};
pub use mode::Mode;
pub use pieces::Pieces;
pub use plain::PlainValues;
pub use service::{keep_watch, serve};
pub use snapshot::{Snapshot, read_snapshot, write_snapshot};
pub use store::{Definition, Limits, Membership, Statistics, Store};
pub use values::Values;
