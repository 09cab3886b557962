//! Tile repeats a tensor along each axis; TileGrad sums the repetitions.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::movement::{Axes, StridedCopy, move_one};
use crate::number::{Sum, dispatch_sum};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Tile(input: T, multiples: Tmultiples) -> (output: T)
                T: type
                Tmultiples: {int32, int64} = int32",
        )?
        .shape(infer)
        .gradient(gradient),
        |_| Ok(KernelBox::function(tile)),
    )?;
    registry
        .add(OpSpec::new("TileGrad(input: T, multiples: int32) -> (output: T)\n T: type")?, |_| {
            Ok(KernelBox::function(tile_grad))
        })
}

fn multiples(cx: &OpContext<'_>, least: i64) -> Result<Vec<usize>> {
    let multiples = cx.input(1);
    let rank = cx.input(0).rank();
    if multiples.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Expected multiples to be 1-D, but got shape {}",
            multiples.shape()
        )));
    }
    if multiples.len() != rank {
        return Err(Status::invalid_argument(format!(
            "Expected multiples argument to be a vector of length {rank} but got length {}",
            multiples.len()
        )));
    }
    let check = |(i, &m): (usize, &i64)| {
        usize::try_from(m).ok().filter(|_| m >= least).ok_or_else(|| {
            Status::invalid_argument(format!("Expected multiples[{i}] >= {least}, but got {m}"))
        })
    };
    multiples.to_i64_vec()?.iter().enumerate().map(check).collect()
}

fn tile(cx: &mut OpContext<'_>) -> Result<()> {
    let multiples = multiples(cx, 0)?;
    let input = cx.take(0);
    if multiples.iter().all(|&m| m == 1) {
        cx.set_output(0, input);
        return Ok(());
    }
    let mut dims = Vec::with_capacity(multiples.len());
    for (&d, &m) in input.dims().iter().zip(&multiples) {
        let size = d.checked_mul(m).and_then(|s| i64::try_from(s).ok()).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Tile: repeating a dimension of {d} {m} times overflows"
            ))
        })?;
        dims.push(size);
    }
    let shape = Shape::from_i64(&dims)?;
    if shape.elements() == 0 {
        cx.set_output(0, Tensor::new(input.dtype(), shape)?);
        return Ok(());
    }
    let strides = input.shape().strides();
    let mut axes: smallvec::SmallVec<[(usize, isize); 12]> = smallvec::SmallVec::new();
    for (i, &m) in multiples.iter().enumerate() {
        axes.push((m, 0));
        axes.push((input.dims()[i], strides[i] as isize));
    }
    let output = move_one(cx.parallel(), &input, shape, StridedCopy::gather(axes.into_iter(), 0))?;
    cx.set_output(0, output);
    Ok(())
}

fn tile_grad(cx: &mut OpContext<'_>) -> Result<()> {
    let multiples = multiples(cx, 1)?;
    let input = cx.take(0);
    let mut shape = input.shape().clone();
    for (i, (d, &m)) in shape.dims_mut().iter_mut().zip(&multiples).enumerate() {
        if *d % m != 0 {
            return Err(Status::invalid_argument(format!(
                "Expected input_dim[{i}] to be divisible by multiples[{i}], but {d} % {m} != 0"
            )));
        }
        *d /= m;
    }
    let output = dispatch_sum!(input.dtype(), "TileGrad", T => sum_tiles::<T>(&input, &shape))?;
    cx.set_output(0, output);
    Ok(())
}

