//! Operations that make an iterator, or find the shared one.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry, ResourceManager};
use downpour_tensor::{Result, Tensor};

use super::place::ResourcePlace;
use super::resource::Iterator;
use super::string_handle::Named;
use crate::anonymous::{self, unique_number};
use crate::component::Signature;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["Iterator", "IteratorV2"] {
        let signature = format!(
            "{name}() -> (handle: resource) @stateful
                shared_name: string
                container: string
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(Create(ResourcePlace::new(build)?, Signature::of(build)?)))
        })?;
    }
    registry.add(
        OpSpec::new(
            "AnonymousIterator() -> (handle: resource) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(CreateAnonymous(Signature::of(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "AnonymousIteratorV2() -> (handle: resource, deleter: variant) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(anonymous::two_scalars),
        |build| Ok(KernelBox::new(CreateAnonymous(Signature::of(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "AnonymousIteratorV3() -> (handle: resource) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(CreateAnonymous(Signature::of(build)?))),
    )?;
    registry.add(
        OpSpec::new("DeleteIterator(handle: resource, deleter: variant) -> () @stateful")?,
        |_| Ok(KernelBox::function(anonymous::delete)),
    )
}

struct Create(ResourcePlace<Iterator>, Signature);

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let Create(place, signature) = self;
        let make = || Ok(Iterator::new(Some(signature.clone())));
        place.find_or_make(cx.resources(), make)?.check_signature(signature)?;
        cx.set_output(0, place.handle(cx.step().device()));
        Ok(())
    }
}

struct CreateAnonymous(Signature);

impl Kernel for CreateAnonymous {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let iterator = Iterator::new(Some(self.0.clone()));
        if cx.node().op_name() != "AnonymousIterator" {
            return anonymous::create(cx, "iterator", iterator);
        }
        // Its handle may become a string that later steps use.
        let name = format!("_anonymous_iterator_{}", unique_number());
        cx.resources().create("", &name, iterator)?;
        let handle = ResourceManager::make_handle::<Iterator>(cx.step().device(), "", &name);
        cx.set_output(0, Tensor::handle(handle));
        Ok(())
    }
}
