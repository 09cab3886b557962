//! Reshape: the same elements under another shape.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Reshape(tensor: T, shape: Tshape) -> (output: T)
                T: type
                Tshape: {int32, int64} = int32",
        )?
        .shape(infer)
        .gradient(gradient),
        |_| Ok(KernelBox::cheap(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let sizes = cx.input(1);
    // Old graphs give a scalar for a vector of one size.
    if sizes.rank() > 1 {
        return Err(cx.bad_input(1, format!("sizes input must be 1-D, not {}", sizes.shape())));
    }
    if sizes.len() >= 254 {
        return Err(cx.bad_input(
            1,
            format!("has too many dimensions: must be < 254, but received {}", sizes.len()),
        ));
    }
    let shape = resolve(&sizes.to_i64_vec()?, cx.input(0).shape())?;
    let output = cx.take(0).into_shape(shape)?;
    cx.set_output(0, output);
    Ok(())
}

/// Fills in the size given as -1.
fn resolve(sizes: &[i64], input: &Shape) -> Result<Shape> {
    let mut unknown = None;
    let mut product = 1i64;
    let mut has_zero = false;
    let mut dims: smallvec::SmallVec<[i64; 8]> = smallvec::SmallVec::new();
    for (i, &size) in sizes.iter().enumerate() {
        dims.push(size);
        match size {
            -1 => {
                if let Some(first) = unknown.replace(i) {
                    return Err(Status::invalid_argument(format!(
                        "Only one input size may be -1, not both {first} and {i}"
                    )));
                }
            }
            0 => has_zero = true,
            size if size < 0 => {
                return Err(Status::invalid_argument(format!(
                    "Size {i} must be non-negative, not {size}"
                )));
            }
            size => {
                product = product.checked_mul(size).ok_or_else(|| {
                    Status::invalid_argument(format!("Shape {sizes:?} has too many elements"))
                })?;
            }
        }
    }
    if let Some(i) = unknown {
        // With zeros on both sides the remaining sizes are compared without them, so that
        // [0, 6] to [0, 3, -1] finds 2.
        let counted = input.iter().filter(|&&d| d > 0 || !has_zero);
        let elements: usize = counted.product();
        let missing = elements as i64 / product;
        if product * missing != elements as i64 && !(has_zero && input.contains(&0)) {
            return Err(Status::invalid_argument(format!(
                "Input to reshape is a tensor with {elements} values, but the requested shape \
                 requires a multiple of {product}"
            )));
        }
        dims[i] = missing;
    }
    let shape = Shape::from_i64(&dims)?;
    if shape.elements() != input.elements() {
        return Err(Status::invalid_argument(format!(
            "Input to reshape is a tensor with {} values, but the requested shape has {}",
            input.elements(),
            shape.elements()
        )));
    }
    Ok(shape)
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let output = match (cx.constant_ints(1), cx.input(0).to_shape()) {
        (Some(sizes), Some(input)) if sizes.len() < 254 => {
            (&resolve(&sizes, &input).map_err(|e| e.context(cx.describe()))?).into()
        }
        (Some(sizes), _) => PartialShape::from_i64(&sizes)?,
        (None, _) => cx.shape_from_input(1)?,
    };
    cx.set_output(0, output);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let shape = cx.shape(cx.input(0))?;
    Ok(vec![Gradient::Dense(cx.op("Reshape", &[grad, shape])?), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, DataType, Tensor};

    fn reshape(from: &[usize], to: &[i32]) -> Result<Tensor> {
        OpTest::new(register, "Reshape")
            .input(Tensor::zeros(DataType::Float, from).unwrap())
            .input(Tensor::vector(to).unwrap())
            .run_one()
    }

    #[test]
    fn sizes_are_resolved() {
        assert_eq!(reshape(&[2, 3], &[3, -1]).unwrap().dims(), &[3, 2]);
        assert_eq!(reshape(&[1], &[]).unwrap().dims(), &[] as &[usize]);
        assert_eq!(reshape(&[0, 6], &[0, 3, -1]).unwrap().dims(), &[0, 3, 2]);
        assert_eq!(reshape(&[0], &[-1, 5]).unwrap().dims(), &[0, 5]);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let large = vec![0; 255];
        for (from, to) in [
            (&[6][..], &[4, -1][..]),
            (&[6], &[7]),
            (&[6], &[-1, -1]),
            (&[6], &[-2, 3]),
            (&[6], &[i32::MAX, i32::MAX, i32::MAX, -1]),
            (&[0], &large),
        ] {
            assert_eq!(reshape(from, to).unwrap_err().code(), Code::InvalidArgument, "{to:?}");
        }
    }
}
