//! Gather and GatherV2: slices of a tensor along one axis, picked by index.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::indices::{Indices, place};
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Gather(params: Tparams, indices: Tindices) -> (output: Tparams)
                validate_indices: bool = true
                Tparams: type
                Tindices: {int32, int64}",
        )?
        .shape(gather_shape)
        .gradient(gather_gradient),
        |_| Ok(KernelBox::new(Gather { batch_dims: 0 })),
    )?;
    registry.add(
        OpSpec::new(
            "GatherV2(params: Tparams, indices: Tindices, axis: Taxis) -> (output: Tparams)
                batch_dims: int = 0
                Tparams: type
                Tindices: {int16, int32, int64}
                Taxis: {int32, int64}",
        )?
        .shape(gather_v2_shape)
        .gradient(gather_v2_gradient),
        |build| Ok(KernelBox::new(Gather { batch_dims: build.int("batch_dims")? })),
    )
}

struct Gather {
    batch_dims: i64,
}

/// Sizes of the five loops: out[b, o, n, i] = params[b, o, indices[b, n], i].
struct Plan {
    output: Shape,
    outer: usize,
    axis_size: usize,
    picks: usize,
    inner: usize,
}

impl Kernel for Gather {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let axis = match cx.inputs_len() {
            3 => {
                let axis = cx.input(2);
                if axis.rank() != 0 {
                    return Err(Status::invalid_argument("axis must be scalar"));
                }
                axis.to_i64_scalar()?
            }
            _ => 0,
        };
        let (params, indices) = (cx.input(0), cx.input(1));
        let plan = plan(params.dims(), indices.dims(), axis, self.batch_dims)?;
        let output = dispatch_units!(params.dtype(), T => gather::<T>(params, indices, &plan, cx))?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn plan(params: &[usize], indices: &[usize], axis: i64, batch_dims: i64) -> Result<Plan> {
    if params.is_empty() {
        return Err(Status::invalid_argument("params must be at least 1 dimensional"));
    }
    let rank = params.len() as i64;
    let needed = if axis < 0 { axis.saturating_neg() } else { axis.saturating_add(1) };
    if rank < needed {
        return Err(Status::invalid_argument(format!(
            "Shape must be at least rank {needed} but is rank {rank}"
        )));
    }
    let axis = if axis < 0 { axis + rank } else { axis };
    let index_rank = indices.len() as i64;
    if !(-index_rank..=index_rank).contains(&batch_dims) {
        return Err(Status::invalid_argument(format!(
            "Expected batch_dims in the range [{}, {index_rank}], but got {batch_dims}",
            -index_rank
        )));
    }
    let batch_dims = if batch_dims < 0 { batch_dims + index_rank } else { batch_dims };
    if batch_dims >= rank {
        return Err(Status::invalid_argument(format!(
            "batch_dims ({batch_dims}) must be less than rank(params) ({rank})."
        )));
    }
    if axis < batch_dims {
        return Err(Status::invalid_argument(format!(
            "batch_dims ({batch_dims}) must be less than or equal to axis ({axis})."
        )));
    }
    let (axis, batch) = (axis as usize, batch_dims as usize);
    for i in 0..batch {
        if params[i] != indices[i] {
            return Err(Status::invalid_argument(format!(
                "params.shape[{i}]: {} should be equal to indices.shape[{i}]: {}",
                params[i], indices[i]
            )));
        }
    }
    let output: Shape = params[..axis]
        .iter()
        .chain(&indices[batch..])
        .chain(&params[axis + 1..])
        .copied()
        .collect();
    downpour_tensor::checked_elements(&output)?;
    Ok(Plan {
        output,
        outer: params[batch..axis].iter().product(),
        axis_size: params[axis],
        picks: indices[batch..].iter().product(),
        inner: params[axis + 1..].iter().product(),
    })
}

fn gather<T: Unit>(
    params: &Tensor,
    indices: &Tensor,
    plan: &Plan,
    cx: &OpContext<'_>,
) -> Result<Tensor> {
    let picked = Indices::of(indices)?;
    let Plan { outer, axis_size, picks, inner, .. } = *plan;
    T::build(params.dtype(), plan.output.clone(), |out| {
        if out.is_empty() {
            return Ok(());
        }
        if let Some(bad) = picked.first_outside(axis_size) {
            return Err(Status::invalid_argument(format!(
                "indices{} = {} is not in [0, {axis_size})",
                place(indices.dims(), bad),
                picked.get(bad)
            )));
        }
        let source = T::view(params)?;
        // About 16 KiB of output per task.
        let grain = (16 * 1024 / (inner * size_of::<T>())).max(16);
        cx.parallel().for_chunks(out, inner, grain, |first, chunk| {
            let mut block = first / picks;
            let mut pick = first % picks;
            for row in chunk.chunks_exact_mut(inner) {
                let index = picked.get(block / outer * picks + pick) as usize;
                let from = (block * axis_size + index) * inner;
                row.clone_from_slice(&source[from..from + inner]);
                pick += 1;
                if pick == picks {
                    pick = 0;
                    block += 1;
                }
            }
        });
        Ok(())
    })
}

fn gather_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let params = cx.with_rank_at_least(0, 1)?;
    let rest = match params.rank() {
        Some(rank) => params.subshape(1, rank),
        None => PartialShape::unknown(),
    };
    let out = cx.input(1).concat(&rest);
    cx.set_output(0, out);
    Ok(())
}

