//! InterleaveDataset and its parallel forms: the elements of the datasets that a function makes, woven together.

use std::sync::Arc;

use downpour_data::Interleave as Weave;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::flat_map::made;
use super::parallel_map::parallel;
use crate::component::Signature;
use crate::dataset::{self, scalar_i64};
use crate::function::Captured;
use crate::function_stage::{self, endless_length, unknown_length};

/// The operations, what each takes besides the datasets, and how it says that the order may change.
const OPERATIONS: [(&str, &str, &str); 4] = [
    ("InterleaveDataset", "", ""),
    ("ParallelInterleaveDatasetV2", ", num_parallel_calls: int64", "sloppy: bool = false"),
    (
        "ParallelInterleaveDatasetV3",
        ", num_parallel_calls: int64",
        "deterministic: string = 'default'",
    ),
    (
        "ParallelInterleaveDatasetV4",
        ", buffer_output_elements: int64, prefetch_input_elements: int64, num_parallel_calls: int64",
        "deterministic: string = 'default'",
    ),
];

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, arguments, order) in OPERATIONS {
        let signature = format!(
            "{name}(input_dataset: variant, other_arguments: Targuments, cycle_length: int64, block_length: int64{arguments}) -> (handle: variant)
                f: func
                {order}
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(Interleave(build.callable("f")?)))
        })?;
    }
    Ok(())
}

/// Elements that are read ahead of each open dataset at most.
const MOST_AHEAD: usize = 1024;
/// Datasets that are open at the same time, each with a thread of its own if they are read in parallel.
const MOST_OPEN: i64 = 1024;

struct Interleave(Arc<FunctionHandle>);

impl Kernel for Interleave {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let ours = function.threads();
        let first = cx.node().input_range("other_arguments")?.end;
        let rest = cx.inputs_len() - (first + 2);
        let cycle = match rest {
            0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
            _ => ours,
        };
        let mut how = weave(cx, first, Some(cycle))?;
        if rest > 0 {
            let calls = scalar_i64(cx, cx.inputs_len() - 1, "num_parallel_calls")?;
            // Each open dataset has a thread; they run when the reader needs them.
            parallel("num_parallel_calls", calls, ours)?;
            let ahead =
                if rest == 3 { scalar_i64(cx, first + 2, "buffer_output_elements")? } else { -1 };
            how = read_ahead(how, ahead)?;
        }
        finish(cx, function, how)
    }
}

/// Returns how many datasets are open and how many elements each gives, by inputs `first` and the one behind it. `ours` is
/// how many are open if the program leaves that to us.
pub(super) fn weave(cx: &OpContext<'_>, first: usize, ours: Option<usize>) -> Result<Weave> {
    let cycle = match (scalar_i64(cx, first, "cycle_length")?, ours) {
        (-1, Some(ours)) => ours as i64,
        (cycle @ 1.., _) => cycle,
        _ => return Err(Status::invalid_argument("`cycle_length` must be > 0")),
    };
    if cycle > MOST_OPEN {
        return Err(Status::invalid_argument(format!(
            "`cycle_length` is {cycle}; at most {MOST_OPEN} datasets can be open at the same time"
        )));
    }
    let block = scalar_i64(cx, first + 1, "block_length")?;
    if block <= 0 {
        return Err(Status::invalid_argument("`block_length` must be > 0"));
    }
    Ok(Weave::new(cycle as usize).block(usize::try_from(block).unwrap_or(usize::MAX)))
}

/// Sets the output to the datasets that a function makes of the elements of input 0, woven together.
pub(super) fn finish(cx: &mut OpContext<'_>, function: Arc<Captured>, how: Weave) -> Result<()> {
    let signature = Signature::of(cx.node())?;
    let input = dataset::input(cx, 0)?;
    // The versions with `num_parallel_calls` say that they are endless if their input is.
    let length = match cx.node().input_range("num_parallel_calls") {
        Ok(_) => endless_length,
        Err(_) => unknown_length,
    };
    let woven =
        function_stage::dataset("interleave", input, function, length, move |input, function| {
            let signature = signature.clone();
            input
                .interleave(how, move |element| made(&function, element.into_tensors(), &signature))
        });
    dataset::finish(cx, woven)
}

pub(super) fn read_ahead(weave: Weave, asked: i64) -> Result<Weave> {
    match asked {
        -1 => Ok(weave.parallel_autotuned()),
        1.. => Ok(weave.parallel(usize::try_from(asked).unwrap_or(MOST_AHEAD).min(MOST_AHEAD))),
        _ => Err(Status::invalid_argument(
            "`buffer_output_elements` must be -1 (which stands for `AUTOTUNE`) or > 0",
        )),
    }
}
