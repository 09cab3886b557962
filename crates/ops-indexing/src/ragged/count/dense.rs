//! DenseCountSparseOutput: counts the values of a vector, or of each row of a matrix.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::{Count, Rows, check};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "DenseCountSparseOutput(values: T, weights: output_type) \
                -> (output_indices: int64, output_values: output_type, output_dense_shape: int64)
                T: {int32, int64}
                minlength: int >= -1 = -1
                maxlength: int >= -1 = -1
                binary_output: bool
                output_type: {int32, int64, float, double}",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Dense(Count::new(build)?))),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (values, weights) = (cx.input(0), cx.input(1));
    let counted = match weights.elements() {
        Some(0) => values.clone(),
        _ => cx.merge(weights, values)?,
    };
    cx.set_output(0, PartialShape::matrix(None, counted.rank()));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, PartialShape::vector(counted.rank()));
    Ok(())
}

struct Dense(Count);

impl Kernel for Dense {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (values, weights) = (cx.input(0).clone(), cx.input(1).clone());
        let rows = match *values.dims() {
            [_] => None,
            [rows, _] => Some(rows),
            _ => {
                return Err(Status::invalid_argument(format!(
                    "Input must be a 1 or 2-dimensional tensor. Got: {}",
                    values.shape()
                )));
            }
        };
        check(&values, &weights, "data")?;
        if rows == Some(0) {
            return Err(Status::invalid_argument("Invalid input: Shapes dimension cannot be 0."));
        }
        let length = (values.len() / rows.unwrap_or(1)).max(1);
        let mut row = |i: usize| if rows.is_some() { (i / length) as i64 } else { 0 };
        let rows = Rows { row: &mut row, count: rows.map(|rows| rows as i64) };
        self.0.count(cx, &values, &weights, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{DataType, Tensor};

    fn run(values: Tensor, weights: &[f32], binary: bool, maximum: i64) -> Result<Vec<Tensor>> {
        let weights = match weights {
            [] => Tensor::vector::<f32>(&[]),
            weights => Tensor::from_slice(values.shape(), weights),
        };
        OpTest::new(register, "DenseCountSparseOutput")
            .attr("binary_output", binary)
            .attr("maxlength", maximum)
            .attr("output_type", DataType::Float)
            .input(values)
            .input(weights.unwrap())
            .run()
    }

    #[test]
    fn values_are_counted_weighed_or_noticed() {
        let vector = || Tensor::vector(&[3i32, 1, 3, 5]).unwrap();
        let out = run(vector(), &[], false, -1).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [1, 3, 5]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [1.0, 2.0, 1.0]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [6]);
        let out = run(vector(), &[0.5, 2.0, 0.25, 7.0], false, 4).unwrap();
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [2.0, 0.75]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [4]);
        let out = run(vector(), &[], true, -1).unwrap();
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [1.0; 3]);
        let matrix = Tensor::from_slice([2, 2], &[1i64, 1, 0, 2]).unwrap();
        let out = run(matrix, &[], false, -1).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 1, 1, 0, 1, 2]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [2, 3]);
    }

    #[test]
    fn bad_values_are_refused() {
        assert!(run(Tensor::scalar(1i32), &[], false, -1).is_err());
        assert!(run(Tensor::vector(&[-1i32]).unwrap(), &[], false, -1).is_err());
        assert!(run(Tensor::zeros(DataType::Int32, [0, 3]).unwrap(), &[], false, -1).is_err());
    }
}
