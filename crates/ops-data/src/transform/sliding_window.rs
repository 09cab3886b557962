//! SlidingWindowDataset: consecutive elements as one, with a new first axis.

use downpour_data::Element;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use super::window::window;
use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["SlidingWindowDataset", "ExperimentalSlidingWindowDataset"] {
        let own = if name == "SlidingWindowDataset" { "drop_remainder: bool = true" } else { "" };
        let signature = format!(
            "{name}(input_dataset: variant, window_size: int64, window_shift: int64, window_stride: int64) -> (handle: variant)
                {own}
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(slide)))?;
    }
    Ok(())
}

fn slide(cx: &mut OpContext<'_>) -> Result<()> {
    let how = window(cx)?;
    let how = match cx.node().bool("drop_remainder") {
        Ok(false) => how,
        _ => how.only_whole(),
    };
    let batches = dataset::input(cx, 0)?.pipeline.window(how, |window| {
        let window = window.stacked()?;
        let columns = window.columns().unwrap_or_default().to_vec();
        Element::from_parts(window.names().clone(), columns)
    })?;
    dataset::finish(cx, batches)
}
