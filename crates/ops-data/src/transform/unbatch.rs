//! UnbatchDataset: every row of an element as an element.

use downpour_data::{Block, Dataset, Element, Length, Names};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::component::Signature;
use crate::dataset;
use crate::function_stage;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["UnbatchDataset", "ExperimentalUnbatchDataset"] {
        let own = if name == "UnbatchDataset" { "metadata: string = ''" } else { "" };
        let signature = format!(
            "{name}(input_dataset: variant) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {own}"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(unbatch)))?;
    }
    Ok(())
}

fn unbatch(cx: &mut OpContext<'_>) -> Result<()> {
    let names = Signature::of(cx.node())?.names();
    let input = dataset::input(cx, 0)?;
    let size = batch_size(&input.signature);
    let length = move |length: Option<Length>| match length? {
        Length::Finite(count) => count.checked_mul(size?).map(Length::Finite),
        Length::Infinite => Some(Length::Infinite),
    };
    let rows = function_stage::dataset_of_functions("unbatch", input, length, move |input, _| {
        let names = names.clone();
        Ok(input.flat_map(move |element| rows(element, &names)))
    });
    dataset::finish(cx, rows)
}

/// Returns how many rows every element has, if the shapes say that.
fn batch_size(signature: &Signature) -> Option<u64> {
    signature.shapes.iter().find_map(|shape| shape.dim(0)).map(|rows| rows as u64)
}

fn rows(element: Element, names: &Names) -> Result<Dataset> {
    let components = element.into_tensors();
    let count = components.first().and_then(|component| component.dims().first().copied());
    let count = count.ok_or_else(|| {
        Status::invalid_argument("Cannot unbatch an input with scalar components.")
    })?;
    if components.iter().any(|component| component.dims().first() != Some(&count)) {
        return Err(Status::invalid_argument(
            "Input element must have the same batch size in each component.",
        ));
    }
    Ok(Dataset::from_block(Block::from_columns(names.clone(), count, components)?))
}
