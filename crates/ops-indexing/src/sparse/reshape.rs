//! SparseReshape: the same values under coordinates of another shape.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor, checked_elements};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseReshape(input_indices: int64, input_shape: int64, new_shape: int64) \
                -> (output_indices: int64, output_shape: int64)",
        )?
        .shape(shape)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (indices, input_shape, target) = (cx.input(0), cx.input(1), cx.input(2));
    if indices.rank() != 2 {
        return Err(Status::invalid_argument(format!(
            "Input indices should be a matrix but received shape {}",
            indices.shape()
        )));
    }
    for (name, tensor) in [("Input", input_shape), ("Target", target)] {
        if tensor.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "{name} shape should be a vector but received shape {}",
                tensor.shape()
            )));
        }
    }
    let input_dims = Shape::from_i64(input_shape.as_slice::<i64>()?)?;
    if indices.dims()[1] != input_dims.rank() {
        return Err(Status::invalid_argument(format!(
            "Index rank ({}) and shape rank ({}) do not match",
            indices.dims()[1],
            input_dims.rank()
        )));
    }
    let output_dims = resolve(&input_dims, target.as_slice::<i64>()?)?;
    if input_dims == output_dims {
        let (indices, shape) = (indices.clone(), input_shape.clone());
        cx.set_output(0, indices);
        cx.set_output(1, shape);
        return Ok(());
    }
    let count = indices.dims()[0];
    if count > 0 && (input_dims.elements() == 0 || output_dims.elements() == 0) {
        return Err(Status::invalid_argument(format!(
            "Input tensor has {count} non zero elements but input shape ({input_dims}) or output \
             shape ({output_dims}) is empty"
        )));
    }
    let rank = output_dims.rank();
    let (from, to) = (input_dims.strides(), output_dims.strides());
    let source = indices.as_slice::<i64>()?;
    let inner = input_dims.rank();
    let output = Tensor::build([count, rank], |out: &mut [i64]| {
        for i in 0..count {
            // Coordinates outside the shape come out as nonsense, as they went in, but do not panic.
            let row = &source[i * inner..(i + 1) * inner];
            let mut flat = row
                .iter()
                .zip(&from)
                .fold(0i64, |sum, (&x, &s)| sum.wrapping_add(x.wrapping_mul(s as i64)));
            for (slot, &stride) in out[i * rank..(i + 1) * rank].iter_mut().zip(&to) {
                let stride = stride.max(1) as i64;
                *slot = flat / stride;
                flat %= stride;
            }
        }
    })?;
    cx.set_output(0, output);
    cx.set_output(1, Tensor::vector(&output_dims.to_i64())?);
    Ok(())
}

/// The target shape with its -1, if any, worked out.
fn resolve(input: &Shape, target: &[i64]) -> Result<Shape> {
    let dense = input.elements() as i64;
    let mut unknown = None;
    for (i, &size) in target.iter().enumerate() {
        match (size, unknown) {
            (-1, None) => unknown = Some(i),
            (-1, Some(first)) => {
                return Err(Status::invalid_argument(format!(
                    "only one output dimension may be -1, not both {first} and {i}"
                )));
            }
            (size, _) if size < 0 => {
                return Err(Status::invalid_argument(format!(
                    "size {i} must be non-negative, not {size}"
                )));
            }
            _ => {}
        }
    }
    let mut dims: Vec<i64> = target.iter().map(|&d| if d == -1 { 1 } else { d }).collect();
    let product = checked_elements(&Shape::from_i64(&dims)?)? as i64;
    if let Some(i) = unknown {
        if product == 0 {
            return Err(Status::invalid_argument(
                "reshape cannot infer the missing input size for an empty tensor unless all \
                 specified input sizes are non-zero",
            ));
        }
        if dense % product != 0 {
            return Err(Status::invalid_argument(format!(
                "Input to reshape is a SparseTensor with {dense} dense values, but the requested \
                 shape requires a multiple of {product}. input_shape={input} output_shape={}",
                Shape::from_i64(&dims)?
            )));
        }
        dims[i] = dense / product;
    }
    let output = Shape::from_i64(&dims)?;
    if output.elements() as i64 != dense {
        return Err(Status::invalid_argument(format!(
            "Input to reshape is a tensor with {dense} dense values, but the requested shape has \
             {}. input_shape={input} output_shape={output}",
            output.elements()
        )));
    }
    Ok(output)
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (indices, target) = (cx.with_rank(0, 2)?, cx.with_rank(2, 1)?);
    cx.with_rank(1, 1)?;
    cx.set_output(0, PartialShape::matrix(indices.dim(0), target.dim(0)));
    cx.set_output(1, target);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(input: &[i64], target: &[i64]) -> Result<Vec<Tensor>> {
        OpTest::new(register, "SparseReshape")
            .input(Tensor::from_vec([2, 2], vec![0i64, 1, 1, 2])?)
            .input(Tensor::vector(input)?)
            .input(Tensor::vector(target)?)
            .run()
    }

    #[test]
    fn coordinates_change_with_the_shape() {
        let out = run(&[2, 3], &[3, -1]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 1, 2, 1]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[3, 2]);
        assert_eq!(run(&[2, 3], &[6]).unwrap()[0].as_slice::<i64>().unwrap(), &[1, 5]);
    }

    #[test]
    fn impossible_shapes_are_refused() {
        for target in [&[-1i64, -1][..], &[4], &[4, -1], &[-2, 3], &[0, -1], &[i64::MAX, i64::MAX]]
        {
            assert!(run(&[2, 3], target).is_err(), "{target:?}");
        }
        assert!(run(&[0, 3], &[3, 0]).is_err());
        assert!(run(&[2, 3, 1], &[6]).is_err());
        assert!(run(&[i64::MAX, i64::MAX], &[1]).is_err());
    }
}
