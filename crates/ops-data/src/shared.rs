//! Where a node keeps a resource that others may share.

use downpour_runtime::{DEFAULT_CONTAINER, KernelBuild, OpContext, Resource, ResourceManager};
use downpour_tensor::{Result, Tensor};

/// A container, and the shared name or else the node's.
pub(crate) struct SharedPlace {
    container: String,
    name: String,
}

impl SharedPlace {
    pub fn new(build: &KernelBuild<'_>) -> Result<SharedPlace> {
        let or = |given: String, default: &str| match given.is_empty() {
            true => default.to_owned(),
            false => given,
        };
        Ok(SharedPlace {
            container: or(build.string("container")?, DEFAULT_CONTAINER),
            name: or(build.string("shared_name")?, &build.node().name),
        })
    }

    /// Sets output 0 to the handle of the resource that is kept here, made by `make` if there is none.
    pub fn set_handle<T: Resource>(
        &self,
        cx: &mut OpContext<'_>,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<()> {
        cx.resources().lookup_or_create(&self.container, &self.name, make)?;
        let handle =
            ResourceManager::make_handle::<T>(cx.step().device(), &self.container, &self.name);
        cx.set_output(0, Tensor::handle(handle));
        Ok(())
    }
}
