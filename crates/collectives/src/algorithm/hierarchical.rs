//! Hierarchical: within each machine, then between machines, then within each machine again.
//!
//! If all machines have as many ranks, each rank reduces one chunk of its machine and meets its counterparts
//! of the other machines: all of a machine's ranks use the network at once, each for its share. If not, the
//! first rank of each machine does it for the others.

use downpour_tensor::Result;

use super::{ring, run_flat, tree};
use crate::chunks::Chunks;
use crate::mesh::Mesh;
use crate::reduction::{ReduceOp, Reduction};
use crate::sub_mesh::SubMesh;

/// The ranks of each machine, machines in the order of their first rank.
pub(crate) fn machines<M: Mesh>(mesh: &M) -> Vec<Vec<usize>> {
    let mut numbers = Vec::new();
    let mut machines: Vec<Vec<usize>> = Vec::new();
    for rank in 0..mesh.size() {
        let number = mesh.machine(rank);
        match numbers.iter().position(|&n| n == number) {
            Some(place) => machines[place].push(rank),
            None => {
                numbers.push(number);
                machines.push(vec![rank]);
            }
        }
    }
    machines
}

pub(crate) async fn all_reduce<M: Mesh>(
    mesh: &mut M,
    tag: u64,
    bytes: &mut [u8],
    reduction: Reduction,
) -> Result<()> {
    let (rank, size) = (mesh.rank(), mesh.size());
    let machines = machines(mesh);
    let Some(own) = machines.iter().find(|machine| machine.contains(&rank)) else { return Ok(()) };
    let Some(place) = own.iter().position(|&r| r == rank) else { return Ok(()) };
    // A mean is a sum until everything is in it.
    let sum = match reduction.op() {
        ReduceOp::Mean => Reduction::new(ReduceOp::Sum, reduction.dtype())?,
        _ => reduction,
    };
    let costs = mesh.costs();
    if machines.iter().all(|machine| machine.len() == own.len()) {
        let chunks = Chunks::new(bytes.len(), reduction.element_size(), own.len());
        ring::reduce_scatter(&mut SubMesh::new(mesh, own), tag, bytes, chunks, sum).await?;
        let counterparts: Vec<usize> = machines.iter().map(|machine| machine[place]).collect();
        let part = &mut bytes[chunks.bytes(place)];
        let algorithm = costs.choose_flat(part.len(), counterparts.len());
        run_flat(&mut SubMesh::new(mesh, &counterparts), algorithm, tag, part, sum).await?;
        reduction.finish(part, size);
        return ring::all_gather(&mut SubMesh::new(mesh, own), tag, bytes, chunks).await;
    }
    tree::reduce(&mut SubMesh::new(mesh, own), tag, bytes, sum).await?;
    if place == 0 {
        let first: Vec<usize> = machines.iter().map(|machine| machine[0]).collect();
        let algorithm = costs.choose_flat(bytes.len(), first.len());
        run_flat(&mut SubMesh::new(mesh, &first), algorithm, tag, bytes, sum).await?;
        reduction.finish(bytes, size);
    }
    tree::broadcast(&mut SubMesh::new(mesh, own), tag, bytes, 0).await
}
