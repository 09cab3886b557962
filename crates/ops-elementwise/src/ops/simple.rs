//! Absolute value, sign, square, roots and reciprocals, with the operations that are their gradients.

use downpour_graph::{Endpoint, Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::Registry;
use downpour_tensor::{Complex64, Complex128, Result, bf16, f16};

use crate::driver::Cost;
use crate::gradients::{Rule, chain, conj, number_with, unary, with_number};
use crate::math::Function;
use crate::number::{Field, Number};

const SIGNED: &str = "{bfloat16, half, float, double, int8, int16, int32, int64}";
const SIGNED_COMPLEX: &str =
    "{bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}";
const NUMBERS: &str = "{bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}";
const FLOAT_COMPLEX: &str = "{bfloat16, half, float, double, complex64, complex128}";

fn unary_spec(name: &str, types: &str) -> Result<OpSpec> {
    Ok(OpSpec::new(&format!("{name}(x: T) -> (y: T)\nT: {types}"))?.shape(shapes::unchanged))
}

fn gradient_spec(name: &str) -> Result<OpSpec> {
    let signature = format!("{name}(y: T, dy: T) -> (z: T)\nT: {FLOAT_COMPLEX}");
    Ok(OpSpec::new(&signature)?.shape(shapes::unchanged))
}

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    register_magnitudes(registry)?;
    register_roots(registry)?;
    register_gradients(registry)
}

fn register_magnitudes(registry: &mut Registry) -> Result<()> {
    registry.add(
        unary_spec("Abs", SIGNED)?.gradient(|cx| chain(cx, |cx, x, _| cx.op("Sign", &[x]))),
        |build| elementwise!(build, Cost::Cheap, signed, |x| x.magnitude()),
    )?;
    registry.add(unary_spec("Sign", SIGNED_COMPLEX)?.gradient(sign_gradient), |build| {
        elementwise!(build, Cost::Cheap, signed_complex, |x| x.sign_value())
    })?;
    registry.add(unary_spec("Neg", SIGNED_COMPLEX)?.gradient(negative_gradient), |build| {
        elementwise!(build, Cost::Cheap, signed_complex, |x| x.negated())
    })?;
    registry.add(
        unary_spec("Square", NUMBERS)?
            .gradient(|cx| chain(cx, |cx, x, _| with_number(cx, "Mul", x, 2.0))),
        |build| elementwise!(build, Cost::Cheap, number, |x| x.times(x)),
    )
}

fn register_roots(registry: &mut Registry) -> Result<()> {
    registry.add(
        unary_spec("Sqrt", FLOAT_COMPLEX)?.gradient(|cx| from_result(cx, "SqrtGrad")),
        |build| elementwise!(build, Cost::Cheap, float_complex, |x| Function::sqrt(x)),
    )?;
    registry.add(
        unary_spec("Rsqrt", FLOAT_COMPLEX)?.gradient(|cx| from_result(cx, "RsqrtGrad")),
        |build| {
            elementwise!(build, Cost::Cheap, float_complex, |x| {
                <T as Number>::one().over(Function::sqrt(x))
            })
        },
    )?;
    for name in ["Inv", "Reciprocal"] {
        registry.add(
            unary_spec(name, SIGNED_COMPLEX)?.gradient(|cx| from_result(cx, "ReciprocalGrad")),
            |build| {
                elementwise!(build, Cost::Cheap, float_complex, |x| <T as Number>::one().over(x))
            },
        )?;
    }
    Ok(())
}

