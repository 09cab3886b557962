//! Powers, and products with logarithms that are zero where the factor is.

use downpour_graph::{Attrs, GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelBox, KernelBuild, Registry};
use downpour_tensor::{Complex64, Complex128, DataType, RealNumber, Result, Status, bf16, f16};

use super::division::nonzero_mask;
use crate::driver::{Cost, Elementwise, map2};
use crate::gradients::{self, Rule, conj, with_number};
use crate::math::{Function, Logarithm};
use crate::number::Number;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let binary =
        |signature| Ok(OpSpec::new(signature)?.shape(shapes::broadcast_binary).tolerance(1e-5));
    registry.add(
        binary(
            "Pow(x: T, y: T) -> (z: T)
                T: {bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128}",
        )?
        .gradient(pow_gradient),
        pow,
    )?;
    registry.add(
        binary(
            "Xlogy(x: T, y: T) -> (z: T)
                T: {half, bfloat16, float, double, complex64, complex128}",
        )?
        .gradient(xlogy_gradient),
        |build| {
            elementwise!(build, Cost::Moderate, stepwise_float_complex, |x, y| {
                if x.is_zero_value() { T::default() } else { x.times(y.natural_log()) }
            })
        },
    )?;
    registry.add(
        binary(
            "Xlog1py(x: T, y: T) -> (z: T)
                T: {half, bfloat16, float, double, complex64, complex128}",
        )?
        .gradient(xlog1py_gradient),
        |build| {
            elementwise!(build, Cost::Moderate, stepwise_float_complex, |x, y| {
                if x.is_zero_value() { T::default() } else { x.times(y.natural_log_1p()) }
            })
        },
    )
}

fn pow(build: &KernelBuild<'_>) -> Result<KernelBox> {
    match crate::driver::computed_type(build.input_dtype(0)) {
        DataType::Float => Ok(Elementwise::same(build, Cost::Moderate, float_power::<f32>).boxed()),
        DataType::Double => {
            Ok(Elementwise::same(build, Cost::Moderate, float_power::<f64>).boxed())
        }
        dtype if dtype.is_integer() => {
            elementwise!(@list build, Cost::Moderate, [i8 i16 i32 i64],
                |x, y| integer_power(x, y as i64); check(no_negative))
        }
        _ => elementwise!(build, Cost::Moderate, complex, |x, y| Function::power(x, y)),
    }
}

/// Squares and cubes, which models are full of, need no general power.
pub(crate) fn float_power<T: Function + From<u8>>(inputs: [&[T]; 2], out: &mut [T]) {
    let exponents = inputs[1];
    let all = |value: u8| exponents.iter().all(|&y| y == T::from(value));
    match exponents.first() {
        Some(&y) if y == T::from(2) && all(2) => map2(inputs, out, |x, _| x.times(x)),
        Some(&y) if y == T::from(3) && all(3) => map2(inputs, out, |x, _| x.times(x).times(x)),
        _ => map2(inputs, out, |x, y| Function::power(x, y)),
    }
}

/// Refuses negative exponents of integers.
fn no_negative<A: RealNumber>(exponents: &[A]) -> Result<()> {
    match exponents.iter().any(|&y| y < A::zero()) {
        true => {
            Err(Status::invalid_argument("Integers to negative integer powers are not allowed"))
        }
        false => Ok(()),
    }
}

/// Repeated squaring, wrapping.
fn integer_power<A: Number>(base: A, exponent: i64) -> A {
    let (mut result, mut base, mut exponent) = (A::one(), base, exponent.max(0));
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.times(base);
        }
        base = base.times(base);
        exponent >>= 1;
    }
    result
}

