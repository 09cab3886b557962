//! The operations on whole tensors.

use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::bucket::writable;
use crate::collective::{
    all_gather, all_reduce_bytes, all_to_all, broadcast, choose, reduce_scatter,
};
use crate::mesh::Mesh;
use crate::reduction::{ReduceOp, Reduction};

/// The reduction of every rank's tensor; written into it if nobody else holds it.
pub async fn all_reduce_tensor<M: Mesh>(
    mesh: &mut M,
    mut tensor: Tensor,
    op: ReduceOp,
) -> Result<Tensor> {
    let reduction = Reduction::new(op, tensor.dtype())?;
    let algorithm = choose(mesh, tensor.byte_len());
    all_reduce_bytes(mesh, writable(&mut tensor)?, reduction, algorithm).await?;
    Ok(tensor)
}

/// All ranks' tensors one after the other along their first axis; scalars make a vector.
pub async fn all_gather_tensor<M: Mesh>(mesh: &mut M, tensor: &Tensor) -> Result<Tensor> {
    let mut dims = tensor.dims().to_vec();
    match dims.first_mut() {
        Some(rows) => *rows = rows.checked_mul(mesh.size()).ok_or_else(|| too_large(tensor))?,
        None => dims.push(mesh.size()),
    }
    let mut all = Tensor::new(tensor.dtype(), Shape::from(&dims[..]))?;
    let own = tensor.bytes().ok_or_else(|| not_plain(tensor))?;
    all_gather(mesh, own, writable(&mut all)?).await?;
    Ok(all)
}

/// The tensor of rank `root`; that of the others only tells type and shape.
pub async fn broadcast_tensor<M: Mesh>(
    mesh: &mut M,
    mut tensor: Tensor,
    root: usize,
) -> Result<Tensor> {
    if mesh.size() > 1 {
        broadcast(mesh, writable(&mut tensor)?, root).await?;
    }
    Ok(tensor)
}

/// The own part, along the first axis, of the reduction of every rank's tensor.
pub async fn reduce_scatter_tensor<M: Mesh>(
    mesh: &mut M,
    mut tensor: Tensor,
    op: ReduceOp,
) -> Result<Tensor> {
    let reduction = Reduction::new(op, tensor.dtype())?;
    let mut part = Tensor::new(tensor.dtype(), Shape::from(&part_dims(&tensor, mesh.size())?[..]))?;
    reduce_scatter(mesh, writable(&mut tensor)?, writable(&mut part)?, reduction).await?;
    Ok(part)
}

/// Part `r`, along the first axis, of every rank's tensor for rank `r`.
pub async fn all_to_all_tensor<M: Mesh>(mesh: &mut M, tensor: &Tensor) -> Result<Tensor> {
    part_dims(tensor, mesh.size())?;
    let mut received = Tensor::new(tensor.dtype(), tensor.shape().clone())?;
    let send = tensor.bytes().ok_or_else(|| not_plain(tensor))?;
    all_to_all(mesh, send, writable(&mut received)?).await?;
    Ok(received)
}

/// The dimensions of one rank's part of a tensor.
pub(crate) fn part_dims(tensor: &Tensor, ranks: usize) -> Result<Vec<usize>> {
    let mut dims = tensor.dims().to_vec();
    match dims.first_mut() {
        Some(rows) if rows.is_multiple_of(ranks) => *rows /= ranks,
        _ => {
            return Err(Status::invalid_argument(format!(
                "a tensor of shape {} cannot be cut into {ranks} equal parts along its first axis",
                tensor.shape()
            )));
        }
    }
    Ok(dims)
}

fn too_large(tensor: &Tensor) -> Status {
    Status::resource_exhausted(format!(
        "tensors of shape {} of all ranks are too large together",
        tensor.shape()
    ))
}

/// Strings, handles and variants cannot travel as bytes.
pub(crate) fn not_plain(tensor: &Tensor) -> Status {
    Status::invalid_argument(format!("a {} tensor cannot take part", tensor.dtype()))
}
