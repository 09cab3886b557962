//! SparseFillEmptyRows and its gradient: every row of a sparse tensor gets at least one value.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::empty_rows;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseFillEmptyRows(indices: int64, values: T, dense_shape: int64, default_value: T) \
                -> (output_indices: int64, output_values: T, empty_row_indicator: bool, \
                reverse_index_map: int64)
                T: type",
        )?
        .shape(shape)
        .gradient(gradient),
        |_| Ok(KernelBox::function(compute)),
    )?;
    registry.add(
        OpSpec::new(
            "SparseFillEmptyRowsGrad(reverse_index_map: int64, grad_values: T) \
                -> (d_values: T, d_default_value: T)
                T: type",
        )?
        .shape(empty_rows::grad_shape),
        |_| Ok(KernelBox::function(empty_rows::compute_grad)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (indices, values, shape) = (cx.input(0), cx.input(1), cx.input(2));
    let wanted = [
        ("dense_shape", shape, 1, "vector"),
        ("indices", indices, 2, "matrix"),
        ("values", values, 1, "vector"),
        ("default_value", cx.input(3), 0, "scalar"),
    ];
    for (name, tensor, rank, kind) in wanted {
        if tensor.rank() != rank {
            return Err(Status::invalid_argument(format!(
                "{name} must be a {kind}, saw: {}",
                tensor.shape()
            )));
        }
    }
    let (count, rank) = (indices.dims()[0], indices.dims()[1]);
    if values.len() != count {
        return Err(Status::invalid_argument(format!(
            "The length of `values` ({}) must match the first dimension of `indices` ({count}).",
            values.len()
        )));
    }
    if shape.len() != rank {
        return Err(Status::invalid_argument(format!(
            "The length of `dense_shape` ({}) must match the second dimension of `indices` \
             ({rank}).",
            shape.len()
        )));
    }
    let Some(&rows) = shape.as_slice::<i64>()?.first() else {
        return Err(Status::invalid_argument("Dense shape cannot be empty."));
    };
    let rows = usize::try_from(rows).map_err(|_| {
        Status::invalid_argument(format!("dense_shape[0] must not be negative, got {rows}"))
    })?;
    let source = indices.as_slice::<i64>()?;
    let filled = empty_rows::plan((0..count).map(|i| source[i * rank]), rows)?;
    let output_values = filled.apply(values, cx.input(3))?;
    let output_indices = Tensor::build([filled.slots().len(), rank], |out: &mut [i64]| {
        for (target, (row, from)) in out.chunks_exact_mut(rank).zip(filled.slots()) {
            match from {
                Some(i) => target.copy_from_slice(&source[i * rank..(i + 1) * rank]),
                None => {
                    target.fill(0);
                    target[0] = *row;
                }
            }
        }
    })?;
    let (empty, reverse) = (filled.empty_rows()?, filled.reverse()?);
    cx.set_output(0, output_indices);
    cx.set_output(1, output_values);
    cx.set_output(2, empty);
    cx.set_output(3, reverse);
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (indices, values) = (cx.with_rank(0, 2)?, cx.with_rank(1, 1)?);
    let dense = cx.with_rank(2, 1)?;
    cx.with_rank(3, 0)?;
    let count = cx.merge_dim(indices.dim(0), values.dim(0))?;
    let rank = cx.merge_dim(indices.dim(1), dense.dim(0))?;
    if rank == Some(0) {
        return Err(Status::invalid_argument("dense_shape must not be empty"));
    }
    let rows = cx.constant_ints(2).and_then(|d| usize::try_from(*d.first()?).ok());
    cx.set_output(0, PartialShape::matrix(None, rank));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, PartialShape::vector(rows));
    cx.set_output(3, PartialShape::vector(count));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (values, default) = empty_rows::gradients(cx, "SparseFillEmptyRowsGrad")?;
    Ok(vec![Gradient::None, values, Gradient::None, default])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(indices: &[i64], rows: i64) -> Result<Vec<Tensor>> {
        OpTest::new(register, "SparseFillEmptyRows")
            .input(Tensor::from_slice([2, 2], indices)?)
            .input(Tensor::vector(&[7i32, 8])?)
            .input(Tensor::vector(&[rows, 4])?)
            .input(Tensor::scalar(-1i32))
            .run()
    }

    #[test]
    fn rows_are_sorted_and_filled() {
        let out = run(&[2, 1, 0, 3], 4).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 3, 1, 0, 2, 1, 3, 0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[8, -1, 7, -1]);
        assert_eq!(out[2].as_slice::<bool>().unwrap(), &[false, true, false, true]);
        assert_eq!(out[3].as_slice::<i64>().unwrap(), &[2, 0]);
    }

    #[test]
    fn bad_rows_are_refused() {
        let e = run(&[0, 0, 9, 0], 4).unwrap_err();
        assert!(e.message().contains("indices(1, 0) is invalid: 9 >= 4"), "{e}");
        for rows in [0, -1, i64::MAX] {
            assert!(run(&[0, 0, 1, 0], rows).is_err(), "{rows}");
        }
    }

    #[test]
    fn the_default_gets_what_is_left_of_the_gradient() {
        let run = |map: &[i64]| {
            OpTest::new(register, "SparseFillEmptyRowsGrad")
                .input(Tensor::vector(map).unwrap())
                .input(Tensor::vector(&[1f32, 2.0, 4.0]).unwrap())
                .run()
        };
        let out = run(&[2]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[4.0]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[3.0]);
        assert!(run(&[3]).is_err());
    }
}
