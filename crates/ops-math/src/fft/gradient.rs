//! Gradients of Fourier transforms: the opposite transform, scaled.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext};
use downpour_tensor::{DataType, Result, Tensor};

use super::rank_of;

type Cx<'a, 'b, 'c> = &'a mut GradientContext<'b, 'c>;

fn cast(cx: Cx<'_, '_, '_>, value: Endpoint, dtype: DataType) -> Result<Endpoint> {
    cx.op_with("Cast", &[value], Attrs::new().with("DstT", dtype))
}

/// The name of the operation, the number of transformed axes.
fn operation(cx: Cx<'_, '_, '_>) -> (String, usize) {
    let name = cx.node().op_name().to_string();
    let rank = rank_of(&name).unwrap_or(1);
    (name, rank)
}

/// The number of points of the last `rank` axes of `value`.
fn points(cx: Cx<'_, '_, '_>, value: Endpoint, rank: usize) -> Result<Endpoint> {
    let shape = cx.shape(value)?;
    let full = cx.shape(shape)?;
    let taken = cx.constant(Tensor::vector(&[rank as i32])?)?;
    let begin = cx.op("Sub", &[full, taken])?;
    let last = cx.op("Slice", &[shape, begin, taken])?;
    let axis = cx.constant(Tensor::vector(&[0i32])?)?;
    cx.op("Prod", &[last, axis])
}

pub(super) fn fft(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (name, rank) = operation(cx);
    let grad = cx.grad(0)?;
    let dtype = cx.dtype(grad);
    let size = points(cx, grad, rank)?;
    let size = cast(cx, size, dtype)?;
    let back = cx.op(&format!("I{name}"), &[grad])?;
    Ok(vec![Gradient::Dense(cx.op("Mul", &[back, size])?)])
}

pub(super) fn ifft(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (name, rank) = operation(cx);
    let grad = cx.grad(0)?;
    let dtype = cx.dtype(grad);
    let size = points(cx, grad, rank)?;
    let size = cast(cx, size, dtype)?;
    let forward = cx.op(&name[1..], &[grad])?;
    Ok(vec![Gradient::Dense(cx.op("RealDiv", &[forward, size])?)])
}

/// A real transform is a complex one of which half is kept: the gradient is filled up with zeros,
/// transformed back, and its real part filled up to the input's shape where the input was cut.
pub(super) fn rfft(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (name, rank) = operation(cx);
    let (grad, input, lengths) = (cx.grad(0)?, cx.input(0), cx.input(1));
    let one = cx.constant(Tensor::vector(&[1i32])?)?;
    let zero = cx.constant(Tensor::vector(&[0i32])?)?;
    let axis = cx.scalar(0i32)?;
    let last = cx.constant(Tensor::vector(&[rank as i32 - 1])?)?;
    let length = cx.op("Slice", &[lengths, last, one])?;
    // The missing columns of the spectrum are put behind the last axis.
    let grad_shape = cx.shape(grad)?;
    let grad_rank = cx.shape(grad_shape)?;
    let outer = cx.op("Sub", &[grad_rank, one])?;
    let columns = cx.op("Slice", &[grad_shape, outer, one])?;
    let missing = cx.op("Sub", &[length, columns])?;
    let missing = cx.op("Maximum", &[missing, zero])?;
    let no_padding = cx.scalar(0i32)?;
    let none = cx.op("Fill", &[outer, no_padding])?;
    let behind = cx.op("ConcatV2", &[none, missing, axis])?;
    let full = padded(cx, grad, behind)?;
    let complex = cx.dtype(grad);
    let size = points(cx, full, rank)?;
    let size = cast(cx, size, complex)?;
    let back = cx.op(&name.replace("RFFT", "IFFT"), &[full])?;
    let back = cx.op("Mul", &[back, size])?;
    let real = cx.dtype(input);
    let back = cx.op_with("Real", &[back], Attrs::new().with("Tout", real))?;
    let (input_shape, back_shape) = (cx.shape(input)?, cx.shape(back)?);
    let cut = cx.op("Sub", &[input_shape, back_shape])?;
    let out = padded(cx, back, cut)?;
    Ok(vec![Gradient::Dense(out), Gradient::None])
}

/// `value` with zeros behind each axis, as many as the vector `behind` tells.
fn padded(cx: Cx<'_, '_, '_>, value: Endpoint, behind: Endpoint) -> Result<Endpoint> {
    let before = cx.op("ZerosLike", &[behind])?;
    let paddings = cx.op_with("Pack", &[before, behind], Attrs::new().with("axis", 1i64))?;
    cx.op("Pad", &[value, paddings])
}

/// Columns that stand for themselves and their conjugates count twice.
pub(super) fn irfft(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (name, rank) = operation(cx);
    let (grad, input, lengths) = (cx.grad(0)?, cx.input(0), cx.input(1));
    let (real, complex) = (cx.dtype(grad), cx.dtype(input));
    let one = cx.constant(Tensor::vector(&[1i32])?)?;
    let two = cx.constant(Tensor::vector(&[2i32])?)?;
    let axis = cx.scalar(0i32)?;
    let last = cx.constant(Tensor::vector(&[rank as i32 - 1])?)?;
    let length = cx.op("Slice", &[lengths, last, one])?;
    let odd = cx.op("FloorMod", &[length, two])?;
    let half = cx.op("FloorDiv", &[length, two])?;
    let columns = cx.op("AddV2", &[half, one])?;
    let doubled = cx.op("Sub", &[columns, two])?;
    let doubled = cx.op("AddV2", &[doubled, odd])?;
    let single = cx.op("Sub", &[one, odd])?;
    let (value_one, value_two) = (cx.number(1.0, grad)?, cx.number(2.0, grad)?);
    let parts = [
        cx.op("Fill", &[one, value_one])?,
        cx.op("Fill", &[doubled, value_two])?,
        cx.op("Fill", &[single, value_one])?,
        axis,
    ];
    let mask = cx.op("ConcatV2", &parts)?;
    let size = points(cx, grad, rank)?;
    let size = cast(cx, size, real)?;
    let scale = cx.op("RealDiv", &[mask, size])?;
    let scale = cast(cx, scale, complex)?;
    let attrs = Attrs::new().with("Tcomplex", complex);
    let forward = cx.op_with(&name[1..], &[grad, lengths], attrs)?;
    let scaled = cx.op("Mul", &[forward, scale])?;
    // Columns the inverse transform did not read have no gradient.
    let (input_shape, shape) = (cx.shape(input)?, cx.shape(scaled)?);
    let cut = cx.op("Sub", &[input_shape, shape])?;
    let out = padded(cx, scaled, cut)?;
    Ok(vec![Gradient::Dense(out), Gradient::None])
}
