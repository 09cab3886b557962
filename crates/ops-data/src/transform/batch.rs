//! BatchDataset: several elements as one, with a new first axis.

use downpour_data::{Batch, Dataset, OnError, Remainder};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::parallel_map::parallel;
use crate::dataset::{self, scalar_bool, scalar_i64};

const ELEMENTS: &str = "
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''";

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let one = format!(
        "BatchDataset(input_dataset: variant, batch_size: int64) -> (handle: variant){ELEMENTS}"
    );
    registry.add(OpSpec::new(&one)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(keep)))?;
    let two = format!(
        "BatchDatasetV2(input_dataset: variant, batch_size: int64, drop_remainder: bool) -> (handle: variant)
                parallel_copy: bool = false{ELEMENTS}"
    );
    registry.add(OpSpec::new(&two)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(asked)))?;
    let parallel = "ParallelBatchDataset(input_dataset: variant, batch_size: int64, num_parallel_calls: int64, drop_remainder: bool) -> (handle: variant)
                parallel_copy: bool = false
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                deterministic: string = 'default'
                metadata: string = ''";
    registry.add(OpSpec::new(parallel)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(ahead)))
}

fn keep(cx: &mut OpContext<'_>) -> Result<()> {
    batch(cx, Remainder::Keep)
}

fn asked(cx: &mut OpContext<'_>) -> Result<()> {
    let remainder = remainder(cx, 2)?;
    batch(cx, remainder)
}

/// Batches are made a few ahead of whoever takes them.
fn ahead(cx: &mut OpContext<'_>) -> Result<()> {
    let calls = scalar_i64(cx, 2, "num_parallel_calls")?;
    let parallel = parallel("num_parallel_calls", calls, cx.parallel().limit())?;
    let (size, remainder) = (size(cx)?, remainder(cx, 3)?);
    let batched = batches(cx, size, remainder)?;
    let ahead = match parallel.autotuned {
        true => batched.prefetch_autotuned(),
        false => batched.prefetch(parallel.threads),
    };
    dataset::finish(cx, ahead)
}

fn batch(cx: &mut OpContext<'_>, remainder: Remainder) -> Result<()> {
    let batched = batches(cx, size(cx)?, remainder)?;
    dataset::finish(cx, batched)
}

fn batches(cx: &OpContext<'_>, size: usize, remainder: Remainder) -> Result<Dataset> {
    let how = Batch::new(size).remainder(remainder).on_error(OnError::Restart);
    dataset::input(cx, 0)?.pipeline.batch_with(how)
}

pub(super) fn size(cx: &OpContext<'_>) -> Result<usize> {
    let size = scalar_i64(cx, 1, "batch_size")?;
    usize::try_from(size)
        .ok()
        .filter(|&size| size > 0)
        .ok_or_else(|| Status::invalid_argument("Batch size must be greater than zero."))
}

pub(super) fn remainder(cx: &OpContext<'_>, i: usize) -> Result<Remainder> {
    Ok(if scalar_bool(cx, i, "drop_remainder")? { Remainder::Drop } else { Remainder::Keep })
}
