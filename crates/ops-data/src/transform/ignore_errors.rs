//! IgnoreErrorsDataset: the elements that can be made.

use downpour_data::IgnoredErrors;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["IgnoreErrorsDataset", "ExperimentalIgnoreErrorsDataset"] {
        let signature = format!(
            "{name}(input_dataset: variant) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                log_warning: bool = false"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(ignore)))?;
    }
    Ok(())
}

fn ignore(cx: &mut OpContext<'_>) -> Result<()> {
    let input = &dataset::input(cx, 0)?.pipeline;
    let sound = input.ignore_errors(&IgnoredErrors::any());
    dataset::finish(cx, sound)
}
