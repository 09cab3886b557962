//! ExpandDims, Squeeze and EnsureShape: axes of size one come and go, shapes are asserted.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ExpandDims(input: T, dim: Tdim) -> (output: T)
                T: type
                Tdim: {int32, int64} = int32",
        )?
        .shape(expand_shape)
        .gradient(expand_gradient),
        |_| Ok(KernelBox::cheap(expand)),
    )?;
    registry.add(
        OpSpec::new(
            "Squeeze(input: T) -> (output: T)
                T: type
                squeeze_dims: list(int) >= 0 = []",
        )?
        .shape(squeeze_shape)
        .gradient(squeeze_gradient),
        |build| Ok(KernelBox::new(Squeeze(build.ints("squeeze_dims")?))),
    )?;
    registry.add(
        OpSpec::new(
            "EnsureShape(input: T) -> (output: T)
                shape: shape
                T: type",
        )?
        .shape(ensure_shape)
        .gradient(ensure_gradient),
        ensure,
    )
}

fn expand(cx: &mut OpContext<'_>) -> Result<()> {
    let dim = cx.input(1);
    if dim.len() != 1 {
        return Err(Status::invalid_argument("'dim' must be a tensor with a single value"));
    }
    let dim = dim.to_i64_scalar()?;
    if cx.input(0).dtype() == DataType::Variant {
        return Err(Status::invalid_argument("ExpandDims on Variant not supported"));
    }
    let shape = expanded(cx.input(0).shape(), dim)?;
    let output = cx.take(0).into_shape(shape)?;
    cx.set_output(0, output);
    Ok(())
}

fn insert_position(rank: usize, dim: i64) -> Result<usize> {
    let rank = rank as i64;
    if dim < -1 - rank || dim > rank {
        return Err(Status::invalid_argument(format!(
            "Tried to expand dim index {dim} for tensor with {rank} dimensions."
        )));
    }
    Ok(if dim < 0 { dim + rank + 1 } else { dim } as usize)
}

fn expanded(input: &Shape, dim: i64) -> Result<Shape> {
    let at = insert_position(input.rank(), dim)?;
    let (before, after) = input.split_at(at);
    Ok(before.iter().chain(&[1]).chain(after).copied().collect())
}

fn expand_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = cx.input(0).dims() else { return Ok(()) };
    let output = match cx.constant_ints(1).as_deref() {
        Some([dim]) => {
            let at = insert_position(dims.len(), *dim)?;
            let (before, after) = dims.split_at(at);
            PartialShape::of(before.iter().chain(&[Some(1)]).chain(after).copied())
        }
        Some(_) => {
            return Err(Status::invalid_argument("'dim' must be a tensor with a single value"));
        }
        None => PartialShape::of_rank(dims.len() + 1),
    };
    cx.set_output(0, output);
    Ok(())
}

fn expand_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let shape = cx.shape(cx.input(0))?;
    Ok(vec![Gradient::Dense(cx.op("Reshape", &[grad, shape])?), Gradient::None])
}

struct Squeeze(Vec<i64>);

impl Kernel for Squeeze {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        if input.dtype() == DataType::Variant {
            return Err(Status::invalid_argument("Squeeze on Variant not supported"));
        }
        let dims: smallvec::SmallVec<[Option<usize>; 6]> =
            input.dims().iter().map(|&d| Some(d)).collect();
        let shape: Shape = squeezed(&dims, &self.0)?.into_iter().flatten().collect();
        let output = input.into_shape(shape)?;
        cx.set_output(0, output);
        Ok(())
    }
    fn expensive(&self) -> bool {
        false
    }
}

