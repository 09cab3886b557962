//! Operations that have a pipeline rewritten so that it runs faster.
//!
//! None of TensorFlow's rewrites changes the elements of a dataset, and ours runs as it stands. So the arguments are
//! checked, and the dataset is passed on.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::dataset;

const ELEMENTS: &str = "
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1";

/// The names that a program may ask for one by one.
const REWRITES: [&str; 22] = [
    "autotune_buffer_sizes",
    "batch_parallelization",
    "disable_intra_op_parallelism",
    "disable_prefetch_legacy_autotune",
    "enable_gradient_descent",
    "filter_fusion",
    "filter_parallelization",
    "inject_io_prefetch",
    "inject_io_prefetch_eligible",
    "inject_prefetch",
    "make_deterministic",
    "make_sloppy",
    "map_and_batch_fusion",
    "map_and_filter_fusion",
    "map_fusion",
    "map_parallelization",
    "noop_elimination",
    "parallel_batch",
    "remove_compression_map",
    "replicate_on_split",
    "shuffle_and_repeat_fusion",
    "use_private_thread_pool",
];

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, inputs, own) in [
        (
            "OptimizeDataset",
            "optimizations: string",
            "optimization_configs: list(string) >= 0 = []",
        ),
        (
            "OptimizeDatasetV2",
            "optimizations_enabled: string, optimizations_disabled: string, optimizations_default: string",
            "optimization_configs: list(string) >= 0 = []",
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

fn rewrite_one(cx: &mut OpContext<'_>) -> Result<()> {
    let name = &cx.scalar_input(1)?.strings()?[0];
    if !REWRITES.iter().any(|known| known.as_bytes() == &name[..]) {
        return Err(Status::internal(format!(
            "Tried to register a dataset optimizer that doesn't exist: {}",
            downpour_tensor::excerpt(name)
        )));
    }
    pass(cx)
}

fn pass(cx: &mut OpContext<'_>) -> Result<()> {
    let input = dataset::input(cx, 0)?.pipeline.clone();
    dataset::finish(cx, input)
}
