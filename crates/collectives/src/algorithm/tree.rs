//! A binomial tree: everything comes together at one rank, whose result goes back the same way.

use downpour_tensor::Result;

use crate::mesh::{Incoming, Mesh};
use crate::reduction::{Order, Reduction};
use crate::sink::{Combine, Scratch};

/// The combination of all ranks arrives at rank 0; the others' buffers hold what they sent.
pub(crate) async fn reduce<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    reduction: Reduction,
) -> Result<()> {
    let (rank, size) = (mesh.rank(), mesh.size());
    let mut scratch = Scratch::for_message(bytes.len());
    let mut bit = 1;
    while bit < size {
        if rank & bit != 0 {
            return mesh.send(tag, rank - bit, bytes).await;
        }
        if rank + bit < size {
            let mut sink = Combine::new(bytes, &mut scratch, reduction, Order::DestinationFirst);
            let incoming = Incoming { from: rank + bit, sink: &mut sink };
            mesh.exchange(tag, None, Some(incoming)).await?;
        }
        bit *= 2;
    }
    reduction.finish(bytes, size);
    Ok(())
}

/// Everybody gets what `root` has.
pub(crate) async fn broadcast<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    root: usize,
) -> Result<()> {
    let size = mesh.size();
    // Counted from the root, whose lowest set bit is above all.
    let place = (mesh.rank() + size - root) % size;
    let real = |place: usize| (place + root) % size;
    let top = size.next_power_of_two();
    let lowest = if place == 0 { top } else { place & place.wrapping_neg() };
    if place != 0 {
        mesh.receive(tag, real(place - lowest), bytes).await?;
    }
    let mut bit = lowest / 2;
    while bit > 0 {
        if place + bit < size {
            mesh.send(tag, real(place + bit), bytes).await?;
        }
        bit /= 2;
    }
    Ok(())
}

pub(crate) async fn all_reduce<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    reduction: Reduction,
) -> Result<()> {
    reduce(mesh, tag, bytes, reduction).await?;
    broadcast(mesh, tag, bytes, 0).await
}
