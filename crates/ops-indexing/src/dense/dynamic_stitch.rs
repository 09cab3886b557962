//! DynamicStitch and ParallelDynamicStitch: put slices of several tensors in their numbered places.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["DynamicStitch", "ParallelDynamicStitch"] {
        let signature = format!(
            "{name}(indices: N * int32, data: N * T) -> (merged: T)
                N: int >= 1
                T: type"
        );
        registry.add(OpSpec::new(&signature)?.shape(shape).gradient(gradient), |_| {
            Ok(KernelBox::function(compute))
        })?;
    }
    Ok(())
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let count = cx.inputs_len() / 2;
    if count == 0 || cx.inputs_len() % 2 == 1 {
        return Err(Status::invalid_argument("DynamicStitch: Must have some inputs"));
    }
    let (indices0, data0) = (cx.input(0), cx.input(count));
    let mut rows = 0;
    for i in 0..count {
        let (indices, data) = (cx.input(i), cx.input(count + i));
        if !data.dims().starts_with(indices.dims()) {
            return Err(Status::invalid_argument(format!(
                "data[{i}].shape = {} does not start with indices[{i}].shape = {}",
                data.shape(),
                indices.shape()
            )));
        }
        if data.dims()[indices.rank()..] != data0.dims()[indices0.rank()..] {
            return Err(Status::invalid_argument(format!(
                "Need data[0].shape[{}:] = data[{i}].shape[{}:], got data[0].shape = {}, \
                 data[{i}].shape = {}, indices[0].shape = {}, indices[{i}].shape = {}",
                indices0.rank(),
                indices.rank(),
                data0.shape(),
                data.shape(),
                indices0.shape(),
                indices.shape()
            )));
        }
        for &index in indices.as_slice::<i32>()? {
            if index < 0 {
                return Err(Status::invalid_argument(format!("indices[{i}] is out of range")));
            }
            rows = rows.max(index as usize + 1);
        }
    }
    let inner = &data0.dims()[indices0.rank()..];
    let row: usize = inner.iter().product();
    let shape: Shape = std::iter::once(rows).chain(inner.iter().copied()).collect();
    // Places that no index names are zero.
    let mut output = Tensor::zeros(data0.dtype(), shape)?;
    dispatch_units!(data0.dtype(), T => {
        T::rewrite(&mut output, |out| {
            if row == 0 {
                return Ok(());
            }
            for i in 0..count {
                let places = cx.input(i).as_slice::<i32>()?;
                let values = T::view(cx.input(count + i))?;
                for (&place, value) in places.iter().zip(values.chunks_exact(row)) {
                    let at = place as usize * row;
                    out[at..at + row].clone_from_slice(value);
                }
            }
            Ok(())
        })
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let count = cx.inputs().len() / 2;
    let mut rows = Some(0);
    let mut rest = PartialShape::unknown();
    for i in 0..count {
        rows = match (rows, cx.constant_ints(i)) {
            (Some(rows), Some(indices)) => {
                let most = indices.iter().copied().max().unwrap_or(-1);
                Some(usize::try_from(most.saturating_add(1)).unwrap_or(0).max(rows))
            }
            _ => None,
        };
        let (indices, data) = (cx.input(i), cx.input(count + i));
        let Some(rank) = indices.rank() else { continue };
        let Some(data_rank) = cx.with_rank_at_least(count + i, rank)?.rank() else { continue };
        cx.merge(&data.subshape(0, rank), indices)?;
        rest = cx.merge(&rest, &data.subshape(rank, data_rank))?;
    }
    cx.set_output(0, PartialShape::vector(rows).concat(&rest));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let count = cx.inputs_len() / 2;
    let axis = cx.scalar(0i32)?;
    let mut out = vec![Gradient::None; count];
    for i in 0..count {
        let indices = cx.input(i);
        out.push(Gradient::Dense(cx.op_with("GatherV2", &[grad, indices, axis], Attrs::new())?));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(parts: &[(Tensor, Tensor)]) -> OpTest {
        let test = OpTest::new(register, "DynamicStitch").attr("N", parts.len() as i64);
        let test = parts.iter().fold(test, |test, (i, _)| test.input(i.clone()));
        parts.iter().fold(test, |test, (_, d)| test.input(d.clone()))
    }

    #[test]
    fn later_parts_win_and_shapes_may_differ() {
        let y = test(&[
            (Tensor::scalar(2i32), Tensor::vector(&[1f32, 2.0]).unwrap()),
            (
                Tensor::vector(&[0i32, 2]).unwrap(),
                Tensor::from_vec([2, 2], vec![3f32, 4.0, 5.0, 6.0]).unwrap(),
            ),
        ])
        .run_one()
        .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[3.0, 4.0, 0.0, 0.0, 5.0, 6.0]);
    }

    #[test]
    fn bad_indices_and_shapes_are_refused() {
        let one = || Tensor::vector(&[1f32]).unwrap();
        let e = test(&[(Tensor::vector(&[-5i32]).unwrap(), one())]).run().unwrap_err();
        assert!(e.message().contains("indices[0] is out of range"));
        assert!(test(&[(Tensor::vector(&[0i32, 1]).unwrap(), one())]).run().is_err());
        let wide = Tensor::from_vec([1, 2], vec![1f32, 2.0]).unwrap();
        let zero = || Tensor::vector(&[0i32]).unwrap();
        assert!(test(&[(zero(), one()), (zero(), wide)]).run().is_err());
        let none = Tensor::from_vec([0], Vec::<i32>::new()).unwrap();
        let empty = Tensor::from_vec([0], Vec::<f32>::new()).unwrap();
        assert_eq!(test(&[(none, empty)]).run_one().unwrap().dims(), &[0]);
    }
}
