//! Operations that say how a pipeline may run and change nothing of what it gives.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, Result, Tensor};

use crate::dataset::{self, GraphDataset};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "OptionsDataset(input_dataset: variant) -> (handle: variant)
                serialized_options: string
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(set)),
    )?;
    registry.add(
        OpSpec::new("GetOptions(input_dataset: variant) -> (serialized_options: string)")?
            .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(get)),
    )?;
    registry.add(
        OpSpec::new(
            "ModelDataset(input_dataset: variant) -> (handle: variant)
                algorithm: int = 0
                cpu_budget: int = 0
                ram_budget: int = 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(pass)),
    )
}

/// Options allow a pipeline more than ours takes: elements always come in order.
fn set(cx: &mut OpContext<'_>) -> Result<()> {
    let input = dataset::input(cx, 0)?;
    let mut made = GraphDataset::new(cx.node(), input.pipeline.clone(), &[input])?;
    let own = Arc::new(cx.node().bytes("serialized_options")?.to_vec());
    made.options = dataset::merged([&made.options, &own].into_iter())?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

fn get(cx: &mut OpContext<'_>) -> Result<()> {
    let options = dataset::input(cx, 0)?.options.clone();
    cx.set_output(0, Tensor::build_strings([], |_| ByteString::copy_from(&options[..]))?);
    Ok(())
}

fn pass(cx: &mut OpContext<'_>) -> Result<()> {
    let input = dataset::input(cx, 0)?.pipeline.clone();
    dataset::finish(cx, input)
}
