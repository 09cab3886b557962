//! SparseMatrixNNZ: how many values each matrix has.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Tensor};

use crate::matrix::matrix;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("SparseMatrixNNZ(sparse_matrix: variant) -> (nnz: int32)")?
            .shape(shapes::unknown)
            .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let sparse = matrix(cx, 0)?;
    let shape = if sparse.rank() == 2 { Shape::scalar() } else { Shape::new(&[sparse.batches()]) };
    let pointers = sparse.batch_pointers().as_slice::<i32>()?;
    let counts = Tensor::build(shape, |out: &mut [i32]| {
        out.iter_mut().zip(pointers.windows(2)).for_each(|(o, pair)| *o = pair[1] - pair[0]);
    })?;
    cx.set_output(0, counts);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sparse;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn values_are_counted() {
        let count = |matrix| OpTest::new(register, "SparseMatrixNNZ").input(matrix).run_one();
        let one = count(sparse([2, 2], &[0f32, 1.0, 2.0, 3.0])).unwrap();
        assert_eq!((one.rank(), one.to_scalar::<i32>().unwrap()), (0, 3));
        let batch = count(sparse([2, 1, 2], &[0f64, 0.0, 2.0, 3.0])).unwrap();
        assert_eq!(batch.as_slice::<i32>().unwrap(), &[0, 2]);
    }
}
