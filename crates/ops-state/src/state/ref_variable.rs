//! Variable, VariableV2: a variable that lives in the device's resources, handed out by reference.

use std::sync::Arc;

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry, Variable};
use downpour_tensor::{DataType, Result, Status};

use super::handles::{ReferenceVariable, resource_name};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (op, shape) in [
        ("Variable", first_version_shape as downpour_graph::ShapeFn),
        ("VariableV2", shapes::from_shape_attr),
    ] {
        let signature = format!(
            "{op}() -> (ref: Ref(dtype)) @stateful
                shape: shape
                dtype: type
                container: string = ''
                shared_name: string = ''"
        );
        let spec = OpSpec::new(&signature)?.shape(shape).not_differentiable();
        registry.add(spec, |build| Ok(KernelBox::new(ReferenceKernel::new(build)?)))?;
    }
    Ok(())
}

/// In the first version an empty shape means "unknown".
fn first_version_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.node().shape("shape")?;
    let known = shape.rank().is_some_and(|rank| rank > 0);
    cx.set_output(0, if known { shape } else { PartialShape::unknown() });
    Ok(())
}

struct ReferenceKernel {
    node_name: String,
    container: String,
    name: String,
    dtype: DataType,
    shape: PartialShape,
}

impl ReferenceKernel {
    fn new(build: &KernelBuild<'_>) -> Result<ReferenceKernel> {
        Ok(ReferenceKernel {
            node_name: build.name.clone(),
            container: build.string("container")?,
            name: resource_name(build.node(), build)?,
            dtype: build.dtype("dtype")?,
            shape: build.shape("shape")?,
        })
    }
}

impl Kernel for ReferenceKernel {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let stored = cx.resources().lookup_or_create(&self.container, &self.name, || {
            let variable = Variable::new(&self.node_name, self.dtype, self.shape.clone());
            Ok(ReferenceVariable(Arc::new(variable)))
        })?;
        if stored.0.dtype() != self.dtype {
            return Err(Status::invalid_argument(format!(
                "variable {} exists with type {}, not {}",
                self.name,
                stored.0.dtype(),
                self.dtype
            )));
        }
        cx.set_output_ref(0, stored.0.clone());
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_runtime::{ResourceManager, Value};
    use downpour_tensor::Tensor;

    fn reference(resources: &Arc<ResourceManager>, shared_name: &'static str) -> Arc<Variable> {
        let values = OpTest::new(register, "VariableV2")
            .resources(resources)
            .attr("dtype", DataType::Float)
            .attr("shape", PartialShape::vector(Some(2)))
            .attr("shared_name", shared_name)
            .run_values()
            .unwrap();
        match values.into_iter().next() {
            Some(Value::Ref(variable)) => variable,
            _ => panic!("a variable is handed out by reference"),
        }
    }

    #[test]
    fn runs_share_the_variable_of_a_name() {
        let resources = Arc::new(ResourceManager::new());
        let a = reference(&resources, "");
        a.assign(Tensor::vector(&[1.0f32, 2.0]).unwrap());
        assert!(Arc::ptr_eq(&a, &reference(&resources, "")));
        assert!(!Arc::ptr_eq(&a, &reference(&resources, "other")));
        assert!(Arc::ptr_eq(&a, &reference(&resources, "test")), "the node's own name");
    }

    #[test]
    fn another_type_under_the_same_name_is_refused() {
        let resources = Arc::new(ResourceManager::new());
        reference(&resources, "x");
        let status = OpTest::new(register, "VariableV2")
            .resources(&resources)
            .attr("dtype", DataType::Int32)
            .attr("shape", PartialShape::scalar())
            .attr("shared_name", "x")
            .run_values()
            .err()
            .unwrap();
        assert!(status.message().contains("variable x exists with type float"));
    }

    #[test]
    fn names_with_a_leading_underscore_are_ours() {
        let made = OpTest::new(register, "Variable")
            .attr("dtype", DataType::Float)
            .attr("shape", PartialShape::scalar())
            .attr("shared_name", "_x")
            .run_values();
        assert!(made.err().unwrap().message().contains("cannot start with '_'"));
    }
}
