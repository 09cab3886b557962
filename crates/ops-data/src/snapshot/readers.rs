//! SnapshotDatasetReader, SnapshotNestedDatasetReader and SnapshotChunkDataset: the files of a snapshot as a dataset, and
//! datasets as the elements of one.

use downpour_data::Dataset;
use downpour_formats::snapshot::SnapshotFormat;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::elements::{Elements, Place};
use super::nested::nested;
use crate::component::Signature;
use crate::dataset::{self, GraphDataset, scalar_i64};
use crate::source::arguments::path;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SnapshotDatasetReader(shard_dir: string, start_index: int64) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                compression: string = ''
                version: int",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(shard)),
    )?;
    registry.add(
        OpSpec::new(
            "SnapshotNestedDatasetReader(inputs: N*variant) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                N: int >= 1",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(datasets)),
    )?;
    registry.add(
        OpSpec::new(
            "SnapshotChunkDataset(chunk_file: string) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                compression: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(chunk)),
    )
}

fn shard(cx: &mut OpContext<'_>) -> Result<()> {
    let start = scalar_i64(cx, 1, "start_index")?;
    let start = u64::try_from(start)
        .map_err(|_| Status::invalid_argument(format!("start_index {start} must be >= 0")))?;
    let place = Place::Shard(path(cx, 0, "shard_dir")?.into());
    let version = cx.node().int("version")?;
    finish(cx, place, version, start)
}

/// A chunk is a file of records.
fn chunk(cx: &mut OpContext<'_>) -> Result<()> {
    let file = path(cx, 0, "chunk_file")?.into();
    finish(cx, Place::Files(vec![file]), 2, 0)
}

fn finish(cx: &mut OpContext<'_>, place: Place, version: i64, start: u64) -> Result<()> {
    let signature = Signature::of(cx.node())?;
    let format = SnapshotFormat::new(version, &cx.node().bytes("compression")?)?;
    let elements = Elements { place, format, signature: signature.clone(), start };
    let made = GraphDataset::with_signature(signature, Dataset::new(elements), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

fn datasets(cx: &mut OpContext<'_>) -> Result<()> {
    let inputs: Vec<_> = (0..cx.inputs_len()).map(|i| cx.input(i).clone()).collect();
    (0..inputs.len()).try_for_each(|i| dataset::input(cx, i).map(drop))?;
    cx.set_output(0, nested(inputs)?.into_tensor()?);
    Ok(())
}
