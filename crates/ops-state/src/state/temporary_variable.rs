//! TemporaryVariable, DestroyTemporaryVariable: a variable that lives inside one step.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{
    Kernel, KernelBox, KernelBuild, OpContext, Registry, STEP_CONTAINER, Variable,
};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::handles::ReferenceVariable;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "TemporaryVariable() -> (ref: Ref(dtype)) @stateful
                shape: shape
                dtype: type
                var_name: string = ''",
        )?
        .shape(shapes::from_shape_attr)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Create::new(build)?)),
    )?;
    registry.add(
        OpSpec::new(
            "DestroyTemporaryVariable(ref: Ref(T)) -> (value: T)
                T: type
                var_name: string",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Destroy::new(build)?)),
    )
}

struct Create {
    name: String,
    dtype: DataType,
    shape: Shape,
}

impl Create {
    fn new(build: &KernelBuild<'_>) -> Result<Create> {
        let name = build.string("var_name")?;
        let shape = build.shape("shape")?;
        let shape = shape.to_shape().ok_or_else(|| {
            Status::invalid_argument(format!(
                "a temporary variable needs a fully known shape, got {shape}"
            ))
        })?;
        let name = if name.is_empty() { build.name.clone() } else { name };
        Ok(Create { name, dtype: build.dtype("dtype")?, shape })
    }
}

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let variable = Arc::new(Variable::new(&self.name, self.dtype, (&self.shape).into()));
        variable.assign(Tensor::zeros(self.dtype, &self.shape)?);
        let stored = ReferenceVariable(variable.clone());
        cx.step().local().create(STEP_CONTAINER, &self.name, stored)?;
        cx.set_output_ref(0, variable);
        Ok(())
    }
}

struct Destroy {
    name: String,
}

impl Destroy {
    fn new(build: &KernelBuild<'_>) -> Result<Destroy> {
        let name = build.string("var_name")?;
        if name.is_empty() {
            return Err(Status::invalid_argument("Missing var_name attribute"));
        }
        Ok(Destroy { name })
    }
}

impl Kernel for Destroy {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let variable = cx.ref_input(0)?.clone();
        cx.step().local().delete::<ReferenceVariable>(STEP_CONTAINER, &self.name)?;
        let value = variable.take().ok_or_else(|| {
            Status::failed_precondition(format!(
                "temporary variable {} was destroyed before",
                self.name
            ))
        })?;
        cx.set_output(0, value);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_graph::PartialShape;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Code;

    #[test]
    fn it_starts_with_a_value_of_its_shape() {
        let value = OpTest::new(register, "TemporaryVariable")
            .attr("dtype", DataType::Int32)
            .attr("shape", PartialShape::vector(Some(3)))
            .run_one()
            .unwrap();
        assert_eq!(value.as_slice::<i32>().unwrap().len(), 3);
        let unknown = OpTest::new(register, "TemporaryVariable")
            .attr("dtype", DataType::Int32)
            .attr("shape", PartialShape::unknown())
            .run_one();
        assert_eq!(unknown.unwrap_err().code(), Code::InvalidArgument);
    }

    #[test]
    fn destroying_what_was_not_made_in_this_step_is_not_found() {
        let stranger = Arc::new(Variable::new("x", DataType::Int32, PartialShape::unknown()));
        stranger.assign(Tensor::scalar(1i32));
        let gone = OpTest::new(register, "DestroyTemporaryVariable")
            .reference(&stranger)
            .attr("var_name", "x")
            .run_one();
        assert_eq!(gone.unwrap_err().code(), Code::NotFound);
    }
}
