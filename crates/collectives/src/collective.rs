//! The operations themselves, on the bytes of a buffer and on slices of numbers.
//!
//! Each must be called by every rank of the mesh, in the same order, with buffers of the same size. Results
//! are the same bits on every rank (a NaN's payload aside).

use downpour_tensor::{Result, Status};

use crate::algorithm::{self, Algorithm, direct, hierarchical, ring, run_flat, tree};
use crate::chunks::Chunks;
use crate::mesh::{EAGER, Incoming, Mesh, Outgoing, check_rank};
use crate::reduction::{Number, ReduceOp, Reduction};
use crate::sink::Store;

/// What an operation is, for the tags of its messages.
#[derive(Clone, Copy)]
enum Kind {
    AllReduce = 1,
    ReduceScatter,
    AllGather,
    Broadcast,
    AllToAll,
    Barrier,
}

/// The tag of an operation's messages: its number, what it is, and what more must be equal.
fn tag<M: Mesh>(mesh: &mut M, kind: Kind, more: u32) -> u64 {
    u64::from(mesh.next_operation()) << 32 | (kind as u64) << 24 | u64::from(more & 0xff_ffff)
}

/// The algorithm an all-reduce of so many bytes takes over this mesh.
pub fn choose<M: Mesh>(mesh: &M, bytes: usize) -> Algorithm {
    let machines = hierarchical::machines(mesh);
    let crosses = machines.len() > 1 && machines.iter().any(|machine| machine.len() > 1);
    if crosses && bytes > EAGER {
        return Algorithm::Hierarchical;
    }
    mesh.costs().choose_flat(bytes, mesh.size())
}

/// Every rank's buffer becomes the reduction of all.
pub async fn all_reduce<M: Mesh, T: Number>(
    mesh: &mut M,
    values: &mut [T],
    op: ReduceOp,
) -> Result<()> {
    let reduction = Reduction::new(op, T::DTYPE)?;
    let algorithm = choose(mesh, size_of_val(values));
    all_reduce_bytes(mesh, bytemuck::cast_slice_mut(values), reduction, algorithm).await
}

/// The same on bytes, by a given way.
pub async fn all_reduce_bytes<M: Mesh>(
    mesh: &mut M,
    bytes: &mut [u8],
    reduction: Reduction,
    algorithm: Algorithm,
) -> Result<()> {
    reduction.check(bytes)?;
    let tag = tag(mesh, Kind::AllReduce, (algorithm as u32) << 16 | reduction.tag());
    if mesh.size() == 1 {
        return Ok(());
    }
    match algorithm {
        Algorithm::Hierarchical => {
            algorithm::hierarchical::all_reduce(mesh, tag, bytes, reduction).await
        }
        flat => run_flat(mesh, flat, tag, bytes, reduction).await,
    }
}

/// Rank `r` keeps part `r` of the reduction of all; `parts` holds as many equal parts as there are ranks and
/// is written over.
pub async fn reduce_scatter<M: Mesh>(
    mesh: &mut M,
    parts: &mut [u8],
    own: &mut [u8],
    reduction: Reduction,
) -> Result<()> {
    reduction.check(parts)?;
    reduction.check(own)?;
    expect_parts(mesh, "reduce-scatter", parts.len(), own.len())?;
    let tag = tag(mesh, Kind::ReduceScatter, reduction.tag());
    let chunks = Chunks::new(parts.len(), reduction.element_size(), mesh.size());
    ring::reduce_scatter(mesh, tag, parts, chunks, reduction).await?;
    own.copy_from_slice(&parts[chunks.bytes(mesh.rank())]);
    Ok(())
}

/// Every rank gets the bytes of all, in the order of ranks.
pub async fn all_gather<M: Mesh>(mesh: &mut M, own: &[u8], all: &mut [u8]) -> Result<()> {
    expect_parts(mesh, "all-gather", all.len(), own.len())?;
    let tag = tag(mesh, Kind::AllGather, 0);
    let rank = mesh.rank();
    all[rank * own.len()..(rank + 1) * own.len()].copy_from_slice(own);
    if own.len() <= EAGER {
        return direct::spread(mesh, tag, own, all, own.len()).await;
    }
    let chunks = Chunks::new(all.len(), 1, mesh.size());
    ring::all_gather(mesh, tag, all, chunks).await
}

/// Bytes above which a broadcast is scattered first, so that no rank sends everything several times.
const SCATTER: usize = 256 << 10;

/// Every rank gets what `root` has.
pub async fn broadcast<M: Mesh>(mesh: &mut M, bytes: &mut [u8], root: usize) -> Result<()> {
    check_rank(mesh, "broadcast", root)?;
    let tag = tag(mesh, Kind::Broadcast, root as u32);
    if bytes.len() < SCATTER || mesh.size() <= 2 {
        return tree::broadcast(mesh, tag, bytes, root).await;
    }
    let chunks = Chunks::new(bytes.len(), 1, mesh.size());
    if mesh.rank() == root {
        for rank in (0..mesh.size()).filter(|&rank| rank != root) {
            mesh.send(tag, rank, &bytes[chunks.bytes(rank)]).await?;
        }
    } else {
        let own = chunks.bytes(mesh.rank());
        mesh.receive(tag, root, &mut bytes[own]).await?;
    }
    ring::all_gather(mesh, tag, bytes, chunks).await
}

/// Part `r` of `send` goes to rank `r`, whose part arrives as part of that number in `received`.
pub async fn all_to_all<M: Mesh>(mesh: &mut M, send: &[u8], received: &mut [u8]) -> Result<()> {
    let (rank, size) = (mesh.rank(), mesh.size());
    let each = send.len() / size;
    expect_parts(mesh, "all-to-all", send.len(), each)?;
    expect_parts(mesh, "all-to-all", received.len(), each)?;
    let tag = tag(mesh, Kind::AllToAll, 0);
    let part = |rank: usize| rank * each..(rank + 1) * each;
    received[part(rank)].copy_from_slice(&send[part(rank)]);
    for distance in 1..size {
        let (to, from) = ((rank + distance) % size, (rank + size - distance) % size);
        let mut sink = Store::new(&mut received[part(from)]);
        let outgoing = Outgoing { to, bytes: &send[part(to)] };
        mesh.exchange(tag, Some(outgoing), Some(Incoming { from, sink: &mut sink })).await?;
    }
    Ok(())
}

/// Returns when every rank has called it.
pub async fn barrier<M: Mesh>(mesh: &mut M) -> Result<()> {
    let tag = tag(mesh, Kind::Barrier, 0);
    let (rank, size) = (mesh.rank(), mesh.size());
    // Dissemination: after round k everybody knows of the 2^k before it.
    let mut distance = 1;
    while distance < size {
        let mut nothing = Store::new(&mut []);
        let outgoing = Outgoing { to: (rank + distance) % size, bytes: &[] };
        let from = (rank + size - distance) % size;
        mesh.exchange(tag, Some(outgoing), Some(Incoming { from, sink: &mut nothing })).await?;
        distance *= 2;
    }
    Ok(())
}

/// Fails unless `all` bytes are one part of `each` bytes per rank.
fn expect_parts<M: Mesh>(mesh: &M, what: &str, all: usize, each: usize) -> Result<()> {
    if each.checked_mul(mesh.size()) == Some(all) {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "{what} between {} ranks: {all} bytes are not one part of {each} bytes per rank",
        mesh.size()
    )))
}
