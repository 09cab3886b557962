//! Recursive doubling: in round `k` ranks that differ in bit `k` exchange everything they have so far.
//!
//! Both of a pair combine the same two operands, in the order of their ranks: the same bits on both.

use downpour_tensor::Result;

use super::fold::{fold, power_below, unfold};
use crate::mesh::{Incoming, Mesh, Outgoing};
use crate::reduction::{Order, Reduction};
use crate::sink::{Combine, Scratch};

pub(crate) async fn all_reduce<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    reduction: Reduction,
) -> Result<()> {
    let (rank, size) = (mesh.rank(), mesh.size());
    if fold(mesh, tag, bytes, reduction).await? {
        let mut scratch = Scratch::for_message(bytes.len());
        // What is being sent must not change while the other's is combined.
        let mut own = bytes.to_vec();
        let mut bit = 1;
        while bit < power_below(size) {
            let peer = rank ^ bit;
            let order = if peer < rank { Order::IncomingFirst } else { Order::DestinationFirst };
            own.copy_from_slice(bytes);
            let mut sink = Combine::new(bytes, &mut scratch, reduction, order);
            let incoming = Incoming { from: peer, sink: &mut sink };
            let outgoing = Outgoing { to: peer, bytes: &own };
            mesh.exchange(tag, Some(outgoing), Some(incoming)).await?;
            bit *= 2;
        }
        reduction.finish(bytes, size);
    }
    unfold(mesh, tag, bytes).await
}
