//! RaggedFillEmptyRows and its gradient: every row gets at least one value.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::empty_rows;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RaggedFillEmptyRows(value_rowids: int64, values: T, nrows: int64, default_value: T) \
                -> (output_value_rowids: int64, output_values: T, empty_row_indicator: bool, \
                reverse_index_map: int64)
                T: type",
        )?
        .shape(shape)
        .gradient(gradient),
        |_| Ok(KernelBox::function(compute)),
    )?;
    registry.add(
        OpSpec::new(
            "RaggedFillEmptyRowsGrad(reverse_index_map: int64, grad_values: T) \
                -> (d_values: T, d_default_value: T)
                T: type",
        )?
        .shape(empty_rows::grad_shape),
        |_| Ok(KernelBox::function(empty_rows::compute_grad)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let rowids = cx.vector_input(0)?;
    let values = cx.vector_input(1)?;
    let rows = cx.scalar_input(2)?.to_i64_scalar()?;
    let default = cx.scalar_input(3)?;
    if rowids.len() != values.len() {
        return Err(Status::invalid_argument(format!(
            "The length of `values` ({}) must match the first dimension of `value_rowids` ({}).",
            values.len(),
            rowids.len()
        )));
    }
    let rows = usize::try_from(rows)
        .map_err(|_| Status::invalid_argument(format!("nrows must be >= 0, got {rows}")))?;
    let filled = empty_rows::plan(rowids.as_slice::<i64>()?.iter().copied(), rows)?;
    let output = filled.apply(values, default)?;
    let rowids: Vec<i64> = filled.slots().iter().map(|slot| slot.0).collect();
    let (empty, reverse) = (filled.empty_rows()?, filled.reverse()?);
    cx.set_output(0, Tensor::vector(&rowids)?);
    cx.set_output(1, output);
    cx.set_output(2, empty);
    cx.set_output(3, reverse);
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (rowids, values) = (cx.with_rank(0, 1)?, cx.with_rank(1, 1)?);
    cx.with_rank(2, 0)?;
    cx.with_rank(3, 0)?;
    let count = cx.merge_dim(rowids.dim(0), values.dim(0))?;
    for i in 0..3 {
        cx.set_output(i, PartialShape::vector(None));
    }
    cx.set_output(3, PartialShape::vector(count));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (values, default) = empty_rows::gradients(cx, "RaggedFillEmptyRowsGrad")?;
    Ok(vec![Gradient::None, values, Gradient::None, default])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn empty_rows_get_the_default() {
        let run = |rows: i64| {
            OpTest::new(register, "RaggedFillEmptyRows")
                .input(Tensor::vector(&[0i64, 3, 3]).unwrap())
                .input(Tensor::vector(&[1f32, 2.0, 3.0]).unwrap())
                .input(Tensor::scalar(rows))
                .input(Tensor::scalar(-1f32))
                .run()
        };
        let out = run(4).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 1, 2, 3, 3]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[1.0, -1.0, -1.0, 2.0, 3.0]);
        assert_eq!(out[3].as_slice::<i64>().unwrap(), &[0, 3, 4]);
        assert!(run(3).is_err());
        assert!(run(-1).is_err());
        assert!(run(i64::MAX).is_err());
    }
}
