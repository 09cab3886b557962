//! Numbers of ranks that are no power of two: the ranks beyond hand what they have to one of the others.

use downpour_tensor::Result;

use crate::mesh::{Incoming, Mesh};
use crate::reduction::{Order, Reduction};
use crate::sink::{Combine, Scratch};

/// The largest power of two that is not above `size`.
pub(crate) fn power_below(size: usize) -> usize {
    1 << size.max(1).ilog2()
}

/// Afterwards the first `power_below(size)` ranks have what all had; false on the others, which wait for
/// `unfold`.
pub(crate) async fn fold<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    reduction: Reduction,
) -> Result<bool> {
    let (rank, size, power) = (mesh.rank(), mesh.size(), power_below(mesh.size()));
    if rank >= power {
        mesh.send(tag, rank - power, bytes).await?;
        return Ok(false);
    }
    if rank + power < size {
        let mut scratch = Scratch::for_message(bytes.len());
        let mut sink = Combine::new(bytes, &mut scratch, reduction, Order::DestinationFirst);
        let incoming = Incoming { from: rank + power, sink: &mut sink };
        mesh.exchange(tag, None, Some(incoming)).await?;
    }
    Ok(true)
}

/// The ranks beyond the power of two get the result.
pub(crate) async fn unfold<M: Mesh>(mesh: &mut M, tag: u64, bytes: &mut [u8]) -> Result<()> {
    let (rank, size, power) = (mesh.rank(), mesh.size(), power_below(mesh.size()));
    if rank >= power {
        return mesh.receive(tag, rank - power, bytes).await;
    }
    if rank + power < size {
        return mesh.send(tag, rank + power, bytes).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::power_below;

    #[test]
    fn powers() {
        assert_eq!([1, 2, 3, 4, 7, 8, 9].map(power_below), [1, 2, 2, 4, 4, 8, 8]);
    }
}
