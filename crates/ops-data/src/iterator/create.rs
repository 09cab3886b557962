//! Operations that make an iterator, or find the shared one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry, ResourceManager};
use downpour_tensor::{Result, Tensor, Variant, VariantValue};

use super::resource::Iterator;
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
            Ok(KernelBox::new(Create(IteratorPlace::new(build)?, Signature::of(build)?)))
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
        .shape(two_scalars),
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
        |_| Ok(KernelBox::function(|cx| cx.resources().delete_handle(cx.handle(0)?))),
    )
}

fn two_scalars(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::scalar());
    cx.set_output(1, PartialShape::scalar());
    Ok(())
}

/// A number that no other iterator of this process has.
fn unique_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Where a node keeps its iterator: under its shared name, or under one that nobody else has. An iterator that nobody
/// else has ends with the node's session.
pub(super) struct IteratorPlace {
    container: String,
    name: String,
    /// The resources that hold the node's own iterator, once it was made.
    own: Option<OnceLock<Weak<ResourceManager>>>,
}

impl IteratorPlace {
    pub fn new(build: &KernelBuild<'_>) -> Result<IteratorPlace> {
        let (container, shared) = (build.string("container")?, build.string("shared_name")?);
        Ok(match shared.is_empty() {
            true => {
                let name = format!("_{}_{}", unique_number(), build.node().name);
                IteratorPlace { container, name, own: Some(OnceLock::new()) }
            }
            false => IteratorPlace { container, name: shared, own: None },
        })
    }

    /// Returns the iterator that is kept here, made by `make` if there is none.
    pub fn find_or_make(
        &self,
        resources: &Arc<ResourceManager>,
        make: impl FnOnce() -> Result<Iterator>,
    ) -> Result<Arc<Iterator>> {
        if let Some(own) = &self.own {
            own.get_or_init(|| Arc::downgrade(resources));
        }
        resources.lookup_or_create(&self.container, &self.name, make)
    }

    /// Whether an iterator is kept here: its container may have been cleared.
    pub fn exists(&self, resources: &ResourceManager) -> bool {
        resources.lookup::<Iterator>(&self.container, &self.name).is_ok()
    }

    /// Returns the handle of the iterator that is kept here.
    pub fn handle(&self, device: &str) -> Tensor {
        let place = (&self.container, &self.name);
        Tensor::handle(ResourceManager::make_handle::<Iterator>(device, place.0, place.1))
    }
}

impl Drop for IteratorPlace {
    fn drop(&mut self) {
        let made = self.own.as_ref().and_then(OnceLock::get).and_then(Weak::upgrade);
        if let Some(resources) = made {
            // It may have gone with its container.
            let _ = resources.delete::<Iterator>(&self.container, &self.name);
        }
    }
}

struct Create(IteratorPlace, Signature);

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
        let name = format!("_anonymous_iterator_{}", unique_number());
        cx.resources().create("", &name, Iterator::new(Some(self.0.clone())))?;
        let handle = ResourceManager::make_handle::<Iterator>(cx.step().device(), "", &name);
        cx.set_output(0, Tensor::handle(handle));
        if cx.node().output_types.len() > 1 {
            cx.set_output(1, Variant::new(Deleter)?.into_tensor());
        }
        Ok(())
    }
}

/// The second output of operations that make anonymous resources; deleting goes by the handle.
#[derive(Debug)]
struct Deleter;

impl VariantValue for Deleter {
    fn type_name(&self) -> &str {
        "ResourceDeleter"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }

    fn inner_depth(&self) -> usize {
        0
    }
}
