//! ListDataset: elements that are given one by one, component by component.

use downpour_data::{Block, Dataset, Element, Names};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::component::Signature;
use crate::dataset::GraphDataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ListDataset(tensors: Tinput_types) -> (handle: variant) @stateful
                Tinput_types: list(type) >= 1
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(list)),
    )
}

fn list(cx: &mut OpContext<'_>) -> Result<()> {
    let signature = Signature::of(cx.node())?;
    let (given, components) = (cx.inputs_len(), signature.types.len());
    if given % components != 0 {
        return Err(Status::invalid_argument(format!(
            "{given} tensors are not whole elements of {components} components each"
        )));
    }
    let names = Names::numbered(components);
    let mut elements = Vec::with_capacity(given / components);
    for first in (0..given).step_by(components) {
        let tensors: Vec<_> = (first..first + components).map(|i| cx.input(i).clone()).collect();
        signature.check_element(&tensors)?;
        elements.push(Element::from_parts(names.clone(), tensors)?);
    }
    let rows = Dataset::from_block(Block::from_elements(elements)?);
    let made = GraphDataset::with_signature(signature, rows, &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}
