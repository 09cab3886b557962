//! An iterator's handle as a string, for programs that feed it.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, Bytes, ResourceHandle, Result, Status, Tensor};

use super::resource::Iterator;
use crate::component::Signature;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("IteratorToStringHandle(resource_handle: resource) -> (string_handle: string) @stateful")?
            .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(to_string)),
    )?;
    for name in ["IteratorFromStringHandle", "IteratorFromStringHandleV2"] {
        let signature = format!(
            "{name}(string_handle: string) -> (resource_handle: resource) @stateful
                output_types: list(type) >= 0 = []
                output_shapes: list(shape) >= 0 = []"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            let is_told = !build.dtypes("output_types")?.is_empty();
            let expected = is_told.then(|| Signature::of(build)).transpose()?;
            Ok(KernelBox::new(FromString(expected)))
        })?;
    }
    Ok(())
}

fn to_string(cx: &mut OpContext<'_>) -> Result<()> {
    // Only handles of iterators have a string.
    cx.resource::<Iterator>(0)?;
    let text = ByteString::from_vec(downpour_wire::encode_handle(cx.handle(0)?)?)?;
    cx.set_output(0, Tensor::build_strings([], |_| Ok(text.clone()))?);
    Ok(())
}

struct FromString(Option<Signature>);

impl Kernel for FromString {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let text = cx.input(0);
        if text.rank() != 0 {
            return Err(Status::invalid_argument("string_handle must be a scalar"));
        }
        let handle = decode(&text.strings()?[0])?;
        let iterator = cx.resources().lookup_handle::<Iterator>(&handle)?;
        if let Some(expected) = &self.0 {
            iterator.check_signature(expected)?;
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
