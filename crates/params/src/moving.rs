//! Variables move to other servers while training goes on.
//!
//! Which server has which variables (or rows of them) is a layout, of which the service knows only a number, its epoch,
//! and its bytes. Requests say of which epoch they are; a server of another one refuses them, and whoever has asked
//! takes the new layout and joins again.
//!
//! Protocol of a move, from epoch e to e+1. One server, the first, decides.
//!
//! 1. Hold. Every server takes only pushes that another server has already taken, and such as complete a step that has
//!    begun; everything else is told "not yet". The mover asks all servers again and again which update of each worker
//!    was the last, and tells them the largest of these numbers, until all servers have the same updates and no step is
//!    open: the cut. A hold is let go by itself if the mover is not heard for a while.
//! 2. Prepare. The mover reads what moves and gives every server what it is to have in epoch e+1. A server keeps that
//!    beside its values; all but the one that decides write it down first, together with their values at the cut.
//! 3. Decide. The first server writes down its values of e+1: from then on the move has happened. The others are told.
//!    One that is not told answers "undecided", and any worker that hears it asks the first server and passes the answer
//!    on. A move that the first server does not know, or has let go of, has not happened.
//!
//! What is written down is a cut (see [`crate::recovery`]), of one number on all servers: it is complete when the first
//! server has decided.
//!
//! What is not written down before the decision cannot be lost by it: a server that comes back has either its values at
//! the cut with what it is to have (and asks, through a worker, which counts), or those of e+1. As all servers have the
//! same updates at the cut, the last number of each worker is right for whatever comes to a server.
//!
//! What is not survived: the first server loses its disk (or has none to write to) between its decision and the others'
//! hearing of it. Some may then have been told by the mover and others by workers, who find nobody that knows of the move;
//! workers say that layouts differ, and the job has to begin from its checkpoint.
//!
//! Servers whose books differ although nobody pushes any more (one has come back from a snapshot and has lost leased data
//! that others have) are not cut: the move is given up, and training goes on with the old layout.

pub(crate) mod common_cut;
mod load;
pub(crate) mod messages;
mod mover;

use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use downpour_tensor::Tensor;

use crate::gradient::Named;
pub use load::Load;
pub(crate) use load::{Loads, sizes};
pub use mover::Mover;
pub(crate) use mover::{ask, look};

/// Where variables are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// How often they have moved.
    pub epoch: u64,
    /// For those who push and pull.
    pub layout: Bytes,
}

/// What is to be where.
#[derive(Clone, Debug)]
pub struct Move {
    /// The new layout's bytes.
    pub layout: Bytes,
    /// What each server trains then.
    pub programs: Vec<Bytes>,
    /// Of each server, the values it does not have, or not in this form.
    pub values: Vec<Vec<Assembly>>,
    /// Of each server, the variables it does not have any more.
    pub leaving: Vec<Vec<String>>,
}

/// A value made of what servers have.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// Its name, there and here.
    pub name: String,
    /// One after the other.
    pub pieces: Vec<Piece>,
}

/// Of a value on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Which one.
    pub server: usize,
    /// Some rows, as they are numbered there; or all of it.
    pub rows: Option<Range<usize>>,
}

/// A move that has happened.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// Of the new layout.
    pub epoch: u64,
    /// That went from server to server.
    pub bytes: u64,
    /// How long no new push was taken.
    pub held: Duration,
}

/// What a server is to have in the next epoch.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The move.
    pub id: u64,
    /// Its layout, of the next epoch.
    pub placed: Placed,
    /// What is trained then.
    pub program: Bytes,
    /// Values that are new, or new in this form.
    pub values: Vec<Named<Tensor>>,
    /// Variables that are not there any more.
    pub leaving: Vec<String>,
    /// The number of the cut under which it is written down.
    pub cut: u64,
}
