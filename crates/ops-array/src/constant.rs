//! Const and the placeholders: values from the graph and places for values from outside.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::identity::take_tensor;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Const() -> (output: dtype)
                value: tensor
                dtype: type",
        )?
        .shape(constant_shape)
        .not_differentiable(),
        constant,
    )?;
    registry.add(
        OpSpec::new(
            "Placeholder() -> (output: dtype)
                dtype: type
                shape: shape = {unknown_rank}",
        )?
        .shape(placeholder_shape),
        placeholder,
    )?;
    registry.add(
        OpSpec::new(
            "PlaceholderV2() -> (output: dtype)
                dtype: type
                shape: shape",
        )?
        .shape(shapes::from_shape_attr),
        placeholder,
    )?;
    registry.add(
        OpSpec::new(
            "PlaceholderWithDefault(input: dtype) -> (output: dtype)
                dtype: type
                shape: shape",
        )?
        .shape(default_shape)
        .gradient(pass_gradient),
        |_| Ok(KernelBox::cheap(pass)),
    )
}

struct Constant(Tensor);

fn constant(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let value = build.tensor("value")?;
    if value.dtype() != build.dtype("dtype")? {
        return Err(Status::invalid_argument(format!(
            "Type mismatch between value ({}) and dtype ({})",
            value.dtype(),
            build.dtype("dtype")?
        )));
    }
    Ok(KernelBox::new(Constant(value)))
}

impl Kernel for Constant {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        cx.set_output(0, self.0.clone());
        Ok(())
    }
    fn expensive(&self) -> bool {
        false
    }
}

fn constant_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let value = cx.node().tensor("value")?;
    cx.set_output(0, value.shape().into());
    Ok(())
}

fn placeholder(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let shape = build.shape("shape")?;
    let of_shape = match shape.rank() {
        None | Some(0) => String::new(),
        Some(_) => format!(" and shape {shape}"),
    };
    Ok(KernelBox::new(Placeholder(format!(
        "You must feed a value for placeholder tensor '{}' with dtype {}{of_shape}",
        build.name,
        build.dtype("dtype")?
    ))))
}

/// Runs only when nobody fed a value; the executor replaces fed placeholders.
struct Placeholder(String);

impl Kernel for Placeholder {
    fn compute(&self, _: &mut OpContext<'_>) -> Result<()> {
        Err(Status::invalid_argument(self.0.clone()))
    }
    fn expensive(&self) -> bool {
        false
    }
}

/// Graphs from before shapes could be unknown wrote "scalar" where they meant "unknown".
fn placeholder_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.node().shape("shape")?;
    let shape = if shape.rank() == Some(0) { PartialShape::unknown() } else { shape };
    cx.set_output(0, shape);
    Ok(())
}

fn pass(cx: &mut OpContext<'_>) -> Result<()> {
    let input = take_tensor(cx, 0)?;
    cx.set_output(0, input);
    Ok(())
}

fn default_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.node().shape("shape")?;
    // A fed value may differ from the default in everything the declared shape leaves open.
    cx.merge(cx.input(0), &shape)?;
    cx.set_output(0, shape);
    Ok(())
}

fn pass_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    Ok(vec![Gradient::Dense(cx.grad(0)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, DataType};

    #[test]
    fn a_constant_is_its_attribute() {
        let test = OpTest::new(register, "Const")
            .attr("value", Tensor::vector(&[1i32, 2]).unwrap())
            .attr("dtype", DataType::Int32);
        assert_eq!(test.run_one().unwrap().as_slice::<i32>().unwrap(), &[1, 2]);
        let forged = OpTest::new(register, "Const")
            .attr("value", Tensor::scalar(1i32))
            .attr("dtype", DataType::Float);
        assert_eq!(forged.run().unwrap_err().code(), Code::InvalidArgument);
    }

    #[test]
    fn an_unfed_placeholder_says_so() {
        let test = OpTest::new(register, "Placeholder")
            .attr("dtype", DataType::Float)
            .attr("shape", PartialShape::of([Some(2), None]));
        let status = test.run().unwrap_err();
        assert!(status.message().contains("must feed a value for placeholder tensor 'test'"));
        assert!(status.message().contains("and shape [2,?]"));
    }
}
