//! SparseMatrixMul: a sparse matrix times a number, or each matrix of a batch times its own.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::matrix::matrix;
use crate::number::dispatch_number;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseMatrixMul(a: variant, b: T) -> (output: variant)
                T: type",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (a, b) = (matrix(cx, 0)?, cx.input(1));
    if a.dtype() != b.dtype() {
        return Err(Status::invalid_argument(format!(
            "Input types don't match.  a.dtype == {} vs. b.dtype == {}",
            a.dtype(),
            b.dtype()
        )));
    }
    match b.rank() {
        0 => {}
        3 if a.rank() == 3 && b.dims() == [a.batches(), 1, 1] => {}
        3 => {
            return Err(Status::invalid_argument(format!(
                "If b is a rank-3 tensor, then a must be a rank 3 and the size of b be \
                 [batch_size, 1, 1].  But the shape of b is: {} and the shape of a is: {}",
                b.shape(),
                a.shape()
            )));
        }
        _ => {
            return Err(Status::unimplemented(format!(
                "Multiplying by a 2D+ dense tensor is not currently supported, but shape of b is: {}",
                b.shape()
            )));
        }
    }
    let values = dispatch_number!(a.dtype(), "SparseMatrixMul", T => {
        let (values, factors) = (a.values().as_slice::<T>()?, b.as_slice::<T>()?);
        let pointers = a.batch_pointers().as_slice::<i32>()?;
        Tensor::build([values.len()], |out: &mut [T]| {
            for (i, ends) in pointers.windows(2).enumerate() {
                let factor = if factors.len() == 1 { factors[0] } else { factors[i] };
                let range = ends[0] as usize..ends[1] as usize;
                out[range.clone()].iter_mut().zip(&values[range]).for_each(|(o, &v)| *o = v * factor);
            }
        })
    })?;
    let product = a.with_values(values)?;
    cx.set_output(0, product.into_tensor()?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{dense, sparse};
    use downpour_runtime::testing::OpTest;

    fn run(b: Tensor) -> Result<Tensor> {
        let a = sparse([2, 1, 2], &[1f32, 0.0, 2.0, 3.0]);
        OpTest::new(register, "SparseMatrixMul").input(a).input(b).run_one()
    }

    #[test]
    fn one_factor_or_one_for_each_matrix() {
        assert_eq!(dense::<f32>(&run(Tensor::scalar(2f32)).unwrap()), [2.0, 0.0, 4.0, 6.0]);
        let each = Tensor::from_vec([2, 1, 1], vec![2f32, -1.0]).unwrap();
        assert_eq!(dense::<f32>(&run(each).unwrap()), [2.0, 0.0, -2.0, -3.0]);
    }

    #[test]
    fn other_factors_are_refused() {
        assert!(run(Tensor::scalar(2f64)).is_err());
        assert!(run(Tensor::from_vec([1, 1, 2], vec![2f32, -1.0]).unwrap()).is_err());
        let status = run(Tensor::from_vec([2, 1], vec![2f32, -1.0]).unwrap()).unwrap_err();
        assert_eq!(status.code(), downpour_tensor::Code::Unimplemented);
    }
}
