//! SparseCountSparseOutput: counts the values of each row of a sparse tensor.

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::{Count, Rows, check};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseCountSparseOutput(indices: int64, values: T, dense_shape: int64, weights: output_type) \
                -> (output_indices: int64, output_values: output_type, output_dense_shape: int64)
                T: {int32, int64}
                minlength: int >= -1 = -1
                maxlength: int >= -1 = -1
                binary_output: bool
                output_type: {int32, int64, float, double}",
        )?
        .shape(|cx| {
            // TensorFlow takes the input's rank; a result of more than two dimensions has two all the same.
            let rank = cx.with_rank(0, 2)?.dim(1).filter(|&rank| rank <= 2);
            cx.set_output(0, PartialShape::matrix(None, rank));
            cx.set_output(1, PartialShape::vector(None));
            cx.set_output(2, PartialShape::vector(rank));
            Ok(())
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(Sparse(Count::new(build)?))),
    )
}

struct Sparse(Count);

impl Kernel for Sparse {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let inputs = [0, 1, 2, 3].map(|i| cx.input(i).clone());
        let [indices, values, shape, weights] = &inputs;
        let rank = check_parts(indices, values, shape)?;
        let (indices, shape) = (indices.as_slice::<i64>()?, shape.as_slice::<i64>()?);
        for (i, place) in indices.chunks_exact(rank).enumerate() {
            let outside = |(index, size): (&i64, &i64)| !(0..*size).contains(index);
            if let Some(j) = place.iter().zip(shape).position(outside) {
                return Err(Status::invalid_argument(format!(
                    "Invalid index value at {i}: dimension {j} has value {} which is not in [0, {}) (as given by dense \
                     shape {shape:?}",
                    place[j], shape[j]
                )));
            }
        }
        check(values, weights, "values")?;
        let count = (rank > 1).then(|| shape[0]);
        if let Some(count) = count
            && !(1..i64::from(i32::MAX)).contains(&count)
        {
            return Err(Status::invalid_argument(format!(
                "Cannot allocate {count} batches, is the dense shape too wide?"
            )));
        }
        let mut row = |i: usize| if rank > 1 { indices[i * rank] } else { 0 };
        self.0.count(cx, values, weights, Rows { row: &mut row, count })
    }
}

/// Checks the shapes of the parts of a sparse tensor and returns its rank.
fn check_parts(indices: &Tensor, values: &Tensor, shape: &Tensor) -> Result<usize> {
    let refused = |what: String| Err(Status::invalid_argument(what));
    let [count, rank] = *indices.dims() else {
        return refused(format!(
            "Input indices must be a 2-dimensional tensor. Got: {}",
            indices.shape()
        ));
    };
    if values.rank() != 1 {
        return refused(format!("Input values must be a vector. Got: {}", values.shape()));
    }
    if shape.rank() != 1 {
        return refused(format!("Input shape must be a vector. Got: {}", shape.shape()));
    }
    if values.len() != count {
        return refused(format!(
            "Number of values must match first dimension of indices.Got {} values, indices shape: {}",
            values.len(),
            indices.shape()
        ));
    }
    if shape.len() != rank {
        return refused(format!(
            "Number of dimensions must match second dimension of indices.Got {} dimensions, indices shape: {}",
            shape.len(),
            indices.shape()
        ));
    }
    if rank == 0 {
        return refused("The shape argument requires at least one element.".into());
    }
    Ok(rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    fn run(indices: &[[i64; 2]], values: &[i32], shape: &[i64]) -> Result<Vec<Tensor>> {
        OpTest::new(register, "SparseCountSparseOutput")
            .attr("binary_output", false)
            .attr("minlength", 9i64)
            .attr("output_type", DataType::Double)
            .input(Tensor::from_slice([indices.len(), 2], indices.as_flattened()).unwrap())
            .input(Tensor::vector(values).unwrap())
            .input(Tensor::vector(shape).unwrap())
            .input(Tensor::vector::<f64>(&[]).unwrap())
            .run()
    }

    #[test]
    fn rows_come_in_any_order() {
        let out = run(&[[2, 0], [0, 1], [2, 1]], &[3, 1, 3], &[4, 2]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 1, 2, 3]);
        assert_eq!(out[1].as_slice::<f64>().unwrap(), [1.0, 2.0]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [4, 9]);
    }

    #[test]
    fn forged_shapes_and_indices_are_refused() {
        for shape in [[1 << 31, 1 << 32], [-4, 2], [0, 2]] {
            assert!(run(&[], &[], &shape).is_err(), "{shape:?}");
        }
        for index in [[4, 0], [0, 2], [-1, 0]] {
            assert!(run(&[index], &[1], &[4, 2]).is_err(), "{index:?}");
        }
        assert!(run(&[[0, 0]], &[1, 2], &[4, 2]).is_err());
        assert!(run(&[[0, 0]], &[1], &[4]).is_err());
        assert!(run(&[[0, 0]], &[-1], &[4, 2]).is_err());
        assert!(
            run(&[], &[], &[(1 << 31) - 2, 2]).is_ok(),
            "many rows without values take no memory"
        );
    }
}
