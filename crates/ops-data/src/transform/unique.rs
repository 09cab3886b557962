//! UniqueDataset: every element the first time it comes.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status};

use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, own) in
        [("UniqueDataset", "metadata: string = ''"), ("ExperimentalUniqueDataset", "")]
    {
        let signature = format!(
            "{name}(input_dataset: variant) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {own}"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(unique)))?;
    }
    Ok(())
}

fn unique(cx: &mut OpContext<'_>) -> Result<()> {
    let input = dataset::input(cx, 0)?;
    match input.signature.types[..] {
        [DataType::Int32 | DataType::Int64 | DataType::String] => {}
        [_] => {
            return Err(Status::invalid_argument(
                "UniqueDataset only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` component.",
            ));
        }
        _ => {
            return Err(Status::invalid_argument(
                "UniqueDataset only supports inputs with a single component.",
            ));
        }
    }
    let unique = input.pipeline.unique();
    dataset::finish(cx, unique)
}
