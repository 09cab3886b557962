//! An iterator's handle as a string, for programs that feed it.

use std::marker::PhantomData;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry, Resource};
use downpour_tensor::{ByteString, Bytes, ResourceHandle, Result, Status, Tensor};

use super::resource::Iterator;
use crate::component::Signature;

/// A resource whose handle may travel as a string.
pub(super) trait Named: Resource {
    /// Fails unless the elements are what a node expects.
    fn check_signature(&self, expected: &Signature) -> Result<()>;
}

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    register_for::<Iterator>(
        registry,
        "IteratorToStringHandle(resource_handle: resource)",
        &[
            "IteratorFromStringHandle(string_handle: string) -> (resource_handle: resource)",
            "IteratorFromStringHandleV2(string_handle: string) -> (resource_handle: resource)",
        ],
    )
}

/// Adds the operation that makes a string of a handle, and those that make a handle of a string.
pub(super) fn register_for<T: Named>(
    registry: &mut Registry,
    to: &str,
    from: &[&str],
) -> Result<()> {
    let signature = format!("{to} -> (string_handle: string) @stateful");
    registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |_| {
        Ok(KernelBox::cheap(to_string::<T>))
    })?;
    for from in from {
        let signature = format!(
            "{from} @stateful
                output_types: list(type) >= 0 = []
                output_shapes: list(shape) >= 0 = []"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            let is_told = !build.dtypes("output_types")?.is_empty();
            let expected = is_told.then(|| Signature::of(build)).transpose()?;
            Ok(KernelBox::new(FromString::<T>(expected, PhantomData)))
        })?;
    }
    Ok(())
}

fn to_string<T: Named>(cx: &mut OpContext<'_>) -> Result<()> {
    // Only handles of such resources have a string.
    cx.resource::<T>(0)?;
    let text = ByteString::from_vec(downpour_wire::encode_handle(cx.handle(0)?)?)?;
    cx.set_output(0, Tensor::build_strings([], |_| Ok(text.clone()))?);
    Ok(())
}

struct FromString<T>(Option<Signature>, PhantomData<fn() -> T>);

impl<T: Named> Kernel for FromString<T> {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let text = cx.input(0);
        if text.rank() != 0 {
            return Err(Status::invalid_argument("string_handle must be a scalar"));
        }
        let handle = decode(&text.strings()?[0])?;
        let resource = cx.resources().lookup_handle::<T>(&handle)?;
        if let Some(expected) = &self.0 {
            resource.check_signature(expected)?;
        }
        cx.set_output(0, Tensor::handle(handle));
        Ok(())
    }
}

fn decode(text: &ByteString) -> Result<ResourceHandle> {
    downpour_wire::decode_handle(Bytes::copy_from_slice(text)).map_err(|_| {
        Status::invalid_argument("Could not parse string_handle as a valid ResourceHandle")
    })
}