fn gather_v2_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let params = cx.with_rank_at_least(0, 1)?;
    cx.with_rank(2, 0)?;
    let batch = cx.node().int("batch_dims")?;
    let (Some(rank), Some(index_rank)) = (params.rank(), cx.input(1).rank()) else {
        return Ok(());
    };
    let magnitude = usize::try_from(batch.unsigned_abs()).unwrap_or(usize::MAX);
    cx.with_rank_at_least(1, magnitude)?;
    let batch = if batch < 0 { index_rank - magnitude } else { magnitude };
    cx.with_rank_at_least(0, batch.saturating_add(1))?;
    let Some([axis]) = cx.constant_ints(2).as_deref().map(|v| [v.first().copied().unwrap_or(0)])
    else {
        cx.set_output(0, PartialShape::of_rank(rank + index_rank - 1 - batch));
        return Ok(());
    };
    let needed = if axis < 0 { axis.saturating_neg() } else { axis.saturating_add(1) };
    cx.with_rank_at_least(0, usize::try_from(needed).unwrap_or(usize::MAX))?;
    let axis = if axis < 0 { (axis + rank as i64) as usize } else { axis as usize };
    let out = params
        .subshape(0, axis)
        .concat(&cx.input(1).subshape(batch, index_rank))
        .concat(&params.subshape(axis + 1, rank));
    cx.set_output(0, out);
    Ok(())
}

mod gradients;
use gradients::{gather_gradient, gather_v2_gradient};

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::ByteString;

    fn run(params: Tensor, indices: Tensor, axis: i32, batch_dims: i64) -> Result<Tensor> {
        OpTest::new(register, "GatherV2")
            .input(params)
            .input(indices)
            .input(Tensor::scalar(axis))
            .attr("batch_dims", batch_dims)
            .run_one()
    }

    fn numbers(dims: &[usize]) -> Tensor {
        let shape = Shape::new(dims);
        let n = shape.elements() as i32;
        Tensor::from_vec(shape, (0..n).collect()).unwrap()
    }

    #[test]
    fn along_axes_and_batches() {
        let i = Tensor::from_vec([2], vec![2i64, 0]).unwrap();
        let y = run(numbers(&[3, 2]), i.clone(), 0, 0).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[4, 5, 0, 1]);
        let y = run(numbers(&[2, 3]), i, -1, 0).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[2, 0, 5, 3]);
        let i = Tensor::from_vec([2, 1], vec![1i32, 0]).unwrap();
        let y = run(numbers(&[2, 3, 2]), i, 1, 1).unwrap();
        assert_eq!((y.dims(), y.as_slice::<i32>().unwrap()), (&[2, 1, 2][..], &[2, 3, 6, 7][..]));
        let i = Tensor::from_vec([2, 1], vec![1i32, 0]).unwrap();
        let y = run(numbers(&[2, 2, 2]), i, 2, 1).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[1, 3, 4, 6]);
        let s = Tensor::from_strings([2], ["a", "b"].map(ByteString::from).to_vec()).unwrap();
        let y = run(s, Tensor::scalar(1i16), 0, 0).unwrap();
        assert_eq!(y.strings().unwrap(), &[ByteString::from("b")]);
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let i = Tensor::from_vec([1, 2], vec![0i32, 3]).unwrap();
        let e = run(numbers(&[3, 2]), i.clone(), 0, 0).unwrap_err();
        assert!(e.message().contains("indices[0,1] = 3 is not in [0, 3)"), "{e}");
        for (axis, batch) in [(2, 0), (-3, 0), (i32::MIN, 0), (0, 1), (0, 3), (1, 2), (1, 1)] {
            assert!(run(numbers(&[3, 2]), i.clone(), axis, batch).is_err(), "{axis} {batch}");
        }
        let none = run(numbers(&[0, 2]), Tensor::from_vec([0], Vec::<i32>::new()).unwrap(), 0, 0);
        assert_eq!(none.unwrap().dims(), &[0, 2]);
    }
}