/// A gradient of zero stays zero, whatever the slope.
fn register_gradients(registry: &mut Registry) -> Result<()> {
    for name in ["InvGrad", "ReciprocalGrad"] {
        registry.add(gradient_spec(name)?.gradient(reciprocal_grad_gradient), |build| {
            elementwise!(build, Cost::Cheap, stepwise_float_complex, |y, dy| {
                let y = y.conjugate();
                let slope = y.times(y).negated();
                if dy.is_zero_value() { T::default() } else { slope.times(dy) }
            }; same_size())
        })?;
    }
    registry.add(gradient_spec("SqrtGrad")?.gradient(sqrt_grad_gradient), |build| {
        elementwise!(build, Cost::Cheap, stepwise_float_complex, |y, dy| {
            let half = <T as Field>::from_f64(0.5).times(dy);
            if dy.is_zero_value() { T::default() } else { half.over(y.conjugate()) }
        }; same_size())
    })?;
    registry.add(gradient_spec("RsqrtGrad")?.gradient(rsqrt_grad_gradient), |build| {
        elementwise!(build, Cost::Cheap, stepwise_float_complex, |y, dy| {
            let y = y.conjugate();
            let cube = dy.times(y).times(y.times(y));
            if dy.is_zero_value() { T::default() } else { <T as Field>::from_f64(-0.5).times(cube) }
        }; same_size())
    })?;
    registry.add(gradient_spec("TanhGrad")?.gradient(tanh_grad_gradient), |build| {
        elementwise!(build, Cost::Cheap, stepwise_float_complex, |y, dy| {
            dy.times(<T as Number>::one().minus(y.times(y)))
        }; same_size())
    })?;
    registry.add(gradient_spec("SigmoidGrad")?.gradient(sigmoid_grad_gradient), |build| {
        elementwise!(build, Cost::Cheap, stepwise_float_complex, |y, dy| {
            dy.times(y.times(<T as Number>::one().minus(y)))
        }; same_size())
    })
}

trait Signed: Copy {
    fn magnitude(self) -> Self;
    fn sign_value(self) -> Self;
}
macro_rules! signed_integers {
    ($($t:ty)*) => {$(
        impl Signed for $t {
            #[inline(always)] fn magnitude(self) -> Self { self.wrapping_abs() }
            #[inline(always)] fn sign_value(self) -> Self { self.signum() }
        }
    )*};
}
signed_integers!(i8 i16 i32 i64);
macro_rules! signed_floats {
    ($($t:ty)*) => {$(
        impl Signed for $t {
            #[inline(always)] fn magnitude(self) -> Self { self.abs() }
            /// NaN stays what it is; zero of either sign gives zero.
            #[inline(always)]
            fn sign_value(self) -> Self {
                if self > 0.0 { 1.0 } else if self < 0.0 { -1.0 } else { self.abs() }
            }
        }
    )*};
}
signed_floats!(f32 f64);
macro_rules! signed_complex {
    ($($t:ident)*) => {$(
        impl Signed for $t {
            fn magnitude(self) -> Self { $t::new(self.norm(), 0.0) }
            /// The point of the unit circle in the same direction.
            fn sign_value(self) -> Self {
                let norm = self.norm();
                if norm == 0.0 { $t::default() } else { $t::new(self.re / norm, self.im / norm) }
            }
        }
    )*};
}
signed_complex!(Complex64 Complex128);

fn negative_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    unary(cx.op("Neg", &[grad])?)
}

fn sign_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let zeros = cx.op("ZerosLike", &[cx.input(0)])?;
    unary(zeros)
}

/// Operations whose gradient has an operation of its own, of the result and its gradient.
pub(super) fn from_result(cx: &mut GradientContext<'_, '_>, op: &str) -> Rule {
    let grad = cx.grad(0)?;
    let output = cx.output(0);
    unary(cx.op(op, &[output, grad])?)
}

fn pair(a: Endpoint, b: Endpoint) -> Rule {
    Ok(vec![Gradient::Dense(a), Gradient::Dense(b)])
}

fn reciprocal_grad_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let b = cx.input(1);
    let a = conj(cx, cx.input(0))?;
    let g = conj(cx, grad)?;
    let scaled = with_number(cx, "Mul", g, -2.0)?;
    let scaled = cx.op("Mul", &[scaled, b])?;
    let to_a = cx.op("Mul", &[scaled, a])?;
    let to_b = cx.op("ReciprocalGrad", &[a, grad])?;
    pair(to_a, to_b)
}

fn sqrt_grad_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (a, y) = (cx.input(0), cx.output(0));
    let ratio = cx.op("RealDiv", &[grad, a])?;
    let conjugate = conj(cx, ratio)?;
    let negative = cx.op("Neg", &[conjugate])?;
    let to_a = cx.op("Mul", &[negative, y])?;
    let to_b = with_number(cx, "Mul", ratio, 0.5)?;
    pair(to_a, to_b)
}

