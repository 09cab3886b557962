//! TensorDataset and TensorSliceDataset: tensors as one element, or a row of each as an element.

use downpour_data::{Block, Dataset, Element, Names};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::dataset::GraphDataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "TensorDataset(components: Toutput_types) -> (handle: variant) @stateful
                Toutput_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(one)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorSliceDataset(components: Toutput_types) -> (handle: variant) @stateful
                Toutput_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                is_files: bool = false
                metadata: string = ''
                replicate_on_split: bool = false",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(slices)),
    )
}

fn components(cx: &OpContext<'_>) -> Vec<Tensor> {
    (0..cx.inputs_len()).map(|i| cx.input(i).clone()).collect()
}

fn one(cx: &mut OpContext<'_>) -> Result<()> {
    let element = Element::new(components(cx));
    let block = Block::from_element(element);
    let made = GraphDataset::new(cx.node(), Dataset::from_block(block), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

fn slices(cx: &mut OpContext<'_>) -> Result<()> {
    let components = components(cx);
    let rows = |tensor: &Tensor| tensor.dims().first().copied();
    let Some(first) = rows(&components[0]) else { return Err(no_rows()) };
    for (i, component) in components.iter().enumerate() {
        let own = rows(component).ok_or_else(no_rows)?;
        if own != first {
            return Err(Status::invalid_argument(format!(
                "All components must have the same size in the 0th dimension, but component 0 has {first} and \
                 component {i} has {own}"
            )));
        }
    }
    let names = Names::numbered(components.len());
    let block = Block::from_columns(names, first, components)?;
    let made = GraphDataset::new(cx.node(), Dataset::from_block(block), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

fn no_rows() -> Status {
    Status::invalid_argument("All components must be at least 1-dimensional")
}
