//! SparseMatrixSoftmax and SparseMatrixSoftmaxGrad: a softmax over the values of each row; what is not there has no part.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor, dispatch_over};

use crate::matrix::{CsrMatrix, check_type, matrix};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseMatrixSoftmax(logits: variant) -> (softmax: variant)
                type: {float, double}",
        )?
        .shape(shapes::scalar)
        .gradient(gradient),
        |build| Ok(KernelBox::new(Softmax { dtype: build.dtype("type")? })),
    )?;
    registry.add(
        OpSpec::new(
            "SparseMatrixSoftmaxGrad(softmax: variant, grad_softmax: variant) -> (gradient: variant)
                type: {float, double}",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(SoftmaxGrad { dtype: build.dtype("type")? })),
    )
}

struct Softmax {
    dtype: DataType,
}

impl Kernel for Softmax {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let logits = matrix(cx, 0)?;
        check_type("logits", logits, self.dtype)?;
        let values = dispatch_over!(self.dtype, "SparseMatrixSoftmax", T => {
            let mut softmax = Tensor::zeros(self.dtype, [logits.values().len()])?;
            let out = elements::<T>(&mut softmax)?;
            for batch in 0..logits.batches() {
                cx.check_cancelled()?;
                let component = logits.component::<T>(batch)?;
                let start = logits.batch(batch)?.start;
                for row in 0..component.rows() {
                    let range = component.row(row);
                    let out = &mut out[start + range.start..start + range.end];
                    let row = &component.values[range];
                    let largest = row.iter().copied().fold(T::NEG_INFINITY, T::max);
                    out.iter_mut().zip(row).for_each(|(o, &v)| *o = (v - largest).exp());
                    let sum = out.iter().sum::<T>();
                    out.iter_mut().for_each(|o| *o /= sum);
                }
            }
            Ok(softmax)
        }, Float: f32, Double: f64)?;
        let softmax = logits.with_values(values)?;
        cx.set_output(0, softmax.into_tensor()?);
        Ok(())
    }
}

struct SoftmaxGrad {
    dtype: DataType,
}

impl Kernel for SoftmaxGrad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (softmax, grad) = (matrix(cx, 0)?, matrix(cx, 1)?);
        check_type("softmax", softmax, self.dtype)?;
        check_type("grad_softmax", grad, self.dtype)?;
        check_shapes(softmax, grad)?;
        let values = dispatch_over!(self.dtype, "SparseMatrixSoftmaxGrad", T => {
            let mut logits = Tensor::zeros(self.dtype, [softmax.values().len()])?;
            let out = elements::<T>(&mut logits)?;
            for batch in 0..softmax.batches() {
                cx.check_cancelled()?;
                let (y, dy) = (softmax.component::<T>(batch)?, grad.component::<T>(batch)?);
                let start = softmax.batch(batch)?.start;
                for row in 0..y.rows() {
                    let range = y.row(row);
                    let out = &mut out[start + range.start..start + range.end];
                    let mut given = dy.entries(row).peekable();
                    // First what the gradient has at each place, 0 where it has nothing.
                    for (o, (column, _)) in out.iter_mut().zip(y.entries(row)) {
                        while given.next_if(|(c, _)| *c < column).is_some() {}
                        *o = given.next_if(|(c, _)| *c == column).map_or(0.0, |(_, value)| value);
                    }
                    let row = &y.values[range];
                    let sum = out.iter().zip(row).map(|(&o, &y)| o * y).sum::<T>();
                    out.iter_mut().zip(row).for_each(|(o, &y)| *o = (*o - sum) * y);
                }
            }
            Ok(logits)
        }, Float: f32, Double: f64)?;
        let gradient = softmax.with_values(values)?;
        cx.set_output(0, gradient.into_tensor()?);
        Ok(())
    }
}

fn check_shapes(softmax: &CsrMatrix, grad: &CsrMatrix) -> Result<()> {
    if softmax.shape() == grad.shape() {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "Shapes of softmax and grad_softmax matrices do not match: {} vs. {}",
        softmax.shape(),
        grad.shape()
    )))
}

fn elements<T: downpour_tensor::Element>(tensor: &mut Tensor) -> Result<&mut [T]> {
    tensor.as_mut_slice::<T>().ok_or_else(|| Status::internal("a new tensor is shared"))
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let inputs = [cx.output(0), cx.grad(0)?];
    let attrs = Attrs::new().with("type", cx.node().dtype("type")?);
    Ok(vec![Gradient::Dense(cx.op_with("SparseMatrixSoftmaxGrad", &inputs, attrs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{dense, sparse};
    use downpour_runtime::testing::OpTest;

    #[test]
    fn absent_values_have_no_part() {
        let logits = sparse([2, 3], &[1f64, 0.0, 1.0, 5.0, 0.0, 0.0]);
        let test = OpTest::new(register, "SparseMatrixSoftmax").attr("type", DataType::Double);
        let y = test.input(logits).run_one().unwrap();
        assert_eq!(dense::<f64>(&y), [0.5, 0.0, 0.5, 1.0, 0.0, 0.0]);
    }

    fn grad(softmax: Tensor, grad: Tensor) -> Result<Tensor> {
        let test = OpTest::new(register, "SparseMatrixSoftmaxGrad");
        test.attr("type", DataType::Double).input(softmax).input(grad).run_one()
    }

    #[test]
    fn gradients_are_taken_at_the_places_of_the_softmax() {
        let y = sparse([1, 3], &[0.25f64, 0.75, 0.0]);
        let dy = sparse([1, 3], &[0.0f64, 4.0, 9.0]);
        assert_eq!(dense::<f64>(&grad(y, dy).unwrap()), [-0.75, 0.75, 0.0]);
    }

    #[test]
    fn other_shapes_are_refused() {
        assert!(grad(sparse([1, 2], &[1f64, 2.0]), sparse([2, 1], &[1f64, 2.0])).is_err());
        assert!(grad(sparse([1, 2], &[1f64, 2.0]), sparse([1, 2], &[1f32, 2.0])).is_err());
    }
}
