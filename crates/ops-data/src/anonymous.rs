//! Resources that have no name of the program's: whoever has the handle has the resource.
//!
//! They belong to the step that makes them. Whatever is made of one in that step (a dataset, say) keeps what it needs of
//! it; the resource itself ends with the step, so that a program that never deletes any takes no more memory for each.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};

use downpour_graph::{PartialShape, ShapeContext};
use downpour_runtime::{OpContext, Resource, ResourceManager, STEP_CONTAINER};
use downpour_tensor::{Code, Result, Tensor, Variant, VariantValue};

/// Returns a number that no other resource of this process has.
pub(crate) fn unique_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Makes a resource of this step, and sets the outputs to its handle and, if there is a second one, its deleter.
pub(crate) fn create<T: Resource>(cx: &mut OpContext<'_>, kind: &str, value: T) -> Result<()> {
    let name = format!("_anonymous_{kind}_{}", unique_number());
    cx.step().local().create(STEP_CONTAINER, &name, value)?;
    let device = cx.step().device();
    let handle = ResourceManager::make_handle::<T>(device, STEP_CONTAINER, &name);
    cx.set_output(0, Tensor::handle(handle));
    if cx.node().output_types.len() > 1 {
        cx.set_output(1, Variant::new(Deleter)?.into_tensor());
    }
    Ok(())
}

/// Deletes the resource whose handle is input 0; its step may have ended, and the resource with it.
pub(crate) fn delete(cx: &mut OpContext<'_>) -> Result<()> {
    let handle = cx.handle(0)?;
    let deleted = match handle.container == STEP_CONTAINER {
        true => cx.step().local().delete_handle(handle),
        false => cx.resources().delete_handle(handle),
    };
    match deleted {
        Err(error) if error.code() == Code::NotFound && handle.container == STEP_CONTAINER => {
            Ok(())
        }
        deleted => deleted,
    }
}

/// Returns the handle of a resource that there never is: operations make one of their own instead.
pub(crate) fn dummy_handle<T: Resource>(cx: &OpContext<'_>) -> Tensor {
    Tensor::handle(ResourceManager::make_handle::<T>(cx.step().device(), "", "_dummy"))
}

/// Sets the shapes of a handle and a deleter.
pub(crate) fn two_scalars(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::scalar());
    cx.set_output(1, PartialShape::scalar());
    Ok(())
}

/// The second output of operations that make anonymous resources; deleting goes by the handle.
#[derive(Debug)]
struct Deleter;

impl VariantValue for Deleter {
    fn type_name(&self) -> &str {
        "ResourceDeleter"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        0
    }
}
