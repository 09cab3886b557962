//! What the members of a group do once all of them are there, in memory.

use downpour_collectives::{ReduceOp, Reduction};
use downpour_runtime::Parallel;
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

/// How elements become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Merge {
    pub op: ReduceOp,
    /// The result is divided by the number of members.
    pub divide: bool,
}

/// What one member brings, and what it wants.
pub(crate) enum Work {
    Reduce(Tensor, Merge),
    ReduceScatter(Tensor, Merge),
    Gather(Tensor),
    /// Of a broadcast: who has the value, and who wants it.
    Send(Tensor),
    Receive(DataType, Shape),
    AllToAll(Tensor),
}

/// Bytes that one thread reduces at least.
const GRAIN: usize = 64 << 10;

impl Work {
    /// What must be equal for all members, for people too; an error for what cannot be done at all.
    pub fn signature(&self, members: usize) -> Result<String> {
        let of = |tensor: &Tensor| format!("{} {}", tensor.dtype(), tensor.shape());
        let merged = |what: &str, tensor: &Tensor, merge: &Merge| {
            let mean = if merge.divide { ", divided" } else { "" };
            format!("{what} ({}{mean}) of {}", merge.op.name(), of(tensor))
        };
        Ok(match self {
            Work::Reduce(tensor, merge) => merged("a reduction", tensor, merge),
            Work::ReduceScatter(tensor, merge) => {
                part_dims(tensor, members)?;
                merged("a reduce-scatter", tensor, merge)
            }
            Work::Gather(tensor) => {
                rows(tensor, "a gather")?;
                format!("a gather of {}", of(tensor))
            }
            Work::Send(tensor) => format!("a broadcast of {}", of(tensor)),
            Work::Receive(dtype, shape) => format!("a broadcast of {dtype} {shape}"),
            Work::AllToAll(tensor) => {
                let rows = rows(tensor, "an all-to-all")?;
                if rows != members {
                    return Err(Status::invalid_argument(format!(
                        "input to all-to-all first dimension size ({rows}) must be the same as the group size \
                         ({members})"
                    )));
                }
                format!("an all-to-all of {}", of(tensor))
            }
        })
    }

    fn tensor(&self) -> Result<&Tensor> {
        match self {
            Work::Reduce(tensor, _)
            | Work::ReduceScatter(tensor, _)
            | Work::Gather(tensor)
            | Work::Send(tensor)
            | Work::AllToAll(tensor) => Ok(tensor),
            Work::Receive(..) => Err(Status::internal("a member that brings nothing")),
        }
    }
}

/// The results of members whose signatures are equal, in their order.
pub(crate) fn run(works: &[Work], parallel: &Parallel) -> Result<Vec<Tensor>> {
    let first = works.first().ok_or_else(|| Status::internal("a group of nobody"))?;
    let count = works.len();
    match first {
        Work::Reduce(_, merge) => {
            let sum = reduce(&tensors(works)?, *merge, parallel)?;
            Ok(vec![sum; count])
        }
        Work::ReduceScatter(tensor, merge) => {
            let dims = part_dims(tensor, count)?;
            let sum = reduce(&tensors(works)?, *merge, parallel)?;
            let part = |member: usize| sum.rows(member * dims[0], (member + 1) * dims[0]);
            (0..count).map(part).collect()
        }
        Work::Gather(tensor) => {
            let mut dims = tensor.dims().to_vec();
            dims[0] = dims[0].checked_mul(count).ok_or_else(too_large)?;
            let all = joined(&dims, &tensors(works)?, |bytes, _| Ok(bytes))?;
            Ok(vec![all; count])
        }
        Work::Send(_) | Work::Receive(..) => {
            let mut sources = works.iter().filter(|work| matches!(work, Work::Send(_)));
            match (sources.next(), sources.count()) {
                (Some(source), 0) => Ok(vec![source.tensor()?.clone(); count]),
                (None, _) => Err(Status::invalid_argument(format!(
                    "found no source for broadcast: there are {count} receivers and no sender"
                ))),
                (_, more) => Err(Status::invalid_argument(format!(
                    "a broadcast has one source, not {}",
                    more + 1
                ))),
            }
        }
        Work::AllToAll(tensor) => {
            let sent = tensors(works)?;
            let dims = tensor.dims().to_vec();
            let part = |bytes: &[u8], member: usize| {
                let each = bytes.len() / count;
                member * each..(member + 1) * each
            };
            let to =
                |member: usize| joined(&dims, &sent, |bytes, _| Ok(&bytes[part(bytes, member)]));
            (0..count).map(to).collect()
        }
    }
}

fn tensors(works: &[Work]) -> Result<Vec<&Tensor>> {
    works.iter().map(Work::tensor).collect()
}

fn reduce(tensors: &[&Tensor], merge: Merge, parallel: &Parallel) -> Result<Tensor> {
    let dtype = tensors[0].dtype();
    let reduction = Reduction::new(merge.op, dtype)?;
    let mut result = Tensor::new(dtype, tensors[0].shape().clone())?;
    let runs =
        tensors.iter().map(|t| t.bytes().ok_or_else(not_plain)).collect::<Result<Vec<_>>>()?;
    let bytes = result.bytes_mut().ok_or_else(not_plain)?;
    let size = dtype.size();
    let failed = parking_lot::Mutex::new(None);
    parallel.for_chunks(bytes, size, GRAIN / size, |first, run| {
        let place = first * size..first * size + run.len();
        let parts: Vec<&[u8]> = runs.iter().map(|run| &run[place.clone()]).collect();
        let reduced = reduction.reduce(run, &parts).and_then(|()| match merge.divide {
            true => reduction.divide(run, parts.len()),
            false => Ok(()),
        });
        if let Err(status) = reduced {
            *failed.lock() = Some(status);
        }
    });
    match failed.into_inner() {
        Some(status) => Err(status),
        None => Ok(result),
    }
}

/// A tensor of these dimensions, from parts of all members' bytes one after the other.
fn joined(
    dims: &[usize],
    tensors: &[&Tensor],
    part: impl for<'t> Fn(&'t [u8], usize) -> Result<&'t [u8]>,
) -> Result<Tensor> {
    let mut all = Tensor::new(tensors[0].dtype(), Shape::from(dims))?;
    let mut rest = all.bytes_mut().ok_or_else(not_plain)?;
    for (member, tensor) in tensors.iter().enumerate() {
        let bytes = part(tensor.bytes().ok_or_else(not_plain)?, member)?;
        let (place, later) = rest.split_at_mut_checked(bytes.len()).ok_or_else(too_large)?;
        place.copy_from_slice(bytes);
        rest = later;
    }
    Ok(all)
}

fn rows(tensor: &Tensor, what: &str) -> Result<usize> {
    tensor.dims().first().copied().ok_or_else(|| {
        Status::invalid_argument(format!("{what} needs an input of at least rank 1, not a scalar"))
    })
}

/// The dimensions of one member's part of a tensor.
fn part_dims(tensor: &Tensor, members: usize) -> Result<Vec<usize>> {
    let mut dims = tensor.dims().to_vec();
    match dims.first_mut() {
        Some(rows) if rows.is_multiple_of(members) => *rows /= members,
        _ => {
            return Err(Status::invalid_argument(format!(
                "a tensor of shape {} cannot be cut into {members} equal parts along its first axis",
                tensor.shape()
            )));
        }
    }
    Ok(dims)
}

fn not_plain() -> Status {
    Status::invalid_argument("only tensors of numbers can take part")
}

fn too_large() -> Status {
    Status::resource_exhausted("the tensors of all members are too large together")
}
