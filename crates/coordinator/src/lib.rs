//! Who takes part in training and which data each works on: membership by heartbeats and epochs, leases, and a log
//! that outlives the process.
//!
//! A [`Coordinator`] is a state machine. [`Coordinator::handle`] answers one [`Request`](message::Request) at a time;
//! time comes in by argument; what must not be forgotten goes to a [`Storage`] before anything is said. A [`Member`] is
//! the other side. Neither knows a network: whoever has one moves the messages. [`Service`] and [`MemberHandle`] do the
//! waiting for them on tokio's clock, and [`door`] says how messages travel over a connection.
//!
//! ```
//! use std::time::Duration;
//! use downpour_coordinator::message::{CreateDataset, DatasetSpec, Request, RequestKind};
//! use downpour_coordinator::{Config, Coordinator, Member, MemberConfig, MemberEvent, MemoryStorage};
//!
//! let mut now = Duration::ZERO;
//! let mut coordinator = Coordinator::open(Box::new(MemoryStorage::new()), Config::default(), now)?;
//! let spec = DatasetSpec::new("mnist/train", 1000, 2, 10);
//! coordinator.handle(now, &Request::new(1, RequestKind::CreateDataset(CreateDataset { spec: Some(spec) }))).result()?;
//!
//! let mut member = Member::new(MemberConfig::new("worker/0", 77));
//! member.work_on(1);
//! let mut examples = 0;
//! loop {
//!     while let Some(request) = member.poll(now) {
//!         member.receive(now, coordinator.handle(now, &request));
//!     }
//!     if let Some(lease) = member.take_lease() {
//!         // Train on the positions from lease.position to lease.end ...
//!         examples += lease.end - lease.position;
//!         member.complete(lease.unit);
//!     }
//!     if std::iter::from_fn(|| member.take_event()).any(|event| event == MemberEvent::Finished) {
//!         break;
//!     }
//!     now += Duration::from_millis(100);
//! }
//! assert_eq!(examples, 2000);
//! # Ok::<(), downpour_tensor::Status>(())
//! ```
//!
//! # Epochs
//!
//! Everybody who joins gets an *epoch*, a number larger than any before. It ends when the member leaves, is silent for
//! too long, is dropped, or when its name joins again. A request of an epoch that is over answers ABORTED and changes
//! nothing: a process that was paused and wakes up can do no harm here, and learns with its first word that it must
//! join again. The *generation* counts everybody who came or went; who needs to know whose epochs are over (a parameter
//! server) asks for the changes since the generation it knows.
//!
//! # Data
//!
//! An epoch of a dataset (a *data epoch*) is cut into units while it is handed out: the quicker a member, the larger
//! its units, and the smaller the closer the end. A unit belongs to one member until it is completed, or its time
//! runs out without progress, or its holder is gone; then the rest, from the last reported position on, goes to
//! another under the next *attempt* number. Without failures each example is handed out exactly once per data epoch,
//! and always at least once.
//!
//! # How update tags and positions fit together
//!
//! A parameter server applies an update at most once by its tag `(worker, incarnation, sequence)`. Worker and
//! incarnation are [`Joined`](message::Joined)'s member and epoch, the sequence counts the pushes of that
//! incarnation: that covers messages that are repeated. It does not cover work that is repeated: a worker that dies
//! after a push and before its next report leaves a position behind the update, and the next holder computes those
//! examples again under a tag of its own. So a push also carries which positions it is made of (an [`Extent`]: dataset,
//! data epoch, start, end), and the server keeps a [`Ledger`] of what it has applied; what is there already is
//! answered like a repeated tag. For that to work
//! - the worker cuts its pushes at multiples of the same number of examples, counted from the unit's start, so that
//!   the next holder's pushes have the same extents;
//! - it reports a position (`progress`) only after every server has answered the push that ends there;
//! - the ledger is saved with the parameters, so that a server that comes back from a snapshot forgets both or
//!   neither. What was applied since the snapshot and reported is lost: that is the bound the snapshot interval sets.
//!
//! Backups are for results that are used once the unit is complete (Sandblaster's gradients of a batch): the first
//! completion wins, and the answer to the second says so. Workers of that kind report only `reached` until then.

#![warn(missing_docs)]

mod attendance;
mod clock;
mod config;
mod coordinator;
mod decision;
mod driver;
mod event;
mod ledger;
mod member;
pub mod message;
mod ranges;
mod state;
mod storage;

pub use attendance::{Attendance, Presence};
pub use config::Config;
pub use coordinator::Coordinator;
pub use decision::{
    ClusterView, Decision, DecisionConfig, DecisionKind, DecisionMemory, MemberView, TaskView,
    decide,
};
pub use driver::{MemberHandle, Service, door};
pub use ledger::{Extent, Ledger, Overlap};
pub use member::{Member, MemberConfig, MemberEvent};
pub use storage::{FileStorage, MemoryStorage, Storage, Stored, SyncPolicy};
