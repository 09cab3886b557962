//! QuantizedReshape: the same integers under another shape, their range beside them.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status};

use crate::range::Range;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "QuantizedReshape(tensor: T, shape: Tshape, input_min: float, input_max: float) -> (output: T, output_min: float, output_max: float)
                T: type
                Tshape: {int32, int64} = int32",
        )?
        .shape(infer),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let sizes = cx.vector_input(1)?.to_i64_vec()?;
    let shape = resolve(&sizes, cx.input(0).shape())?;
    for (i, name) in [(2, "input_min"), (3, "input_max")] {
        let bound = cx.input(i);
        if bound.rank() > 1 || bound.len() != 1 {
            return Err(Status::invalid_argument(format!(
                "{name} must be a scalar or a vector of 1 element"
            )));
        }
    }
    let range = Range::of(cx.input(2), cx.input(3))?;
    let output = cx.take(0).into_shape(shape)?;
    cx.set_output(0, output);
    range.set_outputs(cx, 1);
    Ok(())
}

/// Returns the new shape; one size may be -1 and follows from the others.
fn resolve(sizes: &[i64], input: &Shape) -> Result<Shape> {
    let unknown: Vec<usize> = (0..sizes.len()).filter(|&i| sizes[i] == -1).collect();
    if let [first, second, ..] = unknown[..] {
        return Err(Status::invalid_argument(format!(
            "Only one input size may be -1, not both {first} and {second}"
        )));
    }
    let mut sizes = sizes.to_vec();
    let elements = input.elements();
    if let [at] = unknown[..] {
        sizes[at] = 1;
        let others = Shape::from_i64(&sizes)?.elements();
        let fits = others > 0 && elements.is_multiple_of(others);
        if !fits {
            return Err(Status::invalid_argument(format!(
                "Input to reshape is a tensor with {elements} values, but the requested shape \
                 requires a multiple of {others}"
            )));
        }
        sizes[at] = (elements / others) as i64;
    }
    let shape = Shape::from_i64(&sizes)?;
    if shape.elements() != elements {
        return Err(Status::invalid_argument(format!(
            "Input to reshape is a tensor with {elements} values, but the requested shape has {}",
            shape.elements()
        )));
    }
    Ok(shape)
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = match (cx.constant_ints(1), cx.input(0).to_shape()) {
        (Some(sizes), Some(input)) => (&resolve(&sizes, &input)?).into(),
        _ => cx.shape_from_input(1)?,
    };
    cx.set_output(0, shape);
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, with_range};
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn run(sizes: &[i32]) -> Result<Vec<Tensor>> {
        let test = OpTest::new(register, "QuantizedReshape").input(bytes([2, 3], &[0; 6]));
        with_range(test.input(Tensor::vector(sizes).unwrap()), -1.0, 1.0).run()
    }

    #[test]
    fn sizes_must_fit() {
        assert_eq!(run(&[3, -1]).unwrap()[0].dims(), &[3, 2]);
        assert_eq!(run(&[6]).unwrap()[2].to_scalar::<f32>().unwrap(), 1.0);
        for sizes in
            [&[4, -1][..], &[-1, -1], &[5], &[0, -1], &[-2, -3], &[i32::MAX, i32::MAX, i32::MAX]]
        {
            assert!(run(sizes).is_err(), "{sizes:?}");
        }
    }
}
