//! Ring: each rank sends to the next and receives from the one before, a chunk a round.
//!
//! In the first `n-1` rounds chunks are reduced on their way round, so that rank `r` ends with all of chunk
//! `r`; in the next `n-1` the finished chunks go round. All ranks send and receive in every round, and what
//! arrives is combined as it arrives, so that neither the network nor the processor waits for the other.

use downpour_tensor::Result;

use crate::chunks::{Chunks, apart};
use crate::mesh::{Incoming, Mesh, Outgoing};
use crate::reduction::{Order, Reduction};
use crate::sink::{Combine, Scratch, Store};

/// The neighbours: whom to send to and from whom to receive.
fn neighbours<M: Mesh>(mesh: &M) -> (usize, usize) {
    let (rank, size) = (mesh.rank(), mesh.size());
    ((rank + 1) % size, (rank + size - 1) % size)
}

/// Leaves all of chunk `r` on rank `r`; the other chunks hold what was on its way.
pub(crate) async fn reduce_scatter<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    chunks: Chunks,
    reduction: Reduction,
) -> Result<()> {
    let (rank, size) = (mesh.rank(), mesh.size());
    let (to, from) = neighbours(mesh);
    let mut scratch = Scratch::for_message(chunks.largest());
    for round in 1..size {
        let (send, write) = (rank + size - round, rank + 2 * size - round - 1);
        let (send, write) = apart(bytes, chunks.bytes(send), chunks.bytes(write));
        let mut sink = Combine::new(write, &mut scratch, reduction, Order::IncomingFirst);
        let outgoing = Outgoing { to, bytes: send };
        let incoming = Incoming { from, sink: &mut sink };
        mesh.exchange(tag, Some(outgoing), Some(incoming)).await?;
    }
    reduction.finish(&mut bytes[chunks.bytes(rank)], size);
    Ok(())
}

/// Sends chunk `r` of rank `r` to all others.
pub(crate) async fn all_gather<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    chunks: Chunks,
) -> Result<()> {
    let (rank, size) = (mesh.rank(), mesh.size());
    let (to, from) = neighbours(mesh);
    for round in 0..size.saturating_sub(1) {
        let (send, write) = (rank + size - round, rank + 2 * size - round - 1);
        let (send, write) = apart(bytes, chunks.bytes(send), chunks.bytes(write));
        let mut sink = Store::new(write);
        let outgoing = Outgoing { to, bytes: send };
        let incoming = Incoming { from, sink: &mut sink };
        mesh.exchange(tag, Some(outgoing), Some(incoming)).await?;
    }
    Ok(())
}

pub(crate) async fn all_reduce<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    reduction: Reduction,
) -> Result<()> {
    let chunks = Chunks::new(bytes.len(), reduction.element_size(), mesh.size());
    reduce_scatter(mesh, tag, bytes, chunks, reduction).await?;
    all_gather(mesh, tag, bytes, chunks).await
}
