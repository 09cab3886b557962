//! Quotients. Integer division by zero is an error; float division follows IEEE.

use downpour_graph::{GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelBox, KernelBuild, Registry};
use downpour_tensor::{Complex64, Complex128, Result, Status};

use crate::driver::Cost;
use crate::gradients::{self, Rule, conj};
use crate::number::{Field, Number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let binary = |signature| Ok(OpSpec::new(signature)?.shape(shapes::broadcast_binary));
    registry.add(
        binary(
            "Div(x: T, y: T) -> (z: T)
                T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
        )?
        .gradient(div_gradient),
        divide,
    )?;
    registry.add(
        binary(
            "RealDiv(x: T, y: T) -> (z: T)
                T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
        )?
        .gradient(div_gradient),
        |build| elementwise!(build, Cost::Cheap, float_complex, |x, y| x.over(y)),
    )?;
    registry.add(
        binary(
            "DivNoNan(x: T, y: T) -> (z: T)
                T: {half, float, bfloat16, double, complex64, complex128}",
        )?
        .gradient(div_no_nan_gradient),
        |build| {
            elementwise!(build, Cost::Cheap, float_complex, |x, y| {
                if y.is_zero_value() { T::default() } else { x.over(y) }
            })
        },
    )?;
    registry.add(
        binary(
            "FloorDiv(x: T, y: T) -> (z: T)
                T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
        )?
        .not_differentiable(),
        floor_divide,
    )?;
    registry.add(
        binary(
            "TruncateDiv(x: T, y: T) -> (z: T)
                T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
        )?
        .not_differentiable(),
        |build| match build.input_dtype(0).is_integer() {
            true => divide(build),
            false => elementwise!(build, Cost::Cheap, float, |x, y| (x / y).trunc()),
        },
    )?;
    registry.add(
        binary(
            "Xdivy(x: T, y: T) -> (z: T)
                T: {half, bfloat16, float, double, complex64, complex128}",
        )?
        .gradient(xdivy_gradient),
        |build| {
            elementwise!(build, Cost::Cheap, float_complex, |x, y| {
                if x.is_zero_value() { T::default() } else { x.over(y) }
            })
        },
    )
}

/// Refuses integer divisors of zero.
pub(super) fn no_zero<A: Number>(divisors: &[A]) -> Result<()> {
    match divisors.iter().any(|d| d.is_zero_value()) {
        true => Err(Status::invalid_argument("Integer division by zero")),
        false => Ok(()),
    }
}

/// Division that rounds towards zero or down, and wraps where the smallest number meets -1. The
/// divisor was checked; zero gives zero only so that no row can panic.
pub(super) trait IntegerDivision: Number {
    fn quotient(self, divisor: Self) -> Self;
    fn floor_quotient(self, divisor: Self) -> Self;
    fn remainder(self, divisor: Self) -> Self;
    fn floor_remainder(self, divisor: Self) -> Self;
}

macro_rules! integer_division {
    ($($t:ty),*; $negative:expr) => {$(
        impl IntegerDivision for $t {
            #[inline(always)]
            fn quotient(self, divisor: Self) -> Self {
                if divisor == 0 { 0 } else { self.wrapping_div(divisor) }
            }
            #[inline(always)]
            fn floor_quotient(self, divisor: Self) -> Self {
                let z = self.quotient(divisor);
                let opposite = $negative(self as i64) != $negative(divisor as i64);
                let inexact = z.wrapping_mul(divisor) != self;
                if inexact && opposite { z.wrapping_sub(1) } else { z }
            }
            #[inline(always)]
            fn remainder(self, divisor: Self) -> Self {
                if divisor == 0 { 0 } else { self.wrapping_rem(divisor) }
            }
            #[inline(always)]
            fn floor_remainder(self, divisor: Self) -> Self {
                let r = self.remainder(divisor);
                let opposite = $negative(r as i64) != $negative(divisor as i64);
                if r != 0 && opposite { r.wrapping_add(divisor) } else { r }
            }
        }
    )*};
}
integer_division!(i8, i16, i32, i64; |v: i64| v < 0);
integer_division!(u8, u16, u32, u64; |_: i64| false);

fn divide(build: &KernelBuild<'_>) -> Result<KernelBox> {
    if build.input_dtype(0).is_integer() {
        return elementwise!(build, Cost::Cheap, integer, |x, y| x.quotient(y); check(no_zero));
    }
    elementwise!(build, Cost::Cheap, float_complex, |x, y| x.over(y))
}

fn floor_divide(build: &KernelBuild<'_>) -> Result<KernelBox> {
    if build.input_dtype(0).is_integer() {
        return elementwise!(build, Cost::Cheap, integer, |x, y| x.floor_quotient(y); check(no_zero));
    }
    elementwise!(build, Cost::Cheap, float, |x, y| (x / y).floor())
}

