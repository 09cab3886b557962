//! Concat, ConcatV2 and ConcatOffset: tensors side by side along an axis.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Parallel, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};
use smallvec::SmallVec;

use crate::movement::{GRAIN, Rearrange, Unit, rearrange};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Concat(concat_dim: int32, values: N * T) -> (output: T)
                N: int >= 2
                T: type",
        )?
        .shape(infer)
        .gradient(gradient),
        |_| Ok(KernelBox::function(|cx| concat(cx, 0))),
    )?;
    registry.add(
        OpSpec::new(
            "ConcatV2(values: N * T, axis: Tidx) -> (output: T)
                N: int >= 2
                T: type
                Tidx: {int32, int64} = int32",
        )?
        .shape(infer)
        .gradient(gradient),
        |_| Ok(KernelBox::function(|cx| concat(cx, cx.inputs_len() - 1))),
    )?;
    registry.add(
        OpSpec::new(
            "ConcatOffset(concat_dim: int32, shape: N * shape_type) -> (offset: N * shape_type)
                N: int >= 2
                shape_type: {int32, int64} = int32",
        )?
        .shape(offset_shape)
        .not_differentiable(),
        |_| Ok(KernelBox::function(offsets)),
    )
}

fn concat(cx: &mut OpContext<'_>, axis_input: usize) -> Result<()> {
    let axis = cx.input(axis_input);
    if axis.len() != 1 || axis.rank() > 1 {
        return Err(cx.bad_input(
            axis_input,
            format!("tensor should be a scalar integer, but got shape {}", axis.shape()),
        ));
    }
    let axis = axis.to_i64_scalar()?;
    let first_value = if axis_input == 0 { 1 } else { 0 };
    let values: SmallVec<[&Tensor; 8]> =
        (0..cx.inputs_len() - 1).map(|i| cx.input(first_value + i)).collect();
    let output = join(cx.parallel(), &values, axis)?;
    drop(values);
    cx.set_output(0, output);
    Ok(())
}

/// Joins tensors along an axis that may count from the end.
pub(crate) fn join(parallel: &Parallel, values: &[&Tensor], axis: i64) -> Result<Tensor> {
    let Some(first) = values.first() else {
        return Err(Status::invalid_argument("ConcatOp : there is nothing to concatenate"));
    };
    let rank = first.rank();
    if values.iter().any(|v| v.rank() == 0) {
        return Err(Status::invalid_argument(
            "ConcatOp : Can't concatenate scalars (use tf.stack instead)",
        ));
    }
    let axis = first.shape().axis(axis).ok_or_else(|| {
        Status::invalid_argument(format!(
            "ConcatOp : Expected concatenating dimensions in the range [-{rank}, {rank}), but got {axis}"
        ))
    })?;
    let mut total = 0usize;
    for (i, value) in values.iter().enumerate() {
        if value.rank() != rank {
            return Err(Status::invalid_argument(format!(
                "ConcatOp : Ranks of all input tensors should match: shape[0] = {} vs. shape[{i}] = {}",
                first.shape(),
                value.shape()
            )));
        }
        for j in (0..rank).filter(|&j| j != axis) {
            if value.dims()[j] != first.dims()[j] {
                return Err(Status::invalid_argument(format!(
                    "ConcatOp : Dimension {j} in both shapes must be equal: shape[0] = {} vs. \
                     shape[{i}] = {}",
                    first.shape(),
                    value.shape()
                )));
            }
        }
        total = total.checked_add(value.dims()[axis]).ok_or_else(|| {
            Status::invalid_argument("ConcatOp : the concatenated dimension overflows")
        })?;
    }
    let mut shape = first.shape().clone();
    shape.dims_mut()[axis] = total;
    let inner: usize = first.dims()[axis + 1..].iter().product();
    let parts: SmallVec<[&Tensor; 8]> = values.iter().copied().filter(|v| !v.is_empty()).collect();
    if let [only] = parts[..] {
        return only.reshaped(shape);
    }
    let widths = parts.iter().map(|v| v.dims()[axis] * inner).collect();
    rearrange(parallel, first.dtype(), shape, &parts, &Join { widths })
}

/// Rows of the output are made of one piece per input.
pub(crate) struct Join {
    pub widths: SmallVec<[usize; 8]>,
}

