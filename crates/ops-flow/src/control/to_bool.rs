//! ToBool, and the rule by which conditions of any type are true.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ToBool(input: T) -> (output: bool)
                T: type",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let truth = is_true(cx.input(0))?;
    cx.set_output(0, Tensor::scalar(truth));
    Ok(())
}

/// A scalar is true unless it is zero or the empty string; other tensors unless they are empty.
pub(crate) fn is_true(tensor: &Tensor) -> Result<bool> {
    if tensor.rank() > 0 {
        return Ok(!tensor.is_empty());
    }
    Ok(match tensor.dtype() {
        DataType::Float => tensor.to_scalar::<f32>()? != 0.0,
        DataType::Double => tensor.to_scalar::<f64>()? != 0.0,
        DataType::Int32 => tensor.to_scalar::<i32>()? != 0,
        DataType::UInt8 => tensor.to_scalar::<u8>()? != 0,
        DataType::Int16 => tensor.to_scalar::<i16>()? != 0,
        DataType::Int8 => tensor.to_scalar::<i8>()? != 0,
        DataType::Int64 => tensor.to_scalar::<i64>()? != 0,
        DataType::Bool => tensor.to_scalar::<bool>()?,
        DataType::String => !tensor.strings()?[0].is_empty(),
        other => {
            return Err(Status::invalid_argument(format!(
                "{other} cannot be converted to a boolean"
            )));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn numbers_strings_and_sizes() {
        let truth = |t: Tensor| {
            let out = OpTest::new(register, "ToBool").input(t).run_one();
            out.and_then(|t| t.to_scalar::<bool>())
        };
        assert!(truth(Tensor::scalar(0.5f32)).unwrap());
        assert!(!truth(Tensor::scalar(0i64)).unwrap());
        assert!(!truth(Tensor::string("")).unwrap());
        assert!(truth(Tensor::vector(&[0i32]).unwrap()).unwrap());
        assert!(!truth(Tensor::vector::<i32>(&[]).unwrap()).unwrap());
        assert!(truth(Tensor::scalar(1u32)).is_err());
    }
}
