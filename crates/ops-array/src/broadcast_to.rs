//! BroadcastTo: a tensor repeated to fill a larger shape.

use downpour_graph::{Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status};
use smallvec::SmallVec;

use crate::movement::{StridedCopy, move_one};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "BroadcastTo(input: T, shape: Tidx) -> (output: T)
                T: type
                Tidx: {int32, int64} = int32",
        )?
        .shape(infer)
        .gradient(gradient),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let dims = cx.input(1);
    if dims.rank() > 1 {
        return Err(cx.bad_input(1, format!("must be a vector, got shape {}", dims.shape())));
    }
    let dims = dims.to_i64_vec()?;
    let shape = Shape::from_i64(&dims).map_err(|e| {
        let words: Vec<String> = dims.iter().map(i64::to_string).collect();
        e.context(format!("BroadcastTo: shape [{}]", words.join(",")))
    })?;
    let input = cx.take(0);
    if *input.shape() == shape {
        cx.set_output(0, input);
        return Ok(());
    }
    check(input.shape(), &shape)?;
    let missing = shape.rank() - input.rank();
    let strides = input.shape().strides();
    let axes: SmallVec<[(usize, isize); 6]> = (0..shape.rank())
        .map(|i| {
            let repeated = i < missing || input.dims()[i - missing] == 1;
            (shape[i], if repeated { 0 } else { strides[i - missing] as isize })
        })
        .collect();
    let copy = StridedCopy::gather(axes.into_iter(), 0);
    let output = move_one(cx.parallel(), &input, shape, copy)?;
    cx.set_output(0, output);
    Ok(())
}

fn check(input: &Shape, output: &Shape) -> Result<()> {
    if input.rank() > output.rank() {
        return Err(Status::invalid_argument(format!(
            "Rank of input ({}) must be no greater than rank of output shape ({}).",
            input.rank(),
            output.rank()
        )));
    }
    let missing = output.rank() - input.rank();
    let mut pairs = input.iter().zip(&output[missing..]);
    if pairs.clone().any(|(&a, &b)| a != b && a != 1 && b != 1) {
        return Err(Status::invalid_argument(format!("Incompatible shapes: {input} vs. {output}")));
    }
    if pairs.any(|(&a, &b)| a != b && a != 1) {
        return Err(Status::invalid_argument(format!(
            "Unable to broadcast tensor of shape {input} to tensor of shape {output}"
        )));
    }
    Ok(())
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let output = cx.shape_from_input(1)?;
    if let (Some(from), Some(to)) = (cx.input(0).to_shape(), output.to_shape()) {
        check(&from, &to).map_err(|e| e.context(cx.describe()))?;
    }
    cx.set_output(0, output);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (input, output) = (cx.input(0), cx.output(0));
    Ok(vec![Gradient::Dense(cx.unbroadcast(grad, input, output)?), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{DataType, Tensor};

    fn run(x: Tensor, shape: &[i32]) -> Result<Tensor> {
        OpTest::new(register, "BroadcastTo")
            .input(x)
            .input(Tensor::vector(shape).unwrap())
            .run_one()
    }

    #[test]
    fn repeats_axes_of_one() {
        let x = Tensor::from_vec([2, 1], vec![1i32, 2]).unwrap();
        let y = run(x.clone(), &[2, 2, 3]).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2]);
        assert_eq!(run(Tensor::string("s"), &[2]).unwrap().strings().unwrap().len(), 2);
        assert_eq!(run(x, &[2, 0]).unwrap().dims(), &[2, 0]);
    }

    #[test]
    fn bad_shapes_are_refused() {
        let x = |d: &[usize]| Tensor::zeros(DataType::Int32, d).unwrap();
        let message = |x, shape: &[i32]| run(x, shape).unwrap_err().message().to_string();
        assert!(message(x(&[3]), &[2, 1]).contains("Unable to broadcast tensor of shape"));
        assert!(message(x(&[3, 0, 5]), &[3, 0, 3]).contains("Incompatible shapes"));
        assert!(message(x(&[1, 1]), &[1]).contains("Rank of input"));
        let huge = [110, 53, 104, 147, 157, 123, 5, 24, 188, 40, 5, 2];
        assert!(message(x(&[3]), &huge).contains("110,53,104,147,157,123,5,24,188,40,5,2"));
        assert!(run(x(&[]), &[-1]).is_err());
    }
}
