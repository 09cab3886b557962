//! The connections an algorithm runs over: every rank can send to and receive from every other.
//!
//! There is one primitive, [`Mesh::exchange`]: send to one rank and receive from another at the same time.
//! Algorithms made of it cannot deadlock on full buffers, and run unchanged over blocking sockets (where
//! its future is ready when first polled), pipes inside one process, or a simulated network.
//!
//! Protocol. A message is a header (tag, length) and that many bytes. Both sides know what they expect, so
//! a header that differs means that the ranks do different things; the exchange fails and so does the mesh:
//! bytes of a half-read message cannot be told from the next one's. A mesh that failed closes its
//! connections, from which its peers learn of it, and answers every further exchange with the same error.

use std::future::Future;

use downpour_tensor::{Result, Status};

use crate::cost::CostModel;
use crate::sink::{Sink, Store};

/// A message of at most so many bytes can be sent before the receiver asks for it, on every mesh: connections
/// hold at least four of them.
pub const EAGER: usize = 8 << 10;

/// Something to send.
#[derive(Clone, Copy)]
pub struct Outgoing<'a> {
    /// The rank it goes to.
    pub to: usize,
    /// What is sent.
    pub bytes: &'a [u8],
}

/// Something expected.
pub struct Incoming<'a> {
    /// The rank it comes from.
    pub from: usize,
    /// Where it goes.
    pub sink: &'a mut dyn Sink,
}

/// A rank's connections to the others of its group.
pub trait Mesh: Send {
    /// Which of the group this is.
    fn rank(&self) -> usize;

    /// How many the group has.
    fn size(&self) -> usize;

    /// The machine a rank runs on, as a number; ranks of one machine have the same. Every rank must be told
    /// the same, since the choice of an algorithm depends on it.
    fn machine(&self, _rank: usize) -> usize {
        0
    }

    /// What sending costs here; the same on every rank, since the choice of an algorithm depends on it.
    fn costs(&self) -> CostModel {
        CostModel::default()
    }

    /// The number of the operation that begins now: one more than that of the last one. It is part of every
    /// message's tag, so that ranks which got out of step find out.
    fn next_operation(&mut self) -> u32;

    /// Sends and receives at the same time; either may be left out. The tag must be that of the sender.
    ///
    /// # Errors
    /// UNAVAILABLE, with the rank and its address, when a peer is gone or silent for too long; CANCELLED when
    /// the mesh was cancelled; INTERNAL when a peer sent something else. The mesh is of no use afterwards.
    fn exchange(
        &mut self,
        tag: u64,
        outgoing: Option<Outgoing<'_>>,
        incoming: Option<Incoming<'_>>,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Sends only.
    fn send(
        &mut self,
        tag: u64,
        to: usize,
        bytes: &[u8],
    ) -> impl Future<Output = Result<()>> + Send {
        self.exchange(tag, Some(Outgoing { to, bytes }), None)
    }

    /// Receives only.
    fn receive(
        &mut self,
        tag: u64,
        from: usize,
        bytes: &mut [u8],
    ) -> impl Future<Output = Result<()>> + Send {
        async move {
            let mut sink = Store::new(bytes);
            self.exchange(tag, None, Some(Incoming { from, sink: &mut sink })).await
        }
    }
}

/// Fails for a rank that is not of the group.
pub(crate) fn check_rank<M: Mesh>(mesh: &M, what: &str, rank: usize) -> Result<()> {
    if rank < mesh.size() {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "{what}: there is no rank {rank} in a group of {}",
        mesh.size()
    )))
}

/// Fails for an exchange no mesh can do.
pub(crate) fn check_peers(
    rank: usize,
    size: usize,
    outgoing: &Option<Outgoing<'_>>,
    incoming: &Option<Incoming<'_>>,
) -> Result<()> {
    let peers = [outgoing.as_ref().map(|o| o.to), incoming.as_ref().map(|i| i.from)];
    for peer in peers.into_iter().flatten() {
        if peer >= size || peer == rank {
            return Err(Status::invalid_argument(format!(
                "rank {rank} of {size} cannot exchange with rank {peer}"
            )));
        }
    }
    Ok(())
}
