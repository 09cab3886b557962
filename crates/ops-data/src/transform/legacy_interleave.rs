//! ParallelInterleaveDataset as it was first: the program says how far the open datasets are read ahead.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::interleave::{finish, read_ahead, weave};
use crate::dataset::{scalar_bool, scalar_i64};
use crate::function::Captured;

/// The operations, how each says that the order may change, and whether it has a description.
const OPERATIONS: [(&str, &str, &str, &str); 3] = [
    ("ParallelInterleaveDataset", "sloppy: bool, ", "", "metadata: string = ''"),
    ("ExperimentalParallelInterleaveDataset", "sloppy: bool, ", "", ""),
    (
        "LegacyParallelInterleaveDatasetV2",
        "",
        "deterministic: string = 'default'",
        "metadata: string = ''",
    ),
];

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, sloppy, deterministic, own) in OPERATIONS {
        let signature = format!(
            "{name}(input_dataset: variant, other_arguments: Targuments, cycle_length: int64, block_length: int64, {sloppy}buffer_output_elements: int64, prefetch_input_elements: int64) -> (handle: variant)
                f: func
                {deterministic}
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {own}"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(ParallelInterleave(build.callable("f")?)))
        })?;
    }
    Ok(())
}

struct ParallelInterleave(Arc<FunctionHandle>);

impl Kernel for ParallelInterleave {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let first = cx.node().input_range("other_arguments")?.end;
        let how = weave(cx, first, None)?;
        let last = cx.inputs_len() - 1;
        if last == first + 4 {
            // Elements keep their order, which a sloppy dataset allows.
            scalar_bool(cx, first + 2, "sloppy")?;
        }
        let ahead = scalar_i64(cx, last - 1, "buffer_output_elements")?;
        if ahead <= 0 {
            return Err(Status::invalid_argument("`buffer_output_elements` must be > 0"));
        }
        // Further datasets are opened when the turn comes to them.
        if scalar_i64(cx, last, "prefetch_input_elements")? < 0 {
            return Err(Status::invalid_argument("`prefetch_input_elements` must be >= 0"));
        }
        finish(cx, function, read_ahead(how, ahead)?)
    }
}
