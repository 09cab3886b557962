//! NonSerializableDataset: the elements of a dataset that refuses to be written as a graph.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["NonSerializableDataset", "ExperimentalNonSerializableDataset"] {
        let signature = format!(
            "{name}(input_dataset: variant) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(pass)))?;
    }
    Ok(())
}

/// The export of graphs knows the operation by its name.
fn pass(cx: &mut OpContext<'_>) -> Result<()> {
    let input = dataset::input(cx, 0)?.pipeline.clone();
    dataset::finish(cx, input)
}
