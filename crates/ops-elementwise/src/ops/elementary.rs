//! Exponentials, logarithms, trigonometric and hyperbolic functions.

use downpour_graph::{Endpoint, Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelFactory, Registry};
use downpour_tensor::{Complex64, Complex128, Result};

use super::simple::from_result;
use crate::driver::Cost;
use crate::gradients::{self, Rule, chain, number_with, with_number};
use crate::math::{Function, RealFunction};

type Cx<'a, 'g> = GradientContext<'a, 'g>;

/// Float functions of both implementations differ by a few units in the last place.
const TOLERANCE: f64 = 4e-6;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    macro_rules! functions {
        ($($name:literal $method:ident $gradient:expr;)*) => {$(
            let kernel: KernelFactory =
                |build| elementwise!(build, Cost::Moderate, float_complex, |x| Function::$method(x));
            let signature = concat!(
                $name,
                "(x: T) -> (y: T)\nT: {bfloat16, half, float, double, complex64, complex128}"
            );
            registry.add(
                OpSpec::new(signature)?
                    .shape(shapes::unchanged)
                    .gradient($gradient)
                    .tolerance(TOLERANCE),
                kernel,
            )?;
        )*};
    }
    functions! {
        "Exp" exp |cx| chain(cx, |_, _, y| Ok(y));
        "Expm1" exp_m1 |cx| chain(cx, |cx, x, _| cx.op("Exp", &[x]));
        "Log" log |cx| chain(cx, |cx, x, _| cx.op("Reciprocal", &[x]));
        "Log1p" log_1p |cx| chain(cx, |cx, x, _| {
            let shifted = number_with(cx, "AddV2", 1.0, x)?;
            cx.op("Reciprocal", &[shifted])
        });
        "Sinh" sinh |cx| chain(cx, |cx, x, _| cx.op("Cosh", &[x]));
        "Cosh" cosh |cx| chain(cx, |cx, x, _| cx.op("Sinh", &[x]));
        "Tanh" tanh |cx| conjugated_result(cx, "TanhGrad");
        "Sigmoid" sigmoid |cx| conjugated_result(cx, "SigmoidGrad");
        "Asinh" asinh |cx| over_slope(cx, |cx, _, y| cx.op("Cosh", &[y]));
        "Acosh" acosh |cx| over_slope(cx, |cx, _, y| cx.op("Sinh", &[y]));
        "Atanh" atanh |cx| chain(cx, |cx, x, _| {
            let square = cx.op("Square", &[x])?;
            let rest = number_with(cx, "Sub", 1.0, square)?;
            cx.op("Reciprocal", &[rest])
        });
        "Sin" sin |cx| chain(cx, |cx, x, _| cx.op("Cos", &[x]));
        "Cos" cos |cx| chain(cx, |cx, x, _| {
            let sine = cx.op("Sin", &[x])?;
            cx.op("Neg", &[sine])
        });
        "Tan" tan |cx| chain(cx, |cx, x, _| {
            let cosine = cx.op("Cos", &[x])?;
            let secant = cx.op("Reciprocal", &[cosine])?;
            cx.op("Square", &[secant])
        });
        "Asin" asin |cx| chain(cx, |cx, x, _| inverse_root(cx, x));
        "Acos" acos |cx| chain(cx, |cx, x, _| {
            let slope = inverse_root(cx, x)?;
            cx.op("Neg", &[slope])
        });
        "Atan" atan |cx| chain(cx, |cx, x, _| {
            let square = cx.op("Square", &[x])?;
            let sum = number_with(cx, "AddV2", 1.0, square)?;
            cx.op("Reciprocal", &[sum])
        });
    }
    registry.add(
        OpSpec::new("Atan2(y: T, x: T) -> (z: T)\nT: {bfloat16, half, float, double}")?
            .shape(shapes::broadcast_binary)
            .gradient(atan2_gradient)
            .tolerance(TOLERANCE),
        |build| elementwise!(build, Cost::Moderate, float, |y, x| y.atan2(x)),
    )?;
    registry.add(
        OpSpec::new("NextAfter(x1: T, x2: T) -> (output: T)\nT: {double, float} = float")?
            .shape(shapes::broadcast_binary)
            .gradient(next_after_gradient),
        |build| elementwise!(build, Cost::Cheap, float, |x, y| x.next_after(y)),
    )
}

/// 1 / sqrt(1 - x^2).
fn inverse_root(cx: &mut Cx<'_, '_>, x: Endpoint) -> Result<Endpoint> {
    let square = cx.op("Square", &[x])?;
    let rest = number_with(cx, "Sub", 1.0, square)?;
    let root = cx.op("Sqrt", &[rest])?;
    cx.op("Reciprocal", &[root])
}

