//! The gradient of Einsum: einsums with the subscripts exchanged.
//!
//! For z = einsum("X,Y->Z", x, y) the gradient of x is einsum("Z,Y->X", grad, y): tracing, transposing
//! and contracting are each undone by the reversed equation. Labels that only X has were summed
//! away; they are brought back by broadcasting first.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext};
use downpour_tensor::{Result, Status, Tensor};

const ELLIPSIS: &str = "...";

pub(super) fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let equation = cx.node().string("equation")?;
    let (inputs, output) = equation
        .split_once("->")
        .ok_or_else(|| Status::invalid_argument(format!("no '->' in equation {equation}")))?;
    let grad = cx.grad(0)?;
    let Some((x_text, y_text)) = inputs.split_once(',') else {
        let summed = only_in(inputs, output);
        let x = cx.input(0);
        let gradient = unary(cx, grad, output, inputs, x, &summed)?;
        return Ok(vec![Gradient::Dense(gradient)]);
    };
    // "...ij,jk->...ik" is valid, but its reversal needs the ellipsis in every operand.
    let complete = |text: &str| {
        let missing = output.contains(ELLIPSIS) && !text.contains(ELLIPSIS);
        format!("{text}{}", if missing { ELLIPSIS } else { "" })
    };
    let (x_subs, y_subs) = (complete(x_text), complete(y_text));
    let (mut x, mut y) = (cx.input(0), cx.input(1));
    if cx.dtype(x).is_complex() {
        (x, y) = (cx.op("Conj", &[x])?, cx.op("Conj", &[y])?);
    }
    let grad_x = binary(cx, grad, output, y, &y_subs, x, &x_subs)?;
    let grad_y = binary(cx, grad, output, x, &x_subs, y, &y_subs)?;
    if !output.contains(ELLIPSIS) {
        return Ok(vec![Gradient::Dense(grad_x), Gradient::Dense(grad_y)]);
    }
    let (x_shape, y_shape) = (cx.shape(x)?, cx.shape(y)?);
    let x_batch = ellipsis_shape(cx, x_shape, &x_subs)?;
    let y_batch = ellipsis_shape(cx, y_shape, &y_subs)?;
    let axes = cx.node_with("BroadcastGradientArgs", &[x_batch, y_batch], Attrs::new())?;
    let mut gradients = Vec::new();
    for (port, grad, shape, subs) in [(0, grad_x, x_shape, &x_subs), (1, grad_y, y_shape, &y_subs)]
    {
        let start = subs.find(ELLIPSIS).unwrap_or(0) as i32;
        let start = cx.scalar(start)?;
        let axes = cx.op("AddV2", &[Endpoint { node: axes, port }, start])?;
        let sum = cx.op("Sum", &[grad, axes])?;
        gradients.push(Gradient::Dense(cx.op("Reshape", &[sum, shape])?));
    }
    Ok(gradients)
}

/// Labels of `subs`, each once, that are not in `others`.
fn only_in(subs: &str, others: &str) -> Vec<char> {
    let mut labels = Vec::new();
    for c in subs.chars().filter(|&c| c != '.' && !others.contains(c)) {
        if !labels.contains(&c) {
            labels.push(c);
        }
    }
    labels
}

fn einsum(
    cx: &mut GradientContext<'_, '_>,
    equation: String,
    inputs: &[Endpoint],
) -> Result<Endpoint> {
    cx.op_with("Einsum", inputs, Attrs::new().with("equation", equation))
}

fn binary(
    cx: &mut GradientContext<'_, '_>,
    grad: Endpoint,
    output: &str,
    other: Endpoint,
    other_subs: &str,
    input: Endpoint,
    input_subs: &str,
) -> Result<Endpoint> {
    let summed = only_in(input_subs, &format!("{output}{other_subs}"));
    let left: String = input_subs.chars().filter(|c| !summed.contains(c)).collect();
    let partial = einsum(cx, format!("{output},{other_subs}->{left}"), &[grad, other])?;
    if summed.is_empty() {
        return Ok(partial);
    }
    unary(cx, partial, &left, input_subs, input, &summed)
}

/// The gradient of `input_subs -> output`, which sums away the labels `summed`.
fn unary(
    cx: &mut GradientContext<'_, '_>,
    grad: Endpoint,
    output: &str,
    input_subs: &str,
    input: Endpoint,
    summed: &[char],
) -> Result<Endpoint> {
    if summed.is_empty() {
        return einsum(cx, format!("{output}->{input_subs}"), &[grad]);
    }
    let input_shape = cx.shape(input)?;
    let grad_shape = cx.shape(grad)?;
    let zero = cx.scalar(0i32)?;
    let mut parts = Vec::new();
    for &label in summed {
        let index = axis_index(cx, input_shape, input_subs, label)?;
        parts.push(cx.op("Gather", &[input_shape, index])?);
    }
    parts.extend([grad_shape, zero]);
    let full_shape = concat(cx, &parts)?;
    let ones = cx.constant(Tensor::vector(&vec![1i32; summed.len()])?)?;
    let kept_shape = concat(cx, &[ones, grad_shape, zero])?;
    let kept = cx.op("Reshape", &[grad, kept_shape])?;
    let full = cx.op("BroadcastTo", &[kept, full_shape])?;
    let names: String = summed.iter().collect();
    einsum(cx, format!("{names}{output}->{input_subs}"), &[full])
}

/// Joins vectors; the last endpoint is the axis.
fn concat(cx: &mut GradientContext<'_, '_>, parts: &[Endpoint]) -> Result<Endpoint> {
    cx.op("ConcatV2", parts)
}

/// The axis of a label as a vector of one number; after an ellipsis it is counted from the end.
fn axis_index(
    cx: &mut GradientContext<'_, '_>,
    shape: Endpoint,
    subs: &str,
    label: char,
) -> Result<Endpoint> {
    let (before, after) = subs.split_once(ELLIPSIS).unwrap_or((subs, ""));
    if let Some(axis) = before.chars().position(|c| c == label) {
        return cx.constant(Tensor::vector(&[axis as i32])?);
    }
    let from_end =
        after.chars().position(|c| c == label).unwrap_or(0) as i32 - after.chars().count() as i32;
    let offset = cx.constant(Tensor::vector(&[from_end])?)?;
    let rank = cx.shape(shape)?;
    cx.op("AddV2", &[rank, offset])
}

/// The sizes of the axes that the ellipsis stands for.
fn ellipsis_shape(
    cx: &mut GradientContext<'_, '_>,
    shape: Endpoint,
    subs: &str,
) -> Result<Endpoint> {
    let start = subs.find(ELLIPSIS).unwrap_or(0) as i32;
    let named = (subs.len() - ELLIPSIS.len()) as i32;
    let begin = cx.constant(Tensor::vector(&[start])?)?;
    let named = cx.constant(Tensor::vector(&[named])?)?;
    let rank = cx.shape(shape)?;
    let size = cx.op("Sub", &[rank, named])?;
    cx.op("Slice", &[shape, begin, size])
}
