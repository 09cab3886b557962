//! WindowOp: a dataset of elements that are there.

use downpour_data::{Block, Dataset, Element};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::component::Signature;
use crate::dataset::GraphDataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "WindowOp(inputs: Tinputs) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                Tinputs: list(type) >= 1",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(window)),
    )
}

/// The inputs are the components of the elements, one element behind the other.
fn window(cx: &mut OpContext<'_>) -> Result<()> {
    let signature = Signature::of(cx.node())?;
    let width = signature.types.len();
    if !cx.inputs_len().is_multiple_of(width) {
        return Err(Status::invalid_argument(format!(
            "{} inputs are not whole elements of {width} components",
            cx.inputs_len()
        )));
    }
    let names = signature.names();
    let elements = (0..cx.inputs_len() / width).map(|row| {
        let components: Vec<_> = (0..width).map(|i| cx.input(row * width + i).clone()).collect();
        signature.check_element(&components)?;
        Element::from_parts(names.clone(), components)
    });
    let elements = Block::from_elements(elements.collect::<Result<_>>()?)?;
    let made = GraphDataset::with_signature(signature, Dataset::from_block(elements), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}