fn conjugated_result(cx: &mut Cx<'_, '_>, op: &str) -> Rule {
    if !cx.dtype(cx.input(0)).is_complex() {
        return from_result(cx, op);
    }
    let grad = cx.grad(0)?;
    let y = gradients::conj(cx, cx.output(0))?;
    gradients::unary(cx.op(op, &[y, grad])?)
}

/// The gradient divided by a slope.
fn over_slope(
    cx: &mut Cx<'_, '_>,
    slope: fn(&mut Cx<'_, '_>, Endpoint, Endpoint) -> Result<Endpoint>,
) -> Rule {
    let grad = cx.grad(0)?;
    let x = gradients::conj(cx, cx.input(0))?;
    let y = gradients::conj(cx, cx.output(0))?;
    let slope = slope(cx, x, y)?;
    gradients::unary(cx.op("RealDiv", &[grad, slope])?)
}

/// Of y and x: x / (x^2 + y^2) and -y / (x^2 + y^2).
fn atan2_gradient(cx: &mut Cx<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (y, x) = (cx.input(0), cx.input(1));
    let squares = (cx.op("Square", &[x])?, cx.op("Square", &[y])?);
    let sum = cx.op("AddV2", &[squares.0, squares.1])?;
    let scaled = cx.op("RealDiv", &[grad, sum])?;
    let to_y = cx.op("Mul", &[x, scaled])?;
    let negative = cx.op("Neg", &[y])?;
    let to_x = cx.op("Mul", &[negative, scaled])?;
    gradients::binary(cx, to_y, to_x)
}

fn next_after_gradient(cx: &mut Cx<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let zeros = with_number(cx, "Mul", grad, 0.0)?;
    let (a, b) = (cx.input(0), cx.input(1));
    Ok(vec![
        Gradient::Dense(cx.unbroadcast(grad, a, b)?),
        Gradient::Dense(cx.unbroadcast(zeros, b, a)?),
    ])
}

trait Neighbour: RealFunction {
    fn next_after(self, towards: Self) -> Self;
}

impl Neighbour for f32 {
    fn next_after(self, towards: f32) -> f32 {
        libm::nextafterf(self, towards)
    }
}

impl Neighbour for f64 {
    fn next_after(self, towards: f64) -> f64 {
        libm::nextafter(self, towards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Element, Tensor, f16};

    fn run<T: Element>(op: &str, x: &[T]) -> Vec<T> {
        let out = OpTest::new(register, op).input(Tensor::vector(x).unwrap()).run_one().unwrap();
        out.as_slice::<T>().unwrap().to_vec()
    }

    #[test]
    fn every_function_agrees_with_double_precision() {
        let xs = [0.1f32, 0.3, 0.7, 0.9];
        type Case = (&'static str, fn(f64) -> f64);
        let cases: &[Case] = &[
            ("Exp", f64::exp),
            ("Expm1", f64::exp_m1),
            ("Log", f64::ln),
            ("Log1p", f64::ln_1p),
            ("Sinh", f64::sinh),
            ("Cosh", f64::cosh),
            ("Tanh", f64::tanh),
            ("Asinh", f64::asinh),
            ("Atanh", f64::atanh),
            ("Sin", f64::sin),
            ("Cos", f64::cos),
            ("Tan", f64::tan),
            ("Asin", f64::asin),
            ("Acos", f64::acos),
            ("Atan", f64::atan),
            ("Sigmoid", |x| 1.0 / (1.0 + (-x).exp())),
        ];
        for (op, f) in cases {
            for (got, x) in run(op, &xs).into_iter().zip(xs) {
                let expected = f(x as f64);
                assert!((got as f64 - expected).abs() < 4e-7 * expected.abs(), "{op}({x}) = {got}");
            }
            let half = run(op, &[f16::from_f32(0.5)])[0].to_f64();
            assert!((half - f(0.5)).abs() < 1e-3, "{op} in half");
            let double = run(op, &[0.5f64])[0];
            assert!((double - f(0.5)).abs() < 1e-14, "{op} in double");
            let complex = run(op, &[Complex128::new(0.5, 0.0)])[0];
            assert!((complex - Complex128::new(f(0.5), 0.0)).norm() < 1e-14, "{op} of a complex");
        }
        assert!((run("Acosh", &[2f64])[0] - 2f64.acosh()).abs() < 1e-14);
    }

    #[test]
    fn two_operands() {
        let run = |op: &str, a: f32, b: f32| {
            let test = OpTest::new(register, op).input(Tensor::scalar(a)).input(Tensor::scalar(b));
            test.run_one().unwrap().to_scalar::<f32>().unwrap()
        };
        assert_eq!(run("Atan2", 1.0, -1.0), 1f32.atan2(-1.0));
        assert_eq!(run("NextAfter", 1.0, 2.0), 1.0 + f32::EPSILON);
    }
}
