//! MakeIterator: begins an iterator with a dataset.

use downpour_graph::OpSpec;
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use super::resource::Iterator;
use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("MakeIterator(dataset: variant, iterator: resource) -> () @stateful")?,
        |_| Ok(KernelBox::cheap(make)),
    )
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let iterator = cx.resource::<Iterator>(1)?;
    iterator.start(dataset::input(cx, 0)?.clone())
}
