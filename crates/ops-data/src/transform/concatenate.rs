//! ConcatenateDataset: the elements of one dataset, then those of another.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::dataset::{self, GraphDataset};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ConcatenateDataset(input_dataset: variant, another_dataset: variant) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(concatenate)),
    )
}

fn concatenate(cx: &mut OpContext<'_>) -> Result<()> {
    let (first, second) = (dataset::input(cx, 0)?, dataset::input(cx, 1)?);
    if first.signature.types != second.signature.types {
        return Err(Status::invalid_argument(
            "input dataset and dataset to concatenate have different output_types",
        ));
    }
    let both = first.pipeline.concatenate(&second.pipeline);
    let made = GraphDataset::new(cx.node(), both, &[first, second])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}
