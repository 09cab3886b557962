//! What an operation of a group does.

use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::collective::barrier;
use crate::mesh::Mesh;
use crate::reduction::{ReduceOp, Reduction};
use crate::tensors::{
    all_gather_tensor, all_reduce_tensor, all_to_all_tensor, broadcast_tensor, not_plain,
    part_dims, reduce_scatter_tensor,
};

pub(super) enum Work {
    AllReduce(Tensor, ReduceOp),
    AllGather(Tensor),
    Broadcast(Tensor, usize),
    ReduceScatter(Tensor, ReduceOp),
    AllToAll(Tensor),
    Barrier,
}

impl Work {
    /// What must be equal on every rank, for people too; fails for what cannot be done at all.
    pub fn signature(&self, ranks: usize) -> Result<String> {
        let of = |tensor: &Tensor| match tensor.bytes() {
            Some(_) => Ok(format!("{} {}", tensor.dtype(), tensor.shape())),
            None => Err(not_plain(tensor)),
        };
        Ok(match self {
            Work::AllReduce(tensor, op) => {
                Reduction::new(*op, tensor.dtype())?;
                format!("all-reduce ({}) of {}", op.name(), of(tensor)?)
            }
            Work::AllGather(tensor) => format!("all-gather of {}", of(tensor)?),
            Work::Broadcast(tensor, root) if *root < ranks => {
                format!("broadcast from rank {root} of {}", of(tensor)?)
            }
            Work::Broadcast(_, root) => {
                return Err(Status::invalid_argument(format!(
                    "there is no rank {root} in a group of {ranks} to broadcast from"
                )));
            }
            Work::ReduceScatter(tensor, op) => {
                Reduction::new(*op, tensor.dtype())?;
                part_dims(tensor, ranks)?;
                format!("reduce-scatter ({}) of {}", op.name(), of(tensor)?)
            }
            Work::AllToAll(tensor) => {
                part_dims(tensor, ranks)?;
                format!("all-to-all of {}", of(tensor)?)
            }
            Work::Barrier => "barrier".to_string(),
        })
    }

    pub async fn run<M: Mesh>(self, mesh: &mut M) -> Result<Tensor> {
        match self {
            Work::AllReduce(tensor, op) => all_reduce_tensor(mesh, tensor, op).await,
            Work::AllGather(tensor) => all_gather_tensor(mesh, &tensor).await,
            Work::Broadcast(tensor, root) => broadcast_tensor(mesh, tensor, root).await,
            Work::ReduceScatter(tensor, op) => reduce_scatter_tensor(mesh, tensor, op).await,
            Work::AllToAll(tensor) => all_to_all_tensor(mesh, &tensor).await,
            Work::Barrier => {
                barrier(mesh).await?;
                Tensor::zeros(DataType::Float, [0])
            }
        }
    }
}
