//! Operations that have a pipeline rewritten so that it runs faster.
//!
//! None of TensorFlow's rewrites changes the elements of a dataset, and ours runs as it stands. So the arguments are
//! checked, and the dataset is passed on.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::dataset;

const ELEMENTS: &str = "
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1";

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, inputs, own) in [
        ("OptimizeDataset", "optimizations: string", "optimization_configs: list(string) = []"),
        (
            "OptimizeDatasetV2",
            "optimizations_enabled: string, optimizations_disabled: string, optimizations_default: string",
            "optimization_configs: list(string) = []",
        ),
    ] {
        let signature = format!(
            "{name}(input_dataset: variant, {inputs}) -> (handle: variant){ELEMENTS}\n{own}"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(optimize)))?;
    }
    let finalize = format!(
        "FinalizeDataset(input_dataset: variant) -> (handle: variant)
                has_captured_ref: bool = false{ELEMENTS}"
    );
    registry.add(OpSpec::new(&finalize)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(pass)))?;
    let rewrite = format!(
        "RewriteDataset(input_dataset: variant, rewrite_name: string) -> (handle: variant){ELEMENTS}"
    );
    registry
        .add(OpSpec::new(&rewrite)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(rewrite_one)))
}

fn optimize(cx: &mut OpContext<'_>) -> Result<()> {
    for i in 1..cx.inputs_len() {
        cx.vector_input(i)?;
    }
    pass(cx)
}

/// A name that is no rewrite is passed over, as in TensorFlow.
fn rewrite_one(cx: &mut OpContext<'_>) -> Result<()> {
    cx.scalar_input(1)?;
    pass(cx)
}

fn pass(cx: &mut OpContext<'_>) -> Result<()> {
    let input = dataset::input(cx, 0)?.pipeline.clone();
    dataset::finish(cx, input)
}
