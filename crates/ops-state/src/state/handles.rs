//! What the operations on variables share: finding the variable and knowing its shape.

use std::sync::Arc;

use downpour_graph::{Attrs, Node, PartialShape, ShapeContext};
use downpour_runtime::{OpContext, Resource, STEP_CONTAINER, Variable};
use downpour_tensor::{Code, DataType, Result, Status};

/// A variable that graphs hold by reference. In the resource manager it is of another kind than a
/// variable with a handle, so the two may have the same name.
pub(crate) struct ReferenceVariable(pub Arc<Variable>);

impl Resource for ReferenceVariable {
    fn describe(&self) -> String {
        self.0.describe()
    }
}

/// The shape of the variable behind input `i`, as far as its declaration tells: a reference's own
/// shape, or what a handle known before running says.
pub(crate) fn variable_shape(cx: &ShapeContext<'_>, i: usize) -> PartialShape {
    if cx.node().input_types[i].is_ref {
        return cx.input(i).clone();
    }
    let declared = || {
        let handle = cx.constant(i)?.handles().ok()?.first()?;
        let dims = handle.dtypes_and_shapes.first()?.shape.as_ref()?;
        PartialShape::from_i64(dims).ok()
    };
    declared().unwrap_or_default()
}

/// The name a resource lives under: the attribute `shared_name`, or else the node's own name.
pub(crate) fn resource_name(node: &Node, attrs: &Attrs) -> Result<String> {
    let shared = attrs.string("shared_name")?;
    if shared.starts_with('_') {
        return Err(Status::invalid_argument(format!(
            "shared_name cannot start with '_': {shared}"
        )));
    }
    Ok(if shared.is_empty() { node.name.clone() } else { shared })
}

/// The variable that the handle in input `i` names; made, without a value, if there is none yet.
pub(crate) fn variable_or_new(
    cx: &OpContext<'_>,
    i: usize,
    dtype: DataType,
) -> Result<Arc<Variable>> {
    match cx.resource::<Variable>(i) {
        Err(status) if status.code() == Code::NotFound => {}
        found => return found,
    }
    let handle = cx.handle(i)?;
    let declared = handle.dtypes_and_shapes.first().and_then(|d| d.shape.as_ref());
    let shape = match declared {
        Some(dims) => PartialShape::from_i64(dims)?,
        None => PartialShape::unknown(),
    };
    let make = || Ok(Variable::new(&handle.name, dtype, shape));
    if handle.container == STEP_CONTAINER {
        cx.step().local().lookup_or_create(&handle.container, &handle.name, make)
    } else {
        cx.resources().lookup_or_create(&handle.container, &handle.name, make)
    }
}

/// The variable behind input `i`, which must hold `dtype`.
pub(crate) fn typed_variable(
    cx: &OpContext<'_>,
    i: usize,
    dtype: DataType,
) -> Result<Arc<Variable>> {
    let variable = cx.variable(i)?;
    if variable.dtype() != dtype {
        return Err(Status::invalid_argument(format!(
            "{}: DType of variable {} and of the update does not match: {} and {dtype}",
            cx.node().op_name(),
            variable.name(),
            variable.dtype()
        )));
    }
    Ok(variable)
}

/// Hands the reference in input 0 on, for operations that have it as their output.
pub(crate) fn forward_reference(cx: &mut OpContext<'_>, variable: Arc<Variable>) {
    if !cx.node().output_types.is_empty() {
        cx.set_output_ref(0, variable);
    }
}

/// `[1,2]`: the position of element `flat` in a tensor of these dimensions; nothing for a scalar.
pub(crate) fn position(dims: &[usize], flat: usize) -> String {
    if dims.is_empty() {
        return String::new();
    }
    let mut rest = flat;
    let mut index: Vec<String> = Vec::with_capacity(dims.len());
    for &size in dims.iter().rev() {
        index.push((rest % size.max(1)).to_string());
        rest /= size.max(1);
    }
    index.reverse();
    format!("[{}]", index.join(","))
}

#[cfg(test)]
pub(crate) mod testing {
    //! Variables for the tests of this family.

    use super::*;
    use downpour_runtime::ResourceManager;
    use downpour_tensor::{DtypeAndShape, Tensor};

    /// A variable named `v` with this value, where it is stored, and the handle that names it.
    pub(crate) fn stored(value: Tensor) -> (Arc<ResourceManager>, Arc<Variable>, Tensor) {
        let resources = Arc::new(ResourceManager::new());
        let variable = Variable::new("v", value.dtype(), value.shape().into());
        let mut handle = ResourceManager::make_handle::<Variable>("", "", "v");
        handle.dtypes_and_shapes =
            vec![DtypeAndShape { dtype: value.dtype(), shape: Some(value.shape().to_i64()) }];
        variable.assign(value);
        let variable = resources.create("", "v", variable).expect("the manager is empty");
        (resources, variable, Tensor::handle(handle))
    }

    /// A handle of a variable that does not exist.
    pub(crate) fn dangling() -> Tensor {
        Tensor::handle(ResourceManager::make_handle::<Variable>("", "", "gone"))
    }
}