/// d(x / y) = dx / y - x / y / y dy.
fn quotient_gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Rule {
    let grad = cx.grad(0)?;
    let x = conj(cx, cx.input(0))?;
    let y = conj(cx, cx.input(1))?;
    let to_x = cx.op(op, &[grad, y])?;
    let negative = cx.op("Neg", &[x])?;
    let once = cx.op(op, &[negative, y])?;
    let twice = cx.op(op, &[once, y])?;
    let to_y = cx.op("Mul", &[grad, twice])?;
    gradients::binary(cx, to_x, to_y)
}

fn div_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let op = if cx.dtype(cx.input(0)).is_integer() { "Div" } else { "RealDiv" };
    quotient_gradient(cx, op)
}

fn div_no_nan_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    quotient_gradient(cx, "DivNoNan")
}

/// Without conjugates, as TensorFlow has it for this operation, even where the numbers are complex.
fn xdivy_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (x, y) = (cx.input(0), cx.input(1));
    let nonzero = nonzero_mask(cx, x)?;
    let partial_x = cx.op("Xdivy", &[nonzero, y])?;
    let negative = cx.op("Neg", &[x])?;
    let square = cx.op("Square", &[y])?;
    let partial_y = cx.op("Xdivy", &[negative, square])?;
    let to_x = cx.op("Mul", &[partial_x, grad])?;
    let to_y = cx.op("Mul", &[partial_y, grad])?;
    gradients::binary(cx, to_x, to_y)
}

/// 1 where x is not zero, else 0, in x's type.
pub(super) fn nonzero_mask(
    cx: &mut GradientContext<'_, '_>,
    x: downpour_graph::Endpoint,
) -> Result<downpour_graph::Endpoint> {
    let zero = cx.number(0.0, x)?;
    let attrs = downpour_graph::Attrs::new().with("incompatible_shape_error", true);
    let unequal = cx.op_with("NotEqual", &[x, zero], attrs)?;
    let dtype = cx.dtype(x);
    cx.op_with("Cast", &[unequal], downpour_graph::Attrs::new().with("DstT", dtype))
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, Element, Tensor};

    fn run<T: Element>(op: &str, a: &[T], b: &[T]) -> Result<Vec<T>> {
        let test = OpTest::new(register, op).input(Tensor::vector(a)?).input(Tensor::vector(b)?);
        Ok(test.run_one()?.as_slice::<T>()?.to_vec())
    }

    #[test]
    fn integers_round_towards_zero_or_down() {
        let (a, b) = ([7i32, -7, 7, -7], [2i32, 2, -2, -2]);
        assert_eq!(run("Div", &a, &b).unwrap(), [3, -3, -3, 3]);
        assert_eq!(run("TruncateDiv", &a, &b).unwrap(), [3, -3, -3, 3]);
        assert_eq!(run("FloorDiv", &a, &b).unwrap(), [3, -4, -4, 3]);
        assert_eq!(run("FloorDiv", &[200u8], &[3]).unwrap(), [66]);
        assert_eq!(run("FloorDiv", &[i64::MIN], &[-1]).unwrap(), [i64::MIN]);
    }

    #[test]
    fn floats_follow_ieee_and_their_own_roundings() {
        assert_eq!(
            run("RealDiv", &[1f32, -1.0], &[0.0, 0.0]).unwrap(),
            [f32::INFINITY, -f32::INFINITY]
        );
        assert_eq!(run("DivNoNan", &[1f32, 4.0], &[0.0, 2.0]).unwrap(), [0.0, 2.0]);
        assert_eq!(run("FloorDiv", &[-7f64, 7.0], &[2.0, 2.0]).unwrap(), [-4.0, 3.0]);
        assert_eq!(run("TruncateDiv", &[-7f64, 7.0], &[2.0, 2.0]).unwrap(), [-3.0, 3.0]);
        assert_eq!(run("Xdivy", &[0f32, 3.0], &[0.0, 2.0]).unwrap(), [0.0, 1.5]);
    }

    #[test]
    fn dividing_integers_by_zero_is_an_error() {
        for op in ["Div", "FloorDiv", "TruncateDiv"] {
            let error = run(op, &[1i32, 2], &[1, 0]).unwrap_err();
            assert_eq!(error.code(), Code::InvalidArgument);
            assert!(error.message().contains("Integer division by zero"));
        }
        let scalar = Tensor::scalar(0i64);
        let error = OpTest::new(register, "FloorDiv").input(scalar.clone()).input(scalar).run();
        assert!(error.is_err());
        assert_eq!(run::<i32>("Div", &[], &[]).unwrap(), []);
    }
}
