//! RaggedCountSparseOutput: counts the values of each row of a ragged tensor.

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::{Count, Rows, check};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RaggedCountSparseOutput(splits: int64, values: T, weights: output_type) \
                -> (output_indices: int64, output_values: output_type, output_dense_shape: int64)
                T: {int32, int64}
                minlength: int >= -1 = -1
                maxlength: int >= -1 = -1
                binary_output: bool
                output_type: {int32, int64, float, double}",
        )?
        .shape(|cx| {
            // The result is always a matrix; TensorFlow adds one to the rank of the values, which are a vector.
            let rank = cx.input(1).rank().filter(|&rank| rank == 1).map(|rank| rank + 1);
            cx.set_output(0, PartialShape::matrix(None, rank));
            cx.set_output(1, PartialShape::vector(None));
            cx.set_output(2, PartialShape::vector(rank));
            Ok(())
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(Ragged(Count::new(build)?))),
    )
}

struct Ragged(Count);

impl Kernel for Ragged {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (splits, values) = (cx.input(0).clone(), cx.input(1).clone());
        let weights = cx.input(2).clone();
        let splits = splits.as_slice::<i64>()?;
        let (&[first, ..], &[.., last]) = (splits, splits) else {
            return Err(too_few());
        };
        if splits.len() < 2 {
            return Err(too_few());
        }
        if first != 0 {
            return Err(Status::invalid_argument(format!(
                "Splits must start with 0, not with {first}"
            )));
        }
        if usize::try_from(last) != Ok(values.len()) {
            return Err(Status::invalid_argument(format!(
                "Splits must end with the number of values, got {last} instead of {}",
                values.len()
            )));
        }
        check(&values, &weights, "values")?;
        let mut next = 0;
        let mut row = |i: usize| {
            // The last split is the number of values, so there is always one beyond.
            while splits[next] <= i as i64 {
                next += 1;
            }
            next as i64 - 1
        };
        let rows = Rows { row: &mut row, count: Some(splits.len() as i64 - 1) };
        self.0.count(cx, &values, &weights, rows)
    }
}

fn too_few() -> Status {
    Status::invalid_argument("Must provide at least 2 elements for the splits argument")
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{DataType, Tensor};

    fn run(splits: &[i64], values: &[i64]) -> Result<Vec<Tensor>> {
        OpTest::new(register, "RaggedCountSparseOutput")
            .attr("binary_output", false)
            .attr("output_type", DataType::Int64)
            .input(Tensor::vector(splits).unwrap())
            .input(Tensor::vector(values).unwrap())
            .input(Tensor::vector::<i64>(&[]).unwrap())
            .run()
    }

    #[test]
    fn rows_are_counted_on_their_own() {
        let out = run(&[0, 2, 2, 5], &[4, 4, 0, 1, 0]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 4, 2, 0, 2, 1]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [2, 2, 1]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [3, 5]);
    }

    #[test]
    fn splits_are_checked() {
        for splits in [&[][..], &[0], &[1, 2], &[0, 1], &[0, 9, 3], &[0, -1]] {
            assert!(run(splits, &[1, 2]).is_err(), "{splits:?}");
        }
        assert!(run(&[0, 1, 0, 2], &[1, 2]).is_ok(), "as TensorFlow takes them");
        assert!(run(&[0, 2], &[1, -2]).is_err());
    }
}
