//! SparseReorder: values in the order of their coordinates.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use super::coo::Coo;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseReorder(input_indices: int64, input_values: T, input_shape: int64) \
                -> (output_indices: int64, output_values: T)
                T: type",
        )?
        .shape(shape)
        .gradient(gradient),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let coo = Coo::new(cx.input(0), cx.input(1), cx.input(2))?;
    let sorted = (1..coo.len()).all(|i| coo.row(i - 1) <= coo.row(i));
    let (indices, values) =
        if sorted { (cx.input(0).clone(), cx.input(1).clone()) } else { coo.pick(&coo.sorted())? };
    cx.set_output(0, indices);
    cx.set_output(1, values);
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (indices, values) = (cx.with_rank(0, 2)?, cx.with_rank(1, 1)?);
    cx.with_rank(2, 1)?;
    cx.set_output(0, indices);
    cx.set_output(1, values);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    // Sorting numbers 0..n the same way gives the permutation, and sorting those by it inverts it.
    let grad = cx.grad(1)?;
    let (indices, shape) = (cx.input(0), cx.input(2));
    let index_shape = cx.shape(indices)?;
    let first = cx.constant(Tensor::vector(&[0i32])?)?;
    let one = cx.constant(Tensor::vector(&[1i32])?)?;
    let attrs = Attrs::new().with("shrink_axis_mask", 1i64);
    let count = cx.op_with("StridedSlice", &[index_shape, first, one, one], attrs)?;
    let (zero, step) = (cx.scalar(0i32)?, cx.scalar(1i32)?);
    let numbers = cx.op("Range", &[zero, count, step])?;
    let node = cx.node_with("SparseReorder", &[indices, numbers, shape], Attrs::new())?;
    let permutation = Endpoint { node, port: 1 };
    let inverse = cx.op("InvertPermutation", &[permutation])?;
    let values = cx.op("GatherV2", &[grad, inverse, zero])?;
    Ok(vec![Gradient::None, Gradient::Dense(values), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn values_follow_their_coordinates() {
        let out = OpTest::new(register, "SparseReorder")
            .input(Tensor::from_vec([3, 2], vec![1i64, 0, 0, 3, 0, 1]).unwrap())
            .input(Tensor::vector(&[10f32, 3.0, 1.0]).unwrap())
            .input(Tensor::vector(&[2i64, 4]).unwrap())
            .run()
            .unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 1, 0, 3, 1, 0]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[1.0, 3.0, 10.0]);
    }
}
