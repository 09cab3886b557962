//! Softmax and LogSoftmax over the last axis.

use downpour_graph::{Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor, dispatch_float};
use num_traits::Float as _;

use crate::float::Float;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Softmax(logits: T) -> (softmax: T)
                T: {half, bfloat16, float, double}",
        )?
        .shape(shape)
        .gradient(softmax_gradient),
        |_| Ok(KernelBox::new(Softmax { log: false })),
    )?;
    registry.add(
        OpSpec::new(
            "LogSoftmax(logits: T) -> (logsoftmax: T)
                T: {half, bfloat16, float, double}",
        )?
        .shape(shape)
        .gradient(log_softmax_gradient),
        |_| Ok(KernelBox::new(Softmax { log: true })),
    )
}

struct Softmax {
    log: bool,
}

impl Kernel for Softmax {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let logits = cx.take(0);
        let Some(&classes) = logits.dims().last() else {
            return Err(Status::invalid_argument(format!(
                "logits must have >= 1 dimension, got {}",
                logits.shape()
            )));
        };
        let output = if logits.is_empty() {
            logits
        } else {
            dispatch_float!(logits.dtype(), cx.node().op_name(), T => {
                rows::<T>(cx, logits, classes, self.log)
            })?
        };
        cx.set_output(0, output);
        Ok(())
    }
}

fn rows<T: Float>(cx: &OpContext<'_>, logits: Tensor, classes: usize, log: bool) -> Result<Tensor> {
    let mut output = logits.into_unique()?;
    let values = output.as_mut_slice::<T>().expect("the tensor was just made unique");
    cx.parallel().for_chunks(values, classes, (2048 / classes).max(1), |_, run| {
        let mut scratch = vec![T::Wide::default(); classes];
        for row in run.chunks_exact_mut(classes) {
            let (max, sum) = exponentials::<T>(row, &mut scratch);
            if log {
                let shift = sum.ln();
                for v in row {
                    *v = T::narrow((v.wide() - max) - shift);
                }
            } else {
                let scale = sum.recip();
                for (v, e) in row.iter_mut().zip(&scratch) {
                    *v = T::narrow(*e * scale);
                }
            }
        }
    });
    Ok(output)
}

/// Fills `exps` with exp(v - max) and returns the largest value and the sum of the exponentials.
pub(crate) fn exponentials<T: Float>(row: &[T], exps: &mut [T::Wide]) -> (T::Wide, T::Wide) {
    let mut max = T::Wide::neg_infinity();
    for v in row {
        let v = v.wide();
        // A NaN must reach every element of its row, which `max` would hide.
        max = if v > max || v.is_nan() { v } else { max };
    }
    for (e, v) in exps.iter_mut().zip(row) {
        *e = (v.wide() - max).exp();
    }
    (max, crate::columns::lane_sum(exps, |v| v, |a, b| a + b))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.with_rank_at_least(0, 1)?.clone();
    cx.set_output(0, shape);
    Ok(())
}

fn sum_last_axis(
    cx: &mut GradientContext<'_, '_>,
    value: downpour_graph::Endpoint,
) -> Result<downpour_graph::Endpoint> {
    let axis = cx.scalar(-1i32)?;
    cx.op_with("Sum", &[value, axis], downpour_graph::Attrs::new().with("keep_dims", true))
}

fn softmax_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let softmax = cx.output(0);
    let weighted = cx.op("Mul", &[grad, softmax])?;
    let sum = sum_last_axis(cx, weighted)?;
    let centred = cx.op("Sub", &[grad, sum])?;
    Ok(vec![Gradient::Dense(cx.op("Mul", &[centred, softmax])?)])
}

fn log_softmax_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let softmax = cx.op("Exp", &[cx.output(0)])?;
    let sum = sum_last_axis(cx, grad)?;
    let shared = cx.op("Mul", &[sum, softmax])?;
    Ok(vec![Gradient::Dense(cx.op("Sub", &[grad, shared])?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    fn run(op: &str, x: Tensor) -> Result<Tensor> {
        OpTest::new(register, op).input(x).run_one()
    }

    #[test]
    fn rows_sum_to_one_and_large_values_do_not_overflow() {
        let x = Tensor::from_slice([2, 2], &[0f32, 0.0, 1000.0, 1001.0]).unwrap();
        let y = run("Softmax", x.clone()).unwrap();
        let y = y.as_slice::<f32>().unwrap();
        assert_eq!(&y[..2], &[0.5, 0.5]);
        assert!((y[3] - 0.731_058_6).abs() < 1e-6);
        let log = run("LogSoftmax", x).unwrap();
        assert!((log.as_slice::<f32>().unwrap()[2] + 1.313_261_7).abs() < 1e-5);
    }

    #[test]
    fn edges() {
        assert!(run("Softmax", Tensor::scalar(1f32)).is_err());
        assert_eq!(
            run("Softmax", Tensor::zeros(DataType::Half, [2, 0]).unwrap()).unwrap().dims(),
            [2, 0]
        );
        let nan = run("Softmax", Tensor::vector(&[f32::NAN, 1.0]).unwrap()).unwrap();
        assert!(nan.as_slice::<f32>().unwrap().iter().all(|v| v.is_nan()));
    }
}
