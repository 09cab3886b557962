//! Handles of stateful objects: resource handles, and the older pairs of strings.
//!
//! The older operations name an object by a reference to a string vector `[container, name]`, the
//! newer ones by a resource handle. Both are made and found here, so that a kernel need not care.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use downpour_graph::{Node, PartialShape};
use downpour_runtime::{
    AsyncContext, DEFAULT_CONTAINER, OpContext, Resource, ResourceManager, STEP_CONTAINER, Step,
    Value, Variable,
};
use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};

/// A number no other object of this process has.
pub(crate) fn unique_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Where a node keeps its object: the container, and the shared name, the node's name, or a name
/// nobody else can guess.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub container: String,
    pub name: String,
}

impl Place {
    /// For operations whose object goes by the node's name when no shared name is given.
    pub(crate) fn by_node_name(node: &Node) -> Result<Place> {
        Place::new(node, true)
    }

    pub(crate) fn new(node: &Node, share_by_node_name: bool) -> Result<Place> {
        let container = node.string("container")?;
        let container =
            if container.is_empty() { DEFAULT_CONTAINER.to_string() } else { container };
        let shared = node.string("shared_name")?;
        let name = if !shared.is_empty() {
            shared
        } else if share_by_node_name {
            node.name.clone()
        } else {
            format!("_{}_{}", unique_number(), node.name)
        };
        Ok(Place { container, name })
    }
}

/// The manager that holds what a container's handles name.
fn manager<'s>(step: &'s Step, container: &str) -> &'s ResourceManager {
    if container == STEP_CONTAINER { step.local() } else { step.resources() }
}

/// The object that a value names, be it a resource handle or a pair of strings.
pub(crate) fn find<T: Resource>(value: &Value, step: &Step) -> Result<Arc<T>> {
    let tensor = match value {
        Value::Ref(variable) => variable.read()?,
        Value::Tensor(tensor) => tensor.clone(),
        _ => return Err(Status::internal("a handle input is missing")),
    };
    if tensor.dtype() == DataType::Resource {
        let [handle] = tensor.handles()? else {
            return Err(Status::invalid_argument(format!(
                "expected one resource handle, got a tensor of shape {}",
                tensor.shape()
            )));
        };
        return manager(step, &handle.container).lookup_handle(handle);
    }
    let (container, name) = string_pair(&tensor)?;
    manager(step, &container).lookup(&container, &name)
}

/// The container and name in an older handle.
pub(crate) fn string_pair(tensor: &Tensor) -> Result<(String, String)> {
    match tensor.strings()? {
        [container, name] => Ok((
            String::from_utf8_lossy(container).into_owned(),
            String::from_utf8_lossy(name).into_owned(),
        )),
        _ => Err(Status::invalid_argument(format!(
            "Resource handle must have two elements, but had shape: {}",
            tensor.shape()
        ))),
    }
}

pub(crate) fn find_input<T: Resource>(cx: &mut OpContext<'_>, i: usize) -> Result<Arc<T>> {
    let step = cx.step();
    find(&cx.input_values()[i], step)
}

pub(crate) fn find_async<T: Resource>(cx: &AsyncContext, i: usize) -> Result<Arc<T>> {
    find(cx.input_value(i), cx.step())
}

/// Sets output 0 to a handle of the kind the node declares.
pub(crate) fn set_handle<T: Resource>(cx: &mut OpContext<'_>, place: &Place) -> Result<()> {
    let output = cx.node().output_types[0];
    if output.dtype == DataType::Resource {
        let handle =
            ResourceManager::make_handle::<T>(cx.step().device(), &place.container, &place.name);
        cx.set_output(0, Tensor::handle(handle));
        return Ok(());
    }
    let pair = [&place.container, &place.name];
    let pair = Tensor::build_strings([2], |i| ByteString::copy_from(pair[i]))?;
    if output.is_ref {
        let variable = Variable::new(&place.name, DataType::String, PartialShape::vector(Some(2)));
        variable.assign(pair);
        cx.set_output_ref(0, Arc::new(variable));
    } else {
        cx.set_output(0, pair);
    }
    Ok(())
}