impl Rearrange for Join {
    fn run<T: Unit>(&self, parallel: &Parallel, inputs: &[&[T]], output: &mut [T]) {
        let row: usize = self.widths.iter().sum();
        if output.len() == row {
            let mut rest = output;
            for (input, &width) in inputs.iter().zip(&self.widths) {
                let (piece, more) = rest.split_at_mut(width);
                rest = more;
                parallel.for_chunks(piece, 1, 4 * GRAIN, |start, run| {
                    run.clone_from_slice(&input[start..start + run.len()]);
                });
            }
            return;
        }
        parallel.for_chunks(output, row, GRAIN.div_ceil(row), |start, rows| {
            for (i, row) in rows.chunks_exact_mut(row).enumerate() {
                let mut rest = row;
                for (input, &width) in inputs.iter().zip(&self.widths) {
                    let (piece, more) = rest.split_at_mut(width);
                    let from = (start + i) * width;
                    match piece {
                        // Single elements are common (stacking along the last axis).
                        [one] => *one = input[from].clone(),
                        piece => piece.clone_from_slice(&input[from..from + width]),
                    }
                    rest = more;
                }
            }
        });
    }
}

fn offsets(cx: &mut OpContext<'_>) -> Result<()> {
    if cx.input(0).rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Concat dim tensor should be a scalar integer, but got shape {}",
            cx.input(0).shape()
        )));
    }
    let axis = cx.input(0).to_i64_scalar()?;
    for i in 1..cx.inputs_len() {
        if cx.input(i).rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "input {i} should be a vector, but got shape {}",
                cx.input(i).shape()
            )));
        }
    }
    let first = cx.input(1).to_i64_vec()?;
    let rank = first.len() as i64;
    let at = if axis < 0 { axis + rank } else { axis };
    let Some(at) = usize::try_from(at).ok().filter(|&a| a < first.len()) else {
        return Err(Status::invalid_argument(format!(
            "Concat dim is out of range: {axis} vs. {rank}"
        )));
    };
    let mut offset = 0i64;
    for i in 0..cx.inputs_len() - 1 {
        let sizes = cx.input(1 + i).to_i64_vec()?;
        if sizes.len() != first.len() {
            return Err(Status::invalid_argument(format!(
                "input {i} should contain {rank} elements, but got {}",
                sizes.len()
            )));
        }
        if (0..sizes.len()).any(|j| j != at && sizes[j] != first[j]) {
            return Err(Status::invalid_argument(format!(
                "All dimensions except {at} must match. Input {i} has shape {} and doesn't match \
                 input 0 with shape {}.",
                spaced(&sizes),
                spaced(&first)
            )));
        }
        let output = if cx.input(1 + i).dtype() == DataType::Int64 {
            Tensor::build([sizes.len()], |out: &mut [i64]| {
                out.fill(0);
                out[at] = offset;
            })?
        } else {
            Tensor::build([sizes.len()], |out: &mut [i32]| {
                out.fill(0);
                out[at] = offset as i32;
            })?
        };
        cx.set_output(i, output);
        offset = offset.wrapping_add(sizes[at]);
    }
    Ok(())
}

fn spaced(values: &[i64]) -> String {
    let words: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("[{}]", words.join(" "))
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let axis_input = if cx.node().op_name() == "Concat" { 0 } else { cx.inputs().len() - 1 };
    let values: Vec<&PartialShape> =
        (0..cx.inputs().len()).filter(|&i| i != axis_input).map(|i| cx.input(i)).collect();
    let Some(rank) = values.iter().find_map(|v| v.rank()) else { return Ok(()) };
    if rank == 0 {
        return Err(Status::invalid_argument(format!(
            "Can't concatenate scalars (use tf.stack instead) for {}",
            cx.describe()
        )));
    }
    let Some(&[axis]) = cx.constant_ints(axis_input).as_deref() else {
        cx.set_output(0, PartialShape::of_rank(rank));
        return Ok(());
    };
    let axis = Shape::from(vec![1; rank]).axis(axis).ok_or_else(|| {
        Status::invalid_argument(format!("axis {axis} is out of range for {}", cx.describe()))
    })?;
    let mut total = Some(0usize);
    let mut merged = PartialShape::of_rank(rank);
    for value in values {
        let with_axis = |d| match value.dims() {
            Some(dims) => PartialShape::of(
                dims.iter().enumerate().map(|(i, &own)| if i == axis { d } else { own }),
            ),
            None => PartialShape::unknown(),
        };
        merged = cx.merge(&merged, &with_axis(None))?;
        total = total.zip(value.dim(axis)).and_then(|(a, b)| a.checked_add(b));
    }
    let dims = merged.dims().unwrap_or_default();
    let dims = dims.iter().enumerate().map(|(i, &d)| if i == axis { total } else { d });
    cx.set_output(0, PartialShape::of(dims));
    Ok(())
}

