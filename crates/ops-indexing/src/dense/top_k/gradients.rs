//! Gradients of the largest elements: they go back to where the elements stood.

use downpour_graph::{Attrs, Gradient, GradientContext};
use downpour_tensor::{DataType, Result, Tensor};

pub(super) fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    // Rows are flattened to one vector; row r's indices move by r times the row length.
    let grad = cx.grad(0)?;
    let input = cx.input(0);
    let indices = cx.output(1);
    let int64 = || Attrs::new().with("out_type", DataType::Int64);
    let shape = cx.op_with("Shape", &[input], int64())?;
    let last = cx.constant(Tensor::vector(&[-1i64])?)?;
    let zero = cx.constant(Tensor::vector(&[0i64])?)?;
    let one = cx.constant(Tensor::vector(&[1i64])?)?;
    let attrs = Attrs::new().with("shrink_axis_mask", 1i64);
    let columns = cx.op_with("StridedSlice", &[shape, last, zero, one], attrs)?;
    let index_shape = cx.op_with("Shape", &[indices], int64())?;
    let k = {
        let attrs = Attrs::new().with("shrink_axis_mask", 1i64);
        cx.op_with("StridedSlice", &[index_shape, last, zero, one], attrs)?
    };
    let minus_one = cx.scalar(-1i64)?;
    let matrix = cx.op("Pack", &[minus_one, k])?;
    let wide = cx.op_with("Cast", &[indices], Attrs::new().with("DstT", DataType::Int64))?;
    let wide = cx.op("Reshape", &[wide, matrix])?;
    let total = cx.op_with("Size", &[input], int64())?;
    let start = cx.scalar(0i64)?;
    let offsets = cx.op("Range", &[start, total, columns])?;
    let axis = cx.scalar(-1i32)?;
    let offsets = cx.op("ExpandDims", &[offsets, axis])?;
    let flat = cx.op("AddV2", &[wide, offsets])?;
    let column = cx.constant(Tensor::vector(&[-1i64, 1])?)?;
    let flat = cx.op("Reshape", &[flat, column])?;
    let vector = cx.constant(Tensor::vector(&[-1i64])?)?;
    let updates = cx.op("Reshape", &[grad, vector])?;
    let length = cx.op("Reshape", &[total, one])?;
    let dense = cx.op("ScatterNd", &[flat, updates, length])?;
    let dx = cx.op("Reshape", &[dense, shape])?;
    let mut out = vec![Gradient::Dense(dx)];
    out.resize(cx.inputs_len(), Gradient::None);
    Ok(out)
}

pub(super) fn nth_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    // Equal elements share the gradient.
    let grad = cx.grad(0)?;
    let (input, output) = (cx.input(0), cx.output(0));
    let axis = cx.scalar(-1i32)?;
    let value = cx.op("ExpandDims", &[output, axis])?;
    let grad = cx.op("ExpandDims", &[grad, axis])?;
    let hits = cx.op("Equal", &[input, value])?;
    let dtype = cx.dtype(grad);
    let hits = cx.op_with("Cast", &[hits], Attrs::new().with("DstT", dtype))?;
    let keep = Attrs::new().with("keep_dims", true);
    let count = cx.op_with("Sum", &[hits, axis], keep)?;
    let share = cx.op("RealDiv", &[hits, count])?;
    Ok(vec![Gradient::Dense(cx.op("Mul", &[share, grad])?), Gradient::None])
}
