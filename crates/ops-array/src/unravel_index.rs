//! UnravelIndex: flat indices as coordinates.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{RealNumber, Result, Status, Tensor, dispatch_index};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "UnravelIndex(indices: Tidx, dims: Tidx) -> (output: Tidx)
                Tidx: {int32, int64} = int32",
        )?
        .shape(infer)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (indices, dims) = (cx.input(0), cx.input(1));
    if indices.rank() > 1 {
        return Err(Status::invalid_argument(format!(
            "The indices can only be scalar or vector, got \"{}\"",
            indices.shape()
        )));
    }
    if indices.is_empty() {
        return Err(Status::invalid_argument("received empty tensor indices"));
    }
    if dims.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "The indices can only be 1-D, got \"{}\"",
            dims.shape()
        )));
    }
    let output =
        dispatch_index!(indices.dtype(), "UnravelIndex", T => unravel::<T>(indices, dims))?;
    cx.set_output(0, output);
    Ok(())
}

fn unravel<T: RealNumber>(indices: &Tensor, dims: &Tensor) -> Result<Tensor> {
    let sizes = dims.to_i64_vec()?;
    let limit = T::max_value().to_i64().unwrap_or(i64::MAX);
    let mut total = 1i64;
    for (i, &size) in sizes.iter().enumerate() {
        if size == 0 {
            return Err(Status::invalid_argument(format!(
                "Input dims cannot contain a dim of zero, but dims contains zero at index {i}"
            )));
        }
        if size < 0 {
            return Err(Status::invalid_argument(format!(
                "Input dims cannot be negative. Got dim = {size} at index {i}"
            )));
        }
        total = total.checked_mul(size).filter(|&t| t <= limit).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Input dims product is causing integer overflow: ({sizes:?})"
            ))
        })?;
    }
    let values = indices.to_i64_vec()?;
    if values.iter().any(|&v| v >= total) {
        return Err(Status::invalid_argument("index is out of bound as with dims"));
    }
    let mut shape = downpour_tensor::Shape::from([sizes.len()]);
    if indices.rank() == 1 {
        shape.push(values.len());
    }
    Tensor::build(shape, |out: &mut [T]| {
        let mut stride = total;
        for (row, &size) in out.chunks_exact_mut(values.len()).zip(&sizes) {
            let outer = stride;
            stride /= size;
            for (o, &value) in row.iter_mut().zip(&values) {
                *o = T::from_i64(value % outer / stride).unwrap_or_default();
            }
        }
    })
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let dims = cx.with_rank(1, 1)?;
    let output = match cx.input(0).dims() {
        Some([]) => dims,
        Some(_) => PartialShape::matrix(dims.dim(0), cx.input(0).elements()),
        None => PartialShape::unknown(),
    };
    cx.set_output(0, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(indices: Tensor, dims: &[i32]) -> Result<Tensor> {
        OpTest::new(register, "UnravelIndex")
            .input(indices)
            .input(Tensor::vector(dims).unwrap())
            .run_one()
    }

    #[test]
    fn coordinates() {
        let y = run(Tensor::vector(&[2i32, 5, 7]).unwrap(), &[3, 3]).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[0, 1, 2, 2, 2, 1]);
        let y = run(Tensor::scalar(1621i32), &[6, 7, 8, 9]).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[3, 1, 4, 1]);
    }

    #[test]
    fn bad_arguments_are_refused() {
        let message = |x: Tensor, dims: &[i32]| run(x, dims).unwrap_err().message().to_string();
        assert!(
            message(Tensor::scalar(2i32), &[3, 0]).contains("dims cannot contain a dim of zero")
        );
        let overflow = message(Tensor::scalar(-0x10_0000i32), &[i32::MAX, i32::MAX]);
        assert!(overflow.contains("Input dims product is causing integer overflow"));
        assert!(run(Tensor::scalar(9i32), &[3, 3]).is_err());
        assert!(run(Tensor::vector(&[] as &[i32]).unwrap(), &[3]).is_err());
        assert!(run(Tensor::scalar(0i32), &[-1]).is_err());
    }
}
