//! Direct: everybody sends to everybody, then combines all in the order of ranks.
//!
//! A small message leaves without the receiver's help (`EAGER`), so everything is sent before anything is
//! awaited: one round. Larger ones are exchanged pair by pair, so that full buffers cannot stop everybody.

use downpour_tensor::Result;

use crate::mesh::{EAGER, Incoming, Mesh, Outgoing};
use crate::reduction::Reduction;
use crate::sink::{Scratch, Store};

/// Everybody's `own` bytes arrive in `slots`, which are as long each and begin `stride` apart; the own slot is
/// left alone.
pub(crate) async fn spread<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    own: &[u8],
    slots: &mut [u8],
    stride: usize,
) -> Result<()> {
    let (rank, size, length) = (mesh.rank(), mesh.size(), own.len());
    let eager = length <= EAGER;
    if eager {
        for distance in 1..size {
            mesh.send(tag, (rank + distance) % size, own).await?;
        }
    }
    for distance in 1..size {
        let (to, from) = ((rank + distance) % size, (rank + size - distance) % size);
        let outgoing = (!eager).then_some(Outgoing { to, bytes: own });
        let mut sink = Store::new(&mut slots[from * stride..from * stride + length]);
        mesh.exchange(tag, outgoing, Some(Incoming { from, sink: &mut sink })).await?;
    }
    Ok(())
}

pub(crate) async fn all_reduce<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    reduction: Reduction,
) -> Result<()> {
    let (rank, size, length) = (mesh.rank(), mesh.size(), bytes.len());
    // Slots begin where every type of number may.
    let stride = length.next_multiple_of(8);
    let mut scratch = Scratch::whole(stride.saturating_mul(size));
    let slots = scratch.bytes();
    spread(mesh, tag, bytes, slots, stride).await?;
    slots[rank * stride..rank * stride + length].copy_from_slice(bytes);
    let runs: Vec<&[u8]> = (0..size).map(|r| &slots[r * stride..r * stride + length]).collect();
    reduction.combine_many(bytes, &runs);
    reduction.finish(bytes, size);
    Ok(())
}