/// The dimensions that remain. Without named axes every size of one goes.
fn squeezed(
    dims: &[Option<usize>],
    named: &[i64],
) -> Result<smallvec::SmallVec<[Option<usize>; 6]>> {
    let rank = dims.len() as i64;
    for &dim in named {
        if !(-rank..rank).contains(&dim) {
            return Err(Status::invalid_argument(format!(
                "Tried to squeeze dim index {dim} for tensor with {rank} dimensions."
            )));
        }
    }
    let mut out = smallvec::SmallVec::new();
    for (i, &d) in dims.iter().enumerate() {
        let is_named = named.iter().any(|&n| (if n < 0 { n + rank } else { n }) == i as i64);
        if is_named {
            if let Some(d) = d
                && d != 1
            {
                return Err(Status::invalid_argument(format!(
                    "Can not squeeze dim[{i}], expected a dimension of 1, got {d}"
                )));
            }
        } else if !(named.is_empty() && d == Some(1)) {
            out.push(d);
        }
    }
    Ok(out)
}

fn squeeze_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let named = cx.node().ints("squeeze_dims")?;
    let Some(dims) = cx.input(0).dims() else { return Ok(()) };
    if named.is_empty() && dims.contains(&None) {
        return Ok(());
    }
    let output = squeezed(dims, &named).map_err(|e| e.context(cx.describe()))?;
    cx.set_output(0, PartialShape::of(output));
    Ok(())
}

fn squeeze_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let shape = cx.shape(cx.input(0))?;
    Ok(vec![Gradient::Dense(cx.op("Reshape", &[grad, shape])?)])
}

struct EnsureShape(PartialShape);

fn ensure(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(EnsureShape(build.shape("shape")?)))
}

impl Kernel for EnsureShape {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        if !self.0.allows(input.dims()) {
            return Err(Status::invalid_argument(format!(
                "Shape of tensor {} {} is not compatible with expected shape {}.",
                cx.node().name,
                input.shape(),
                self.0
            )));
        }
        cx.set_output(0, input);
        Ok(())
    }
    fn expensive(&self) -> bool {
        false
    }
}

fn ensure_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.merge(cx.input(0), &cx.node().shape("shape")?)?;
    cx.set_output(0, shape);
    Ok(())
}

fn ensure_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    Ok(vec![Gradient::Dense(cx.grad(0)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, Tensor};

    fn input(shape: &[usize]) -> Tensor {
        Tensor::zeros(DataType::Float, shape).unwrap()
    }

    fn expand_dims(shape: &[usize], dim: i32) -> Result<Tensor> {
        OpTest::new(register, "ExpandDims").input(input(shape)).input(Tensor::scalar(dim)).run_one()
    }

    fn squeeze(shape: &[usize], dims: Vec<i64>) -> Result<Tensor> {
        OpTest::new(register, "Squeeze").attr("squeeze_dims", dims).input(input(shape)).run_one()
    }

    #[test]
    fn axes_are_inserted() {
        assert_eq!(expand_dims(&[2, 3], 1).unwrap().dims(), &[2, 1, 3]);
        assert_eq!(expand_dims(&[2, 3], -1).unwrap().dims(), &[2, 3, 1]);
        assert_eq!(expand_dims(&[], 0).unwrap().dims(), &[1]);
        assert_eq!(expand_dims(&[2], 2).unwrap_err().code(), Code::InvalidArgument);
        assert_eq!(expand_dims(&[2], i32::MIN).unwrap_err().code(), Code::InvalidArgument);
    }

    #[test]
    fn axes_are_removed() {
        assert_eq!(squeeze(&[1, 2, 1], vec![]).unwrap().dims(), &[2]);
        assert_eq!(squeeze(&[1, 2, 1], vec![-1]).unwrap().dims(), &[1, 2]);
        let status = squeeze(&[1, 3], vec![1]).unwrap_err();
        assert!(
            status.message().contains("Can not squeeze dim[1], expected a dimension of 1, got 3")
        );
        assert!(squeeze(&[1], vec![1]).is_err());
    }

    #[test]
    fn shapes_are_asserted() {
        let ensure = |shape: PartialShape| {
            OpTest::new(register, "EnsureShape")
                .attr("shape", shape)
                .input(input(&[2, 3]))
                .run_one()
        };
        assert!(ensure(PartialShape::of([Some(2), None])).is_ok());
        let status = ensure(PartialShape::of([Some(3), None])).unwrap_err();
        assert!(status.message().contains("is not compatible with expected shape"));
    }
}