fn rsqrt_grad_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let b = cx.input(1);
    let a = conj(cx, cx.input(0))?;
    let g = conj(cx, grad)?;
    let scaled = with_number(cx, "Mul", g, -1.5)?;
    let scaled = cx.op("Mul", &[scaled, b])?;
    let square = cx.op("Square", &[a])?;
    let to_a = cx.op("Mul", &[scaled, square])?;
    let to_b = cx.op("RsqrtGrad", &[a, grad])?;
    pair(to_a, to_b)
}

fn tanh_grad_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let a = conj(cx, cx.input(0))?;
    let b = conj(cx, cx.input(1))?;
    let scaled = with_number(cx, "Mul", grad, -2.0)?;
    let scaled = cx.op("Mul", &[scaled, b])?;
    let to_a = cx.op("Mul", &[scaled, a])?;
    let to_b = cx.op("TanhGrad", &[a, grad])?;
    pair(to_a, to_b)
}

fn sigmoid_grad_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let a = conj(cx, cx.input(0))?;
    let b = conj(cx, cx.input(1))?;
    let gb = cx.op("Mul", &[grad, b])?;
    let twice = with_number(cx, "Mul", a, 2.0)?;
    let slope = number_with(cx, "Sub", 1.0, twice)?;
    let to_a = cx.op("Mul", &[gb, slope])?;
    let to_b = cx.op("SigmoidGrad", &[a, grad])?;
    pair(to_a, to_b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Element, Tensor};

    fn run1<T: Element>(op: &str, x: &[T]) -> Vec<T> {
        let out = OpTest::new(register, op).input(Tensor::vector(x).unwrap()).run_one().unwrap();
        out.as_slice::<T>().unwrap().to_vec()
    }

    fn run2<T: Element>(op: &str, y: &[T], dy: &[T]) -> Result<Vec<T>> {
        let test = OpTest::new(register, op).input(Tensor::vector(y)?).input(Tensor::vector(dy)?);
        Ok(test.run_one()?.as_slice::<T>()?.to_vec())
    }

    #[test]
    fn magnitudes_and_signs() {
        assert_eq!(run1("Abs", &[-1.5f32, 2.0]), [1.5, 2.0]);
        assert_eq!(run1("Abs", &[i32::MIN, -3]), [i32::MIN, 3]);
        assert_eq!(run1("Sign", &[-2f64, 0.0, 5.0]), [-1.0, 0.0, 1.0]);
        assert!(run1("Sign", &[f32::NAN])[0].is_nan());
        assert_eq!(run1("Neg", &[1i8, -128]), [-1, -128]);
        assert_eq!(run1("Square", &[3u8, 20]), [9, 144]);
        let z = run1("Sign", &[Complex64::new(3.0, 4.0)]);
        assert_eq!(z, [Complex64::new(0.6, 0.8)]);
    }

    #[test]
    fn roots_and_reciprocals() {
        assert_eq!(run1("Sqrt", &[4f32, 9.0]), [2.0, 3.0]);
        assert_eq!(run1("Rsqrt", &[4f64]), [0.5]);
        assert_eq!(run1("Reciprocal", &[4f32, 0.0]), [0.25, f32::INFINITY]);
        assert_eq!(run1("Sqrt", &[Complex64::new(-4.0, 0.0)]), [Complex64::new(0.0, 2.0)]);
    }

    #[test]
    fn gradients_of_zero_stay_zero() {
        assert_eq!(run2("SqrtGrad", &[0f32, 2.0], &[0.0, 4.0]).unwrap(), [0.0, 1.0]);
        assert_eq!(run2("RsqrtGrad", &[f64::INFINITY, 0.5], &[0.0, 2.0]).unwrap(), [0.0, -0.125]);
        assert_eq!(
            run2("ReciprocalGrad", &[f32::INFINITY, 0.5], &[0.0, 2.0]).unwrap(),
            [0.0, -0.5]
        );
        assert_eq!(run2("TanhGrad", &[0.5f32], &[2.0]).unwrap(), [1.5]);
        assert_eq!(run2("SigmoidGrad", &[0.5f32], &[2.0]).unwrap(), [0.5]);
    }

    #[test]
    fn sizes_must_agree() {
        let error = run2("TanhGrad", &[0.5f32, 1.0], &[2.0]).unwrap_err();
        assert!(error.message().contains("same number of elements"));
    }
}
