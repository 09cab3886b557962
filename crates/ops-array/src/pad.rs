//! Pad and PadV2: a border of one value around a tensor.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::movement::{Moves, StridedCopy, rearrange, zero_scalar};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Pad(input: T, paddings: Tpaddings) -> (output: T)
                T: type
                Tpaddings: {int32, int64} = int32",
        )?
        .shape(infer)
        .gradient(gradient),
        |_| Ok(KernelBox::function(pad)),
    )?;
    registry.add(
        OpSpec::new(
            "PadV2(input: T, paddings: Tpaddings, constant_values: T) -> (output: T)
                T: type
                Tpaddings: {int32, int64} = int32",
        )?
        .shape(infer)
        .gradient(gradient),
        |_| Ok(KernelBox::function(pad)),
    )
}

/// The pairs of a paddings matrix for a tensor of this rank, checked to be non-negative.
pub(crate) fn paddings(tensor: &Tensor, rank: usize) -> Result<Vec<(usize, usize)>> {
    if tensor.rank() != 2 || tensor.dims()[1] != 2 {
        return Err(Status::invalid_argument(format!(
            "paddings must be a matrix with 2 columns: {}",
            tensor.shape()
        )));
    }
    if tensor.dims()[0] != rank {
        return Err(Status::invalid_argument(format!(
            "The first dimension of paddings must be the rank of inputs: {} for rank {rank}",
            tensor.shape()
        )));
    }
    let values = tensor.to_i64_vec()?;
    values
        .chunks_exact(2)
        .map(|pair| match (usize::try_from(pair[0]), usize::try_from(pair[1])) {
            (Ok(before), Ok(after)) => Ok((before, after)),
            _ => Err(Status::invalid_argument(format!(
                "Paddings must be non-negative: {} {}",
                pair[0], pair[1]
            ))),
        })
        .collect()
}

/// The shape with the padding on either side added.
pub(crate) fn padded_shape(input: &Shape, paddings: &[(usize, usize)]) -> Result<Shape> {
    let grow = |(&d, &(before, after)): (&usize, &(usize, usize))| {
        d.checked_add(before)
            .and_then(|d| d.checked_add(after))
            .and_then(|d| i64::try_from(d).ok())
            .ok_or_else(|| {
                Status::invalid_argument(format!(
                    "a dimension of {d} padded by {before} and {after} overflows"
                ))
            })
    };
    let dims: Vec<i64> = input.iter().zip(paddings).map(grow).collect::<Result<_>>()?;
    Shape::from_i64(&dims)
}

fn pad(cx: &mut OpContext<'_>) -> Result<()> {
    let paddings = paddings(cx.input(1), cx.input(0).rank())?;
    let value = if cx.inputs_len() == 3 {
        if cx.input(2).rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "constant_values must be a scalar. Found: {}",
                cx.input(2).shape()
            )));
        }
        cx.take(2)
    } else {
        zero_scalar(cx.input(0).dtype())?
    };
    let input = cx.take(0);
    let shape = padded_shape(input.shape(), &paddings)?;
    if shape == *input.shape() {
        cx.set_output(0, input);
        return Ok(());
    }
    let (from, to) = (input.shape().strides(), shape.strides());
    let start = paddings.iter().zip(&to).map(|(&(before, _), &s)| before * s).sum();
    let axes = (0..input.rank()).map(|i| (input.dims()[i], from[i] as isize, to[i] as isize));
    let mut moves = Moves { fill: true, ..Moves::default() };
    moves.push(0, StridedCopy::new(axes, 0, start));
    let output = rearrange(cx.parallel(), input.dtype(), shape, &[&input, &value], &moves)?;
    cx.set_output(0, output);
    Ok(())
}

pub(crate) fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let rank = cx.input(0).rank().or(cx.input(1).dim(0));
    let output = match (cx.input(0).dims(), cx.constant(1), rank) {
        (Some(dims), Some(matrix), _) => {
            let pairs = paddings(matrix, dims.len()).map_err(|e| e.context(cx.describe()))?;
            let grow = |(d, (before, after)): (&Option<usize>, &(usize, usize))| {
                d.and_then(|d| d.checked_add(*before)).and_then(|d| d.checked_add(*after))
            };
            PartialShape::of(dims.iter().zip(&pairs).map(grow))
        }
        (_, _, Some(rank)) if rank <= 254 => PartialShape::of_rank(rank),
        _ => PartialShape::unknown(),
    };
    cx.set_output(0, output);
    Ok(())
}

/// The part of the gradient that is not border.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (input, paddings) = (cx.input(0), cx.input(1));
    let rank = cx.op("Rank", &[input])?;
    let one = cx.scalar(1i32)?;
    let size = cx.op("Pack", &[rank, one])?;
    let origin = cx.constant(Tensor::vector(&[0i32, 0])?)?;
    let column = cx.op("Slice", &[paddings, origin, size])?;
    let flat = cx.constant(Tensor::vector(&[-1i32])?)?;
    let begin = cx.op("Reshape", &[column, flat])?;
    let out_type = cx.dtype(begin);
    let attrs = downpour_graph::Attrs::new().with("out_type", out_type);
    let sizes = cx.op_with("Shape", &[input], attrs)?;
    let mut grads = vec![Gradient::Dense(cx.op("Slice", &[grad, begin, sizes])?), Gradient::None];
    grads.resize(cx.inputs_len(), Gradient::None);
    Ok(grads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn pad(x: Tensor, paddings: [i32; 4], value: Option<i32>) -> Result<Tensor> {
        let op = if value.is_some() { "PadV2" } else { "Pad" };
        let test = OpTest::new(register, op)
            .input(x)
            .input(Tensor::from_vec([2, 2], paddings.to_vec()).unwrap());
        match value {
            Some(value) => test.input(Tensor::scalar(value)).run_one(),
            None => test.run_one(),
        }
    }

    #[test]
    fn borders() {
        let x = Tensor::from_vec([1, 2], vec![1i32, 2]).unwrap();
        let y = pad(x.clone(), [1, 0, 0, 1], None).unwrap();
        assert_eq!(y.dims(), &[2, 3]);
        assert_eq!(y.as_slice::<i32>().unwrap(), &[0, 0, 0, 1, 2, 0]);
        let y = pad(x.clone(), [0, 0, 1, 0], Some(9)).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[9, 1, 2]);
        assert!(pad(x.clone(), [-1, 0, 0, 0], None).is_err());
        assert!(pad(Tensor::vector(&[1i32]).unwrap(), [0; 4], None).is_err());
        let empty = Tensor::from_vec([0, 2], Vec::<i32>::new()).unwrap();
        assert_eq!(pad(empty, [1, 1, 0, 0], None).unwrap().as_slice::<i32>().unwrap(), &[0; 4]);
    }
}
