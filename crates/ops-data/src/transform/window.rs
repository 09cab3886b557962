//! WindowDataset: the datasets of consecutive elements, one dataset for each component.

use std::sync::Arc;

use downpour_data::{Block, Dataset, Element, Names, Window};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::component::Signature;
use crate::dataset::{self, GraphDataset, scalar_bool, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "WindowDataset(input_dataset: variant, size: int64, shift: int64, stride: int64, drop_remainder: bool) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(windows)),
    )
}

fn windows(cx: &mut OpContext<'_>) -> Result<()> {
    let how = window(cx)?;
    let how = if scalar_bool(cx, 4, "drop_remainder")? { how.only_whole() } else { how };
    let input = dataset::input(cx, 0)?;
    let parts = Arc::new(parts(&input.signature));
    let names = Names::numbered(parts.len());
    let windows = input.pipeline.window(how, move |window| {
        let datasets = (0..parts.len()).map(|i| component(&window, i, &parts[i]));
        Element::from_parts(names.clone(), datasets.collect::<Result<_>>()?)
    })?;
    dataset::finish(cx, windows)
}

/// Returns the window that inputs 1 to 3 describe.
pub(super) fn window(cx: &OpContext<'_>) -> Result<Window> {
    let mut numbers = [0; 3];
    for (i, (number, name)) in numbers.iter_mut().zip(["size", "shift", "stride"]).enumerate() {
        let given = scalar_i64(cx, 1 + i, name)?;
        *number = u64::try_from(given).ok().filter(|&number| number > 0).ok_or_else(|| {
            Status::invalid_argument(format!("Window {name} must be greater than zero."))
        })?;
    }
    let [size, shift, stride] = numbers;
    Ok(Window::new(size).shift(shift).stride(stride))
}

/// Returns the signatures of the components, each for itself.
fn parts(signature: &Signature) -> Vec<Signature> {
    let parts = signature.types.iter().zip(signature.shapes.iter());
    parts
        .map(|(&dtype, shape)| Signature {
            types: Arc::new([dtype]),
            shapes: Arc::new([shape.clone()]),
        })
        .collect()
}

/// Returns the dataset of one component of a window.
fn component(window: &Block, i: usize, signature: &Signature) -> Result<Tensor> {
    let names = signature.names();
    let elements = (0..window.rows()).map(|row| {
        let component = window.element(row)?.tensors().get(i).cloned();
        let component = component
            .ok_or_else(|| Status::invalid_argument(format!("an element has no component {i}")))?;
        Element::from_parts(names.clone(), vec![component])
    });
    let elements = Block::from_elements(elements.collect::<Result<_>>()?)?;
    GraphDataset::with_signature(signature.clone(), Dataset::from_block(elements), &[])?
        .into_tensor()
}
