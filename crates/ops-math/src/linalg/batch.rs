//! Running a computation on every matrix of a batch.

use downpour_runtime::OpContext;
use downpour_tensor::broadcast::broadcast_shape;
use downpour_tensor::{Charge, Result, Shape, Status, Tensor, checked_elements};

use super::field::LinalgElement;
use super::matrix::Matrix;

/// The results of a batch: one run of values per output.
pub(super) struct Solved<F> {
    pub batch: Shape,
    pub outputs: Vec<Vec<F>>,
    _held: Charge,
}

impl<F: Copy> Solved<F> {
    /// Output `i` as a tensor whose last axes are `inner`.
    pub fn tensor<T: LinalgElement<Wide = F>>(&self, i: usize, inner: &[usize]) -> Result<Tensor> {
        let shape: Shape = self.batch.iter().chain(inner).copied().collect();
        let values = self.outputs[i].iter().map(|&v| T::narrow(v)).collect();
        Tensor::from_vec(shape, values)
    }
}

/// Rows and columns of the matrices in a tensor.
pub(super) fn matrix_size(op: &str, tensor: &Tensor, input: usize) -> Result<(usize, usize)> {
    match tensor.dims() {
        [.., rows, columns] => Ok((*rows, *columns)),
        _ => Err(Status::invalid_argument(format!(
            "{op}: Input tensor {input} must have rank >= 2, got {}",
            tensor.rank()
        ))),
    }
}

/// The size of the square matrices in a tensor.
pub(super) fn square_size(op: &str, tensor: &Tensor, input: usize) -> Result<usize> {
    let (rows, columns) = matrix_size(op, tensor, input)?;
    if rows != columns {
        return Err(Status::invalid_argument(format!(
            "{op}: Input matrix must be square, got {}",
            tensor.shape()
        )));
    }
    Ok(rows)
}

/// Tensors whose axes before the last two must be the same.
pub(super) fn same_batch(op: &str, a: &Tensor, b: &Tensor) -> Result<()> {
    let batch = |t: &Tensor| t.dims()[..t.rank().saturating_sub(2)].to_vec();
    if batch(a) != batch(b) {
        return Err(Status::invalid_argument(format!(
            "{op}: All input tensors must have the same outer dimensions, got {} and {}",
            a.shape(),
            b.shape()
        )));
    }
    Ok(())
}

/// Calls `compute` with one matrix of each input (batches broadcast); its results, one run of
/// values per output, are strung together. Matrices of no elements take no memory however many they are: the results
/// are counted before they are made, and if they are empty, too, those of the first stand for all.
pub(super) fn each<T: LinalgElement>(
    cx: &OpContext<'_>,
    inputs: &[&Tensor],
    outputs: usize,
    compute: impl Fn(&[Matrix<T::Wide>]) -> Result<Vec<Vec<T::Wide>>>,
) -> Result<Solved<T::Wide>> {
    let mut batch = Shape::scalar();
    for input in inputs {
        batch = broadcast_shape(&batch, &input.dims()[..input.rank() - 2])?;
    }
    let count = checked_elements(&batch)?;
    let mut results = vec![Vec::new(); outputs];
    let mut held = Charge::default();
    for index in 0..count {
        cx.check_cancelled()?;
        let mut matrices = Vec::with_capacity(inputs.len());
        for input in inputs {
            let (outer, size) = input.dims().split_at(input.rank() - 2);
            let place = place_of(index, &batch, outer);
            let (rows, columns) = (size[0], size[1]);
            let values = &input.as_slice::<T>()?[place * rows * columns..][..rows * columns];
            let data = values.iter().map(|v| v.widen()).collect();
            matrices.push(Matrix { rows, columns, data });
        }
        for (all, one) in results.iter_mut().zip(compute(&matrices)?) {
            if index == 0 {
                held.grow(count.saturating_mul(one.len()).saturating_mul(size_of::<T::Wide>()))?;
            }
            all.extend(one);
        }
        if matrices.iter().all(|m| m.data.is_empty()) && results.iter().all(Vec::is_empty) {
            break;
        }
    }
    Ok(Solved { batch, outputs: results, _held: held })
}

/// The position in a broadcast operand of element `index` of the whole batch.
fn place_of(index: usize, batch: &[usize], outer: &[usize]) -> usize {
    let mut rest = index;
    let (mut place, mut stride) = (0, 1);
    for (i, &size) in batch.iter().enumerate().rev() {
        let here = rest % size;
        rest /= size;
        if let Some(own) = (i + outer.len()).checked_sub(batch.len()) {
            if outer[own] != 1 {
                place += here * stride;
            }
            stride *= outer[own];
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, DataType};

    #[test]
    fn any_number_of_empty_matrices_is_done_at_once() {
        let none = Tensor::new(DataType::Float, [1 << 50, 0, 0]).unwrap();
        let run = OpTest::new(super::super::cholesky::register, "Cholesky").input(none.clone());
        assert_eq!(run.run_one().unwrap().dims(), [1 << 50, 0, 0]);
        // The determinant of an empty matrix is 1, of which there would be 2^50.
        let run = OpTest::new(super::super::lu::register, "MatrixDeterminant").input(none);
        assert_eq!(run.run_one().unwrap_err().code(), Code::ResourceExhausted);
        let few = Tensor::new(DataType::Float, [3, 0, 0]).unwrap();
        let run = OpTest::new(super::super::lu::register, "MatrixDeterminant").input(few);
        assert_eq!(run.run_one().unwrap().as_slice::<f32>().unwrap(), [1.0; 3]);
    }
}
