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
//!
//! Variables can move between servers while workers train ([`Mover`]): the layout has a number that every request carries,
//! and a move happens at a moment at which all servers have the same updates.
//!
//! Servers that die come back with what was on their disks, and all servers then go back to the newest state that all of
//! them have ([`lead`]).
//!
//! Coordinators that never hold the parameters command vectors on the servers: [`sandblaster`] is L-BFGS that way,
//! with an example that runs.
//!
//! ```
//! use std::sync::Arc;
//!
//! use downpour_params::{
//!     Client, Connect, Definition, Gradient, Inline, Limits, Mode, Patience, PlainValues, Shard, Store, Stream,
//!     Update, serve,
//! };
//! use downpour_tensor::Tensor;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> downpour_tensor::Result<()> {
//! let store = Arc::new(Store::new(PlainValues::new(0.5), Limits::default(), 1));
//! // A pipe in the place of a socket.
//! let connect: Connect = Arc::new(move || {
//!     let store = store.clone();
//!     Box::pin(async move {
//!         let (near, far) = tokio::io::duplex(4096);
//!         tokio::spawn(serve(far, store, Arc::new(Inline)));
//!         Ok(Box::new(near) as Box<dyn Stream>)
//!     })
//! });
//! let shards = vec![Shard { name: "ps/0".to_string(), connect }];
//! let client = Client::new(0, 1, shards, Patience::default());
//! client.define(&[Definition { program: Default::default(), mode: Mode::AtOnce }]).await?;
//! if !client.join().await?[0].ready {
//!     client.put(0, &[("w".to_string(), Tensor::vector(&[1f32, 2.0])?)], true, 0).await?;
//! }
//! let gradients = vec![("w".to_string(), Gradient::Dense(Tensor::vector(&[2f32, 0.0])?))];
//! client.push(&[Update { gradients, set: Vec::new() }], 1).await?;
//! let pulled = client.pull(&[vec!["w".to_string()]]).await?;
//! assert_eq!(pulled[0].values[0].1.as_slice::<f32>()?, [0.0, 2.0]);
//! client.leave().await
//! # }
//! ```
#![warn(missing_docs)]

mod caller;
mod client;
mod compute;
mod frame;
mod gradient;
mod header;
mod incarnation;
mod ledger;
mod member;
mod message;
mod mode;
mod moving;
mod payload;
mod pieces;
mod plain;
mod positions;
mod recovery;
mod rows;
pub mod sandblaster;
mod saved;
mod service;
mod snapshot;
mod store;
mod sums;
mod values;

pub use caller::{Caller, Connect, Patience, Stream};
pub use client::{Client, Joined, Pulled, Pushed, Shard};
pub use compute::{Compute, Inline};
pub use downpour_coordinator::door::ConnectionLimits;
pub use frame::Reader;
pub use gradient::{Gradient, Named, Packed, Update};
pub use header::{MAX_HELLO, read_header};
pub use member::{Receipt, Remembered, Tag};
pub use message::{Hello, MAGIC, VERSION};
pub use mode::Mode;
pub use moving::{Assembly, Load, Move, Moved, Mover, Piece, Placed, Prepared};
pub use payload::{Credit, Payload};
pub use pieces::Pieces;
pub use plain::PlainValues;
pub use recovery::{CutFiles, Lead, Recovered, lead};
pub use rows::{concatenated, gather_rows};
pub use service::{keep_watch, serve, serve_within};
pub use snapshot::{Snapshot, read_snapshot, write_snapshot, write_snapshot_on};
pub use store::{Definition, Keeper, Limits, Membership, Statistics, Store};
pub use values::Values;