fn offset_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    for i in 0..cx.outputs_len() {
        cx.set_output(i, cx.input(i + 1).clone());
    }
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let last = cx.inputs_len() - 1;
    let first_is_axis = cx.node().op_name() == "Concat";
    let (axis, values) = if first_is_axis {
        (cx.input(0), (1..=last).map(|i| cx.input(i)).collect::<Vec<_>>())
    } else {
        (cx.input(last), (0..last).map(|i| cx.input(i)).collect())
    };
    // A negative axis counts from the end, which ConcatOffset and Slice do not know.
    let rank = cx.op("Rank", &[values[0]])?;
    let mut axis32 = axis;
    if cx.dtype(axis) != DataType::Int32 {
        axis32 = cx.op_with("Cast", &[axis], Attrs::new().with("DstT", DataType::Int32))?;
    }
    let axis32 = cx.op("FloorMod", &[axis32, rank])?;
    let sizes = cx.node_with("ShapeN", &values, Attrs::new())?;
    let sizes: Vec<_> = (0..values.len() as u32)
        .map(|port| downpour_graph::Endpoint { node: sizes, port })
        .collect();
    let mut inputs = vec![axis32];
    inputs.extend(&sizes);
    let begins = cx.node_with("ConcatOffset", &inputs, Attrs::new())?;
    let mut grads = Vec::new();
    for (port, &size) in sizes.iter().enumerate() {
        let begin = downpour_graph::Endpoint { node: begins, port: port as u32 };
        grads.push(Gradient::Dense(cx.op("Slice", &[grad, begin, size])?));
    }
    grads.insert(if first_is_axis { 0 } else { last }, Gradient::None);
    Ok(grads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn concat(values: &[Tensor], axis: i32) -> Result<Tensor> {
        let test = OpTest::new(register, "ConcatV2");
        values.iter().fold(test, |t, v| t.input(v.clone())).input(Tensor::scalar(axis)).run_one()
    }

    #[test]
    fn along_each_axis() {
        let a = Tensor::from_vec([2, 1], vec![1f32, 2.0]).unwrap();
        let b = Tensor::from_vec([2, 2], vec![3f32, 4.0, 5.0, 6.0]).unwrap();
        let y = concat(&[a.clone(), b.clone()], -1).unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 3.0, 4.0, 2.0, 5.0, 6.0]);
        let y = concat(&[b.clone(), b], 0).unwrap();
        assert_eq!(y.dims(), &[4, 2]);
        let empty = Tensor::zeros(DataType::Float, [2, 0]).unwrap();
        assert_eq!(concat(&[empty, a], 1).unwrap().dims(), &[2, 1]);
    }

    #[test]
    fn strings_too_and_the_old_form() {
        let s = Tensor::from_strings([1], vec!["x".into()]).unwrap();
        let y = OpTest::new(register, "Concat")
            .input(Tensor::scalar(0i32))
            .input(s.clone())
            .input(s)
            .run_one()
            .unwrap();
        assert_eq!(y.strings().unwrap().len(), 2);
    }

    #[test]
    fn mismatches_are_refused() {
        let a = Tensor::zeros(DataType::Float, [2, 1]).unwrap();
        let b = Tensor::zeros(DataType::Float, [3, 1]).unwrap();
        assert!(concat(&[a.clone(), b], 1).is_err());
        assert!(concat(&[a.clone(), a.clone()], i32::MIN).is_err());
        assert!(concat(&[Tensor::scalar(1f32), Tensor::scalar(1f32)], 0).is_err());
        assert!(concat(&[a, Tensor::vector(&[1f32]).unwrap()], 0).is_err());
    }

    #[test]
    fn offsets_accumulate() {
        let shape = |d: &[i32]| Tensor::vector(d).unwrap();
        let run = |axis: i32, a: &[i32], b: &[i32]| {
            OpTest::new(register, "ConcatOffset")
                .input(Tensor::scalar(axis))
                .input(shape(a))
                .input(shape(b))
                .run()
        };
        let y = run(1, &[2, 3, 5], &[2, 7, 5]).unwrap();
        assert_eq!(y[1].as_slice::<i32>().unwrap(), &[0, 3, 0]);
        let status = run(1, &[2, 3, 5], &[2, 7, 6]).unwrap_err();
        assert!(
            status
                .message()
                .contains("All dimensions except 1 must match. Input 1 has shape [2 7 6]")
        );
        assert!(run(4, &[2, 3, 5], &[2, 7, 5]).is_err());
    }
}
