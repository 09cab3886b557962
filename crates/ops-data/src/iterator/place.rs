//! Where a node keeps the resource that it makes.

use std::marker::PhantomData;
use std::sync::{Arc, OnceLock, Weak};

use downpour_runtime::{KernelBuild, Resource, ResourceManager};
use downpour_tensor::{Result, Tensor};

use crate::anonymous::unique_number;

/// Where a node keeps its resource: under its shared name, or under one that nobody else has. A resource that nobody
/// else has ends with the node's session.
pub(super) struct ResourcePlace<T: Resource> {
    container: String,
    name: String,
    /// The manager that holds the node's own resource, once it was made.
    own: Option<OnceLock<Weak<ResourceManager>>>,
    kind: PhantomData<fn() -> T>,
}

impl<T: Resource> ResourcePlace<T> {
    pub fn new(build: &KernelBuild<'_>) -> Result<ResourcePlace<T>> {
        let (container, shared) = (build.string("container")?, build.string("shared_name")?);
        let (name, own) = match shared.is_empty() {
            true => {
                let name = format!("_{}_{}", unique_number(), build.node().name);
                (name, Some(OnceLock::new()))
            }
            false => (shared, None),
        };
        Ok(ResourcePlace { container, name, own, kind: PhantomData })
    }

    /// Returns the resource that is kept here, made by `make` if there is none.
    pub fn find_or_make(
        &self,
        resources: &Arc<ResourceManager>,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        if let Some(own) = &self.own {
            own.get_or_init(|| Arc::downgrade(resources));
        }
        resources.lookup_or_create(&self.container, &self.name, make)
    }

    /// Whether a resource is kept here: its container may have been cleared.
    pub fn exists(&self, resources: &ResourceManager) -> bool {
        resources.lookup::<T>(&self.container, &self.name).is_ok()
    }

    /// Returns the handle of the resource that is kept here.
    pub fn handle(&self, device: &str) -> Tensor {
        let place = (&self.container, &self.name);
        Tensor::handle(ResourceManager::make_handle::<T>(device, place.0, place.1))
    }
}

impl<T: Resource> Drop for ResourcePlace<T> {
    fn drop(&mut self) {
        let made = self.own.as_ref().and_then(OnceLock::get).and_then(Weak::upgrade);
        if let Some(resources) = made {
            // It may have gone with its container.
            let _ = resources.delete::<T>(&self.container, &self.name);
        }
    }
}
