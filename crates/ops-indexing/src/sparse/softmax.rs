//! SparseSoftmax: softmax over the values present in each row of the last axis.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{RealNumber, Result, Status, Tensor, dispatch_over};

use super::coo::Coo;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseSoftmax(sp_indices: int64, sp_values: T, sp_shape: int64) -> (output: T)
                T: {half, float, double}",
        )?
        .shape(shape)
        .gradient(gradient)
        // Exponentials differ in the last place.
        .tolerance(1e-5),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let coo = Coo::new(cx.input(0), cx.input(1), cx.input(2))?;
    if coo.rank() < 2 {
        return Err(Status::invalid_argument(format!(
            "Input should have rank >= 2, but received shape: {:?}",
            coo.shape
        )));
    }
    coo.dense_shape()?;
    let output = dispatch_over!(coo.values.dtype(), "SparseSoftmax", T => softmax::<T>(&coo),
        Half: downpour_tensor::f16, Float: f32, Double: f64)?;
    cx.set_output(0, output);
    Ok(())
}

fn softmax<T: RealNumber>(coo: &Coo<'_>) -> Result<Tensor> {
    let values = coo.values.as_slice::<T>()?;
    let order = coo.sorted();
    let row = |i: usize| &coo.row(i)[..coo.rank() - 1];
    let mut out = Vec::with_capacity(values.len());
    for group in order.chunk_by(|&a, &b| row(a) == row(b)) {
        let members = group.iter().map(|&i| values[i].to_f64_lossy());
        let largest = members.clone().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = members.map(|v| (v - largest).exp()).collect();
        let total: f64 = powers.iter().sum();
        out.extend(powers.iter().map(|p| T::from_f64_lossy(p / total)));
    }
    Tensor::vector(&out)
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 2)?;
    cx.with_rank(2, 1)?;
    let values = cx.with_rank(1, 1)?;
    cx.set_output(0, values);
    Ok(())
}

/// (grad - the row's sum of grad * output) * output
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (grad, indices, shape, output) = (cx.grad(0)?, cx.input(0), cx.input(2), cx.output(0));
    let product = cx.op("Mul", &[output, grad])?;
    let last = cx.constant(Tensor::vector(&[-1i32])?)?;
    let keep = Attrs::new().with("keep_dims", true);
    let sums = cx.op_with("SparseReduceSum", &[indices, product, shape, last], keep)?;
    let negative = cx.op("Neg", &[sums])?;
    let centred = cx.op("SparseDenseCwiseAdd", &[indices, grad, shape, negative])?;
    let values = cx.op("Mul", &[centred, output])?;
    Ok(vec![Gradient::None, Gradient::Dense(values), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn rows_sum_to_one() {
        let y = OpTest::new(register, "SparseSoftmax")
            .input(Tensor::from_vec([3, 2], vec![0i64, 0, 0, 5, 1, 2]).unwrap())
            .input(Tensor::vector(&[0f64, (3f64).ln(), 1000.0]).unwrap())
            .input(Tensor::vector(&[2i64, 6]).unwrap())
            .run_one()
            .unwrap();
        let y = y.as_slice::<f64>().unwrap();
        assert!((y[0] - 0.25).abs() < 1e-12 && (y[1] - 0.75).abs() < 1e-12 && y[2] == 1.0);
    }
}