/// d(x^y) = y x^(y-1) dx + x^y log(x) dy, with log 0 taken as 0 where the power is real.
fn pow_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let x = conj(cx, cx.input(0))?;
    let y = conj(cx, cx.input(1))?;
    let z = conj(cx, cx.output(0))?;
    let less_one = with_number(cx, "Sub", y, 1.0)?;
    let power = cx.op("Pow", &[x, less_one])?;
    let slope = cx.op("Mul", &[y, power])?;
    let to_x = cx.op("Mul", &[grad, slope])?;
    let zero = cx.number(0.0, x)?;
    // Complex numbers have no order: there only zero itself is left out.
    let test = if cx.dtype(x).is_complex() { "NotEqual" } else { "Greater" };
    let mask = cx.op(test, &[x, zero])?;
    let ones = cx.op("OnesLike", &[x])?;
    let safe_x = cx.op_with("SelectV2", &[mask, x, ones], Attrs::new())?;
    let log = cx.op("Log", &[safe_x])?;
    let zeros = cx.op("ZerosLike", &[x])?;
    let log_x = cx.op("SelectV2", &[mask, log, zeros])?;
    let scaled = cx.op("Mul", &[z, log_x])?;
    let to_y = cx.op("Mul", &[grad, scaled])?;
    gradients::binary(cx, to_x, to_y)
}

/// Without conjugates, as TensorFlow has it for this operation, even where the numbers are complex.
fn xlogy_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (x, y) = (cx.input(0), cx.input(1));
    let nonzero = nonzero_mask(cx, x)?;
    let partial_x = cx.op("Xlogy", &[nonzero, y])?;
    let partial_y = cx.op("Xdivy", &[x, y])?;
    let to_x = cx.op("Mul", &[partial_x, grad])?;
    let to_y = cx.op("Mul", &[partial_y, grad])?;
    gradients::binary(cx, to_x, to_y)
}

/// Without conjugates, as TensorFlow has it for this operation, even where the numbers are complex.
fn xlog1py_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (x, y) = (cx.input(0), cx.input(1));
    let nonzero = nonzero_mask(cx, x)?;
    let partial_x = cx.op("Xlog1py", &[nonzero, y])?;
    let shifted = with_number(cx, "AddV2", y, 1.0)?;
    let partial_y = cx.op("Xdivy", &[x, shifted])?;
    let to_x = cx.op("Mul", &[partial_x, grad])?;
    let to_y = cx.op("Mul", &[partial_y, grad])?;
    gradients::binary(cx, to_x, to_y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Element, Tensor};

    fn run<T: Element>(op: &str, a: &[T], b: &[T]) -> Result<Vec<T>> {
        let test = OpTest::new(register, op).input(Tensor::vector(a)?).input(Tensor::vector(b)?);
        Ok(test.run_one()?.as_slice::<T>()?.to_vec())
    }

    #[test]
    fn powers_of_each_kind() {
        assert_eq!(run("Pow", &[3f32, 2.0], &[2.0, 2.0]).unwrap(), [9.0, 4.0]);
        assert_eq!(run("Pow", &[3f64, 4.0], &[3.0, 0.5]).unwrap(), [27.0, 2.0]);
        assert_eq!(run("Pow", &[3i32, -2], &[4, 3]).unwrap(), [81, -8]);
        assert_eq!(run("Pow", &[2i8], &[9]).unwrap(), [0], "wraps");
        let i = Complex128::new(0.0, 1.0);
        let got = run("Pow", &[i], &[Complex128::new(2.0, 0.0)]).unwrap();
        assert!((got[0] - Complex128::new(-1.0, 0.0)).norm() < 1e-15);
    }

    #[test]
    fn negative_powers_of_integers_are_refused() {
        let error = run("Pow", &[2i32], &[-1]).unwrap_err();
        assert!(error.message().contains("Integers to negative integer powers are not allowed"));
    }

    #[test]
    fn a_zero_factor_wins() {
        assert_eq!(run("Xlogy", &[0f32, 2.0], &[0.0, 1.0]).unwrap(), [0.0, 0.0]);
        assert_eq!(run("Xlog1py", &[0f64, 2.0], &[-1.0, 0.0]).unwrap(), [0.0, 0.0]);
    }
}
