//! Memory that datasets share to keep their elements in, as a resource.

use downpour_data::CacheMemory;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry, Resource};
use downpour_tensor::{Code, Result};

use crate::anonymous;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("AnonymousMemoryCache() -> (handle: resource, deleter: variant) @stateful")?
            .shape(anonymous::two_scalars),
        |_| {
            Ok(KernelBox::cheap(|cx| anonymous::create(cx, "memory_cache", MemoryCache::default())))
        },
    )?;
    registry.add(
        OpSpec::new("DeleteMemoryCache(handle: resource, deleter: variant) -> () @stateful")?,
        |_| Ok(KernelBox::cheap(anonymous::delete)),
    )?;
    registry.add(
        OpSpec::new("DummyMemoryCache() -> (handle: resource) @stateful")?.shape(shapes::scalar),
        |_| {
            Ok(KernelBox::cheap(|cx| {
                cx.set_output(0, anonymous::dummy_handle::<MemoryCache>(cx));
                Ok(())
            }))
        },
    )
}

/// Where the elements of a cached dataset are. They count against the memory limit as all tensors do.
#[derive(Default)]
pub(super) struct MemoryCache(CacheMemory);

impl Resource for MemoryCache {
    fn describe(&self) -> String {
        let state = if self.0.is_complete() { "complete" } else { "not complete" };
        format!("cache of a dataset, {state}")
    }
}

/// Returns the memory whose handle is input `i`, or a new one if there is none.
pub(super) fn input(cx: &OpContext<'_>, i: usize) -> Result<CacheMemory> {
    match cx.resource::<MemoryCache>(i) {
        Err(error) if error.code() == Code::NotFound => Ok(CacheMemory::default()),
        found => found.map(|cache| cache.0.clone()),
    }
}

#[cfg(test)]
mod tests {
    use downpour_runtime::testing::OpTest;

    #[test]
    fn a_cache_is_deleted_with_its_step_or_before() {
        let made = OpTest::new(super::register, "AnonymousMemoryCache").run().unwrap();
        let delete = OpTest::new(super::register, "DeleteMemoryCache");
        delete.input(made[0].clone()).input(made[1].clone()).run().unwrap();
        let dummy = OpTest::new(super::register, "DummyMemoryCache").run_one().unwrap();
        let delete = OpTest::new(super::register, "DeleteMemoryCache");
        assert!(delete.input(dummy).input(made[1].clone()).run().is_err());
    }
}