fn sum_tiles<T: Sum>(input: &Tensor, shape: &Shape) -> Result<Tensor> {
    let values = input.as_slice::<T>()?;
    let strides = shape.strides();
    let dims = input.dims();
    Tensor::build(shape, |out: &mut [T]| {
        out.fill(T::default());
        let mut index: Axes = dims.iter().map(|&d| (d, 0, 0)).collect();
        for &value in values {
            let at: usize =
                (0..index.len()).map(|i| (index[i].1 as usize % shape[i]) * strides[i]).sum();
            out[at] = out[at].plus(value);
            for i in (0..index.len()).rev() {
                index[i].1 += 1;
                if (index[i].1 as usize) < index[i].0 {
                    break;
                }
                index[i].1 = 0;
            }
        }
    })
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let rank = cx.input(0).rank().or(cx.input(1).elements());
    let output = match (cx.input(0).dims(), cx.constant_ints(1)) {
        (Some(dims), Some(multiples)) => {
            if multiples.len() != dims.len() {
                return Err(Status::invalid_argument(format!(
                    "Shape must be rank {} but is rank {} for {}",
                    multiples.len(),
                    dims.len(),
                    cx.describe()
                )));
            }
            let dim = |(d, m): (&Option<usize>, &i64)| {
                d.zip(usize::try_from(*m).ok()).and_then(|(d, m)| d.checked_mul(m))
            };
            PartialShape::of(dims.iter().zip(&multiples).map(dim))
        }
        _ => match rank {
            Some(rank) if rank <= 254 => PartialShape::of_rank(rank),
            _ => PartialShape::unknown(),
        },
    };
    cx.set_output(0, output);
    Ok(())
}

/// The repetitions become an axis of their own, before the axis they repeat, and are summed.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (input, multiples) = (cx.input(0), cx.input(1));
    let out_type = cx.dtype(multiples);
    let attrs = downpour_graph::Attrs::new().with("out_type", out_type);
    let shape = cx.op_with("Shape", &[input], attrs)?;
    let pairs =
        cx.op_with("Pack", &[multiples, shape], downpour_graph::Attrs::new().with("axis", 1i64))?;
    let flat = cx.constant(Tensor::vector(&[-1i32])?)?;
    let split_shape = cx.op("Reshape", &[pairs, flat])?;
    let split = cx.op("Reshape", &[grad, split_shape])?;
    let zero = cx.scalar(0i32)?;
    let two = cx.scalar(2i32)?;
    let count = cx.op("Size", &[split_shape])?;
    let axes = cx.op("Range", &[zero, count, two])?;
    let sum = cx.op("Sum", &[split, axes])?;
    Ok(vec![Gradient::Dense(cx.op("Reshape", &[sum, shape])?), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, x: Tensor, multiples: &[i32]) -> Result<Tensor> {
        OpTest::new(register, op).input(x).input(Tensor::vector(multiples).unwrap()).run_one()
    }

    #[test]
    fn repetitions() {
        let x = Tensor::from_vec([2, 2], vec![1i32, 2, 3, 4]).unwrap();
        let y = run("Tile", x.clone(), &[2, 2]).unwrap();
        let row = [1, 2, 1, 2, 3, 4, 3, 4];
        assert_eq!(y.as_slice::<i32>().unwrap(), &[row, row].concat());
        assert_eq!(run("Tile", x.clone(), &[0, 3]).unwrap().dims(), &[0, 6]);
        let back = run("TileGrad", y, &[2, 2]).unwrap();
        assert_eq!(back.as_slice::<i32>().unwrap(), &[4, 8, 12, 16]);
        assert_eq!(run("Tile", Tensor::scalar(1f32), &[]).unwrap().dims(), &[] as &[usize]);
    }

    #[test]
    fn bad_multiples_are_refused() {
        let x = Tensor::from_vec([2, 2], vec![1i32, 2, 3, 4]).unwrap();
        assert!(run("Tile", x.clone(), &[1]).is_err());
        assert!(run("Tile", x.clone(), &[-1, 1]).is_err());
        assert!(run("TileGrad", x.clone(), &[0, 1]).is_err());
        let huge = OpTest::new(register, "Tile")
            .input(x)
            .input(Tensor::vector(&[i64::MAX, i64::MAX]).unwrap());
        assert!(huge.run().is_err());
    }
}
