//! Steps that the differentiation rules of this family share.

use downpour_graph::{Endpoint, Gradient, GradientContext};
use downpour_tensor::Result;

pub(crate) type Rule = Result<Vec<Gradient>>;

/// The complex conjugate of a value; real values as they are.
pub(crate) fn conj(cx: &mut GradientContext<'_, '_>, value: Endpoint) -> Result<Endpoint> {
    if cx.dtype(value).is_complex() { cx.op("Conj", &[value]) } else { Ok(value) }
}

/// The gradient of an operation with one operand.
pub(crate) fn unary(gradient: Endpoint) -> Rule {
    Ok(vec![Gradient::Dense(gradient)])
}

/// The gradients of two operands that were broadcast against each other.
pub(crate) fn binary(cx: &mut GradientContext<'_, '_>, x: Endpoint, y: Endpoint) -> Rule {
    let (a, b) = (cx.input(0), cx.input(1));
    Ok(vec![Gradient::Dense(cx.unbroadcast(x, a, b)?), Gradient::Dense(cx.unbroadcast(y, b, a)?)])
}

/// Like `binary`, where no gradient flows to the first operand.
pub(crate) fn second_only(cx: &mut GradientContext<'_, '_>, y: Endpoint) -> Rule {
    let (a, b) = (cx.input(0), cx.input(1));
    Ok(vec![Gradient::None, Gradient::Dense(cx.unbroadcast(y, b, a)?)])
}

/// `a op b` where b is a number of a's type.
pub(crate) fn with_number(
    cx: &mut GradientContext<'_, '_>,
    op: &str,
    a: Endpoint,
    number: f64,
) -> Result<Endpoint> {
    let number = cx.number(number, a)?;
    cx.op(op, &[a, number])
}

/// The chain rule for one operand: the gradient times a slope computed from the conjugates of the
/// operand and the result.
pub(crate) fn chain(
    cx: &mut GradientContext<'_, '_>,
    slope: fn(&mut GradientContext<'_, '_>, Endpoint, Endpoint) -> Result<Endpoint>,
) -> Rule {
    let grad = cx.grad(0)?;
    let x = conj(cx, cx.input(0))?;
    let y = conj(cx, cx.output(0))?;
    let slope = slope(cx, x, y)?;
    unary(cx.op("Mul", &[grad, slope])?)
}

/// `number op b` where the number gets b's type.
pub(crate) fn number_with(
    cx: &mut GradientContext<'_, '_>,
    op: &str,
    number: f64,
    b: Endpoint,
) -> Result<Endpoint> {
    let number = cx.number(number, b)?;
    cx.op(op, &[number, b])
}
