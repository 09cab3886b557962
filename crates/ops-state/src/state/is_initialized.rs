//! IsVariableInitialized, VarIsInitializedOp: whether a variable has a value.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry, Value, Variable};
use downpour_tensor::{Result, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "IsVariableInitialized(ref: Ref(dtype)) -> (is_initialized: bool) @uninitialized_ok
                dtype: type",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(compute)),
    )?;
    registry.add(
        OpSpec::new("VarIsInitializedOp(resource: resource) -> (is_initialized: bool) @stateful")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let initialized = match &cx.input_values()[0] {
        Value::Ref(variable) => variable.is_initialized(),
        // A handle whose variable does not exist yet is no error here.
        _ => cx.resource::<Variable>(0).is_ok_and(|variable| variable.is_initialized()),
    };
    cx.set_output(0, Tensor::scalar(initialized));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::{dangling, stored};
    use super::*;
    use downpour_graph::PartialShape;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;
    use std::sync::Arc;

    #[test]
    fn only_a_value_counts() {
        let variable = Arc::new(Variable::new("v", DataType::Float, PartialShape::unknown()));
        let by_reference = || {
            let test = OpTest::new(register, "IsVariableInitialized").reference(&variable);
            test.run_one().unwrap().to_scalar::<bool>().unwrap()
        };
        assert!(!by_reference());
        variable.assign(Tensor::scalar(1f32));
        assert!(by_reference());
        let (resources, _, handle) = stored(Tensor::scalar(1f32));
        let by_handle = |handle: Tensor| {
            let test = OpTest::new(register, "VarIsInitializedOp").resources(&resources);
            test.input(handle).run_one().unwrap().to_scalar::<bool>().unwrap()
        };
        assert!(by_handle(handle));
        assert!(!by_handle(dangling()));
    }
}
