//! ZipDataset: elements of several datasets side by side.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::dataset::{self, GraphDataset};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ZipDataset(input_datasets: N*variant) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                N: int >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(zip)),
    )
}

fn zip(cx: &mut OpContext<'_>) -> Result<()> {
    let inputs: Vec<&GraphDataset> =
        (0..cx.inputs_len()).map(|i| dataset::input(cx, i)).collect::<Result<_>>()?;
    let mut zipped = inputs[0].pipeline.clone();
    for input in &inputs[1..] {
        zipped = zipped.zip(&input.pipeline);
    }
    let made = GraphDataset::new(cx.node(), zipped, &inputs)?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}
