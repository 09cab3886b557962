//! MultiDeviceIterator and AnonymousMultiDeviceIterator: make an iterator for several devices, or find the shared one.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::Result;

use super::resource::MultiDeviceIterator;
use crate::anonymous;
use crate::component::Signature;
use crate::iterator::place::ResourcePlace;
use crate::iterator::string_handle::Named;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MultiDeviceIterator() -> (handle: resource) @stateful
                devices: list(string) >= 1
                shared_name: string
                container: string
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |build| {
            Ok(KernelBox::new(Create(
                ResourcePlace::new(build)?,
                MultiDeviceSignature::new(build)?,
            )))
        },
    )?;
    for (name, deleter) in [
        ("AnonymousMultiDeviceIterator", ", deleter: variant"),
        ("AnonymousMultiDeviceIteratorV3", ""),
    ] {
        let signature = format!(
            "{name}() -> (handle: resource{deleter}) @stateful
                devices: list(string) >= 1
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        let shape = if deleter.is_empty() { shapes::scalar } else { anonymous::two_scalars };
        registry.add(OpSpec::new(&signature)?.shape(shape), |build| {
            Ok(KernelBox::new(CreateAnonymous(MultiDeviceSignature::new(build)?)))
        })?;
    }
    Ok(())
}

/// The signature of a multi-device iterator, and how many devices it serves.
struct MultiDeviceSignature {
    signature: Signature,
    devices: usize,
}

impl MultiDeviceSignature {
    fn new(build: &KernelBuild<'_>) -> Result<MultiDeviceSignature> {
        Ok(MultiDeviceSignature {
            signature: Signature::of(build)?,
            devices: build.strings("devices")?.len(),
        })
    }

    fn iterator(&self) -> MultiDeviceIterator {
        MultiDeviceIterator::new(self.signature.clone(), self.devices)
    }
}

struct Create(ResourcePlace<MultiDeviceIterator>, MultiDeviceSignature);

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let Create(place, made) = self;
        let iterator = place.find_or_make(cx.resources(), || Ok(made.iterator()))?;
        iterator.check_signature(&made.signature)?;
        cx.set_output(0, place.handle(cx.step().device()));
        Ok(())
    }
}

struct CreateAnonymous(MultiDeviceSignature);

impl Kernel for CreateAnonymous {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        anonymous::create(cx, "multi_device_iterator", self.0.iterator())
    }
}
