//! Assign, AssignVariableOp: a new value for a variable.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry, Value, Variable};
use downpour_tensor::{Result, Status, Tensor};

use super::handles::{variable_or_new, variable_shape};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Assign(ref: Ref(T), value: T) -> (output_ref: Ref(T)) @uninitialized_ok
                T: type
                validate_shape: bool = true
                use_locking: bool = true",
        )?
        .shape(reference_shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(AssignReference { validate: build.bool("validate_shape")? })),
    )?;
    registry.add(
        OpSpec::new(
            "AssignVariableOp(resource: resource, value: dtype) -> () @stateful
                dtype: type
                validate_shape: bool = false",
        )?
        .shape(resource_shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(AssignResource { validate: build.bool("validate_shape")? })),
    )
}

fn reference_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = if cx.node().bool("validate_shape")? {
        cx.merge(cx.input(0), cx.input(1))?
    } else {
        cx.input(1).clone()
    };
    cx.set_output(0, shape);
    Ok(())
}

/// The value fits what the handle declares.
pub(super) fn resource_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.merge(&variable_shape(cx, 0), cx.input(1)).map(drop)
}

struct AssignReference {
    validate: bool,
}

impl Kernel for AssignReference {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let variable = cx.ref_input(0)?.clone();
        // The operation may see an uninitialized reference on the left, but not on the right.
        let value = match cx.take_value(1) {
            Value::Tensor(value) => value,
            Value::Ref(source) => source.read()?,
            Value::None | Value::Dead => {
                return Err(Status::failed_precondition(
                    "Assign: value comes from an uninitialized variable",
                ));
            }
        };
        let declared = self.validate.then(|| variable.shape().clone());
        store(&variable, value, declared, |current, value| {
            Status::invalid_argument(format!(
                "Assign requires shapes of both tensors to match. lhs shape= {current} rhs shape= {}",
                value.shape()
            ))
        })?;
        cx.set_output_ref(0, variable);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct AssignResource {
    validate: bool,
}

impl Kernel for AssignResource {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let value = cx.take(1);
        let variable = variable_or_new(cx, 0, value.dtype())?;
        // What a handle declares binds nobody: the first value decides.
        let declared = self.validate.then(PartialShape::unknown);
        store(&variable, value, declared, |current, value| {
            Status::invalid_argument(format!(
                "Trying to assign to variable with tensor with wrong shape. Expected {current} got {}",
                value.shape()
            ))
        })
    }

    fn expensive(&self) -> bool {
        false
    }
}

/// Replaces the value; with `declared`, by one of the current (or else the declared) shape only.
fn store(
    variable: &Variable,
    value: Tensor,
    declared: Option<PartialShape>,
    mismatch: impl FnOnce(&PartialShape, &Tensor) -> Status,
) -> Result<()> {
    if variable.dtype() != value.dtype() {
        return Err(Status::invalid_argument(format!(
            "Trying to assign variable with wrong dtype. Expected {} got {}",
            variable.dtype(),
            value.dtype()
        )));
    }
    let Some(declared) = declared else {
        variable.assign(value);
        return Ok(());
    };
    // The old value is dropped after the lock is released.
    let old = variable.modify(|current| {
        let shape = match current {
            Some(current) => current.shape().into(),
            None => declared,
        };
        if !shape.allows(value.dims()) {
            return Err(mismatch(&shape, &value));
        }
        Ok(current.replace(value))
    })?;
    drop(old);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::{dangling, stored};
    use super::*;
    use downpour_runtime::ResourceManager;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, DataType};
    use std::sync::Arc;

    fn vector(values: &[f32]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    #[test]
    fn a_reference_is_assigned_and_handed_on() {
        let shape = PartialShape::vector(Some(2));
        let variable = Arc::new(Variable::new("v", DataType::Float, shape));
        let assign = |value: Tensor, validate: bool| {
            let test = OpTest::new(register, "Assign").reference(&variable).input(value);
            test.attr("validate_shape", validate).run_values().map(|mut values| values.remove(0))
        };
        let wrong = assign(vector(&[1.0]), true).err().unwrap();
        assert!(wrong.message().contains("lhs shape= [2] rhs shape= [1]"), "{wrong}");
        assert!(!variable.is_initialized());
        assert!(
            matches!(assign(vector(&[1.0, 2.0]), true), Ok(Value::Ref(v)) if Arc::ptr_eq(&v, &variable))
        );
        assign(vector(&[3.0]), false).unwrap();
        assert_eq!(variable.read().unwrap().as_slice::<f32>().unwrap(), &[3.0]);
        assert!(assign(vector(&[1.0, 2.0]), true).is_err(), "the current shape counts");
    }

    #[test]
    fn an_uninitialized_right_side_is_refused() {
        let v = || Arc::new(Variable::new("v", DataType::Float, PartialShape::unknown()));
        let status = OpTest::new(register, "Assign").reference(&v()).reference(&v()).run_values();
        assert_eq!(status.err().unwrap().code(), Code::FailedPrecondition);
    }

    #[test]
    fn assigning_makes_a_resource_variable() {
        let resources = Arc::new(ResourceManager::new());
        let assign = |value: Tensor, validate: bool| {
            let test = OpTest::new(register, "AssignVariableOp").resources(&resources);
            test.input(dangling()).input(value).attr("validate_shape", validate).run()
        };
        assign(vector(&[1.0]), true).unwrap();
        let variable = resources.lookup::<Variable>("", "gone").unwrap();
        assert_eq!(variable.read().unwrap().as_slice::<f32>().unwrap(), &[1.0]);
        assign(vector(&[1.0, 2.0]), false).unwrap();
        let wrong = assign(vector(&[1.0]), true).unwrap_err();
        assert!(wrong.message().contains("Expected [2] got [1]"));
        let wrong = assign(Tensor::scalar(1i32), false).unwrap_err();
        assert!(wrong.message().contains("wrong dtype. Expected float got int32"));
    }

    #[test]
    fn what_a_handle_declares_does_not_bind_the_first_value() {
        let (_, _, handle) = stored(vector(&[1.0, 2.0]));
        let resources = Arc::new(ResourceManager::new());
        OpTest::new(register, "AssignVariableOp")
            .resources(&resources)
            .input(handle)
            .input(vector(&[1.0]))
            .attr("validate_shape", true)
            .run_values()
            .unwrap();
        assert!(resources.lookup::<Variable>("", "v").unwrap().is_initialized());
    }

    #[test]
    fn variants_and_strings_can_be_assigned() {
        let (resources, variable, handle) = stored(Tensor::string("old"));
        OpTest::new(register, "AssignVariableOp")
            .resources(&resources)
            .input(handle)
            .input(Tensor::string("new"))
            .run()
            .unwrap();
        assert_eq!(&variable.read().unwrap().strings().unwrap()[0][..], b"new");
    }
}
