//! Maximum, Minimum and ClipByValue. NaN wins in the first two, as in TensorFlow.

use downpour_graph::{Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Complex64, Complex128, RealNumber, Result};

use crate::driver::Cost;
use crate::gradients::{self, Rule};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let binary = |signature| Ok(OpSpec::new(signature)?.shape(shapes::broadcast_binary));
    registry.add(
        binary(
            "Maximum(x: T, y: T) -> (z: T)
                T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64}",
        )?
        .gradient(|cx| extreme_gradient(cx, "GreaterEqual")),
        |build| {
            elementwise!(build, Cost::Cheap, real, |x, y| {
                if x > y || x.is_nan_value() { x } else { y }
            })
        },
    )?;
    registry.add(
        binary(
            "Minimum(x: T, y: T) -> (z: T)
                T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64}",
        )?
        .gradient(|cx| extreme_gradient(cx, "LessEqual")),
        |build| {
            elementwise!(build, Cost::Cheap, real, |x, y| {
                if x < y || x.is_nan_value() { x } else { y }
            })
        },
    )?;
    registry.add(
        OpSpec::new(
            "ClipByValue(t: T, clip_value_min: T, clip_value_max: T) -> (output: T)
                T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
        )?
        .shape(shapes::unchanged)
        .gradient(clip_gradient),
        |build| match clip(build)? {
            KernelBox::Sync(kernel) => Ok(KernelBox::new(Clip(kernel))),
            other => Ok(other),
        },
    )
}

/// As C's max(min(x, high), low): a NaN in x stays, bounds that are NaN do not bound.
trait Clipped: Copy {
    fn clipped(self, low: Self, high: Self) -> Self;
}

macro_rules! clipped_reals {
    ($($t:ty)*) => {$(
        impl Clipped for $t {
            #[inline(always)]
            fn clipped(self, low: Self, high: Self) -> Self {
                let x = if high < self { high } else { self };
                if x < low { low } else { x }
            }
        }
    )*};
}
clipped_reals!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! clipped_complex {
    ($($t:ident)*) => {$(
        /// The bounds are corners of a box.
        impl Clipped for $t {
            #[inline(always)]
            fn clipped(self, low: Self, high: Self) -> Self {
                $t::new(self.re.clipped(low.re, high.re), self.im.clipped(low.im, high.im))
            }
        }
    )*};
}
clipped_complex!(Complex64 Complex128);

fn clip(build: &KernelBuild<'_>) -> Result<KernelBox> {
    elementwise!(build, Cost::Cheap, number, |x, low, high| x.clipped(low, high))
}

/// Bounds are scalars or have the shape of the values: the values are never broadcast.
struct Clip(Box<dyn Kernel>);

impl Kernel for Clip {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let shape = cx.input(0).shape();
        let fits = |i: usize| cx.input(i).rank() == 0 || cx.input(i).shape() == shape;
        if !fits(1) || !fits(2) {
            return Err(downpour_tensor::Status::invalid_argument(format!(
                "clip_value_min and clip_value_max must be either of the same shape as input, or a \
                 scalar. input shape: {shape}, clip_value_min shape: {}, clip_value_max shape: {}",
                cx.input(1).shape(),
                cx.input(2).shape()
            )));
        }
        self.0.compute(cx)
    }
}

/// The gradient goes to the operand that was chosen; to x where both are equal.
fn extreme_gradient(cx: &mut GradientContext<'_, '_>, chosen: &str) -> Rule {
    let grad = cx.grad(0)?;
    let mask = cx.op(chosen, &[cx.input(0), cx.input(1)])?;
    let zeros = cx.op("ZerosLike", &[grad])?;
    let to_x = cx.op("SelectV2", &[mask, grad, zeros])?;
    let to_y = cx.op("SelectV2", &[mask, zeros, grad])?;
    gradients::binary(cx, to_x, to_y)
}

/// The gradient goes to the value where it lies within the bounds, else to the bound that held it.
fn clip_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (x, low, high) = (cx.input(0), cx.input(1), cx.input(2));
    let zeros = cx.op("ZerosLike", &[grad])?;
    let below = cx.op("Less", &[x, low])?;
    let above = cx.op("Greater", &[x, high])?;
    let outside = cx.op("LogicalOr", &[below, above])?;
    let to_x = cx.op("SelectV2", &[outside, zeros, grad])?;
    let to_low = cx.op("SelectV2", &[below, grad, zeros])?;
    let to_high = cx.op("SelectV2", &[above, grad, zeros])?;
    Ok(vec![
        Gradient::Dense(to_x),
        Gradient::Dense(cx.unbroadcast(to_low, low, x)?),
        Gradient::Dense(cx.unbroadcast(to_high, high, x)?),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn nan_wins_on_either_side() {
        let x = Tensor::vector(&[1f32, f32::NAN, 2.0]).unwrap();
        let y = Tensor::vector(&[f32::NAN, 1.0, 3.0]).unwrap();
        for (op, last) in [("Maximum", 3.0), ("Minimum", 2.0)] {
            let out =
                OpTest::new(register, op).input(x.clone()).input(y.clone()).run_one().unwrap();
            let out = out.as_slice::<f32>().unwrap();
            assert!(out[0].is_nan() && out[1].is_nan());
            assert_eq!(out[2], last);
        }
    }

    #[test]
    fn clipping_with_scalars_and_tensors() {
        let x = Tensor::vector(&[-5i32, 0, 5]).unwrap();
        let clip = |low: Tensor, high: Tensor| {
            OpTest::new(register, "ClipByValue").input(x.clone()).input(low).input(high).run_one()
        };
        let out = clip(Tensor::scalar(-1i32), Tensor::scalar(1i32)).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), &[-1, 0, 1]);
        let out = clip(Tensor::vector(&[-9i32, 1, 1]).unwrap(), Tensor::scalar(4i32)).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), &[-5, 1, 4]);
        let error = clip(Tensor::vector(&[1i32, 2]).unwrap(), Tensor::scalar(1i32)).unwrap_err();
        assert!(error.message().contains("must be either of"));
    }
}
