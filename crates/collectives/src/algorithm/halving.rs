//! Recursive halving and doubling: pairs split what they are responsible for, then give it back finished.
//!
//! In the first half each rank sends the half of its range that its peer keeps and combines the other;
//! peers are `n/2`, `n/4`, ... apart, so that rank `r` ends with chunk `r`. The second half goes the same
//! way back.

use std::ops::Range;

use downpour_tensor::Result;

use super::fold::{fold, power_below, unfold};
use crate::chunks::{Chunks, apart};
use crate::mesh::{Incoming, Mesh, Outgoing};
use crate::reduction::{Order, Reduction};
use crate::sink::{Combine, Scratch, Store};

/// The chunks two ranks that differ in `bit` share: first the lower rank's, then the higher rank's.
fn halves(rank: usize, bit: usize) -> (Range<usize>, Range<usize>) {
    let begin = rank & !(2 * bit - 1);
    (begin..begin + bit, begin + bit..begin + 2 * bit)
}

/// What `rank` keeps and what it hands to its peer.
fn own_and_other(rank: usize, bit: usize) -> (Range<usize>, Range<usize>) {
    let (low, high) = halves(rank, bit);
    if rank & bit == 0 { (low, high) } else { (high, low) }
}

pub(crate) async fn all_reduce<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    reduction: Reduction,
) -> Result<()> {
    let (rank, size, power) = (mesh.rank(), mesh.size(), power_below(mesh.size()));
    if fold(mesh, tag, bytes, reduction).await? {
        let chunks = Chunks::new(bytes.len(), reduction.element_size(), power);
        let mut scratch = Scratch::for_message(bytes.len());
        let mut bit = power / 2;
        while bit > 0 {
            let (own, other) = own_and_other(rank, bit);
            let (send, write) = apart(bytes, chunks.span(other), chunks.span(own));
            let mut sink = Combine::new(write, &mut scratch, reduction, Order::DestinationFirst);
            let outgoing = Outgoing { to: rank ^ bit, bytes: send };
            let incoming = Incoming { from: rank ^ bit, sink: &mut sink };
            mesh.exchange(tag, Some(outgoing), Some(incoming)).await?;
            bit /= 2;
        }
        reduction.finish(&mut bytes[chunks.bytes(rank)], size);
        bit = 1;
        while bit < power {
            let (own, other) = own_and_other(rank, bit);
            let (send, write) = apart(bytes, chunks.span(own), chunks.span(other));
            let mut sink = Store::new(write);
            let outgoing = Outgoing { to: rank ^ bit, bytes: send };
            let incoming = Incoming { from: rank ^ bit, sink: &mut sink };
            mesh.exchange(tag, Some(outgoing), Some(incoming)).await?;
            bit *= 2;
        }
    }
    unfold(mesh, tag, bytes).await
}

#[cfg(test)]
mod tests {
    use super::own_and_other;

    #[test]
    fn a_rank_ends_with_its_own_chunk() {
        assert_eq!(own_and_other(5, 4), (4..8, 0..4));
        assert_eq!(own_and_other(5, 2), (4..6, 6..8));
        assert_eq!(own_and_other(5, 1), (5..6, 4..5));
    }
}
