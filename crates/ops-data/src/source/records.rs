//! TextLineDataset, TFRecordDataset and TFRecordDatasetV2: the lines or the records of files.

use downpour_data::storage::FileRef;
use downpour_data::{Compression, Dataset};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status};

use super::arguments::{compression, files};
use crate::component::Signature;
use crate::dataset::{GraphDataset, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "TextLineDataset(filenames: string, compression_type: string, buffer_size: int64) -> (handle: variant) @stateful
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(|cx| make(cx, Dataset::lines))),
    )?;
    registry.add(
        OpSpec::new(
            "TFRecordDataset(filenames: string, compression_type: string, buffer_size: int64) -> (handle: variant) @stateful
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(|cx| make(cx, Dataset::records))),
    )?;
    registry.add(
        OpSpec::new(
            "TFRecordDatasetV2(filenames: string, compression_type: string, buffer_size: int64, byte_offsets: int64) -> (handle: variant) @stateful
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(from_offsets)),
    )
}

fn make(cx: &mut OpContext<'_>, read: fn(Vec<FileRef>, Compression) -> Dataset) -> Result<()> {
    let files = files(cx)?;
    let compression = compression(cx, 1)?;
    check_buffer_size(cx)?;
    finish(cx, read(files, compression))
}

/// The first record of each file begins at a byte that the graph says.
fn from_offsets(cx: &mut OpContext<'_>) -> Result<()> {
    let files = files(cx)?;
    let compression = compression(cx, 1)?;
    check_buffer_size(cx)?;
    let offsets = cx.input(3);
    if offsets.rank() > 1 {
        return Err(Status::invalid_argument("`byte_offsets` must be a scalar or a vector."));
    }
    // TensorFlow takes an empty vector for offsets that are all 0.
    let is_same_size = offsets.rank() == cx.input(0).rank()
        && (offsets.is_empty() || offsets.len() == files.len());
    if !is_same_size {
        return Err(Status::invalid_argument("`byte_offsets` must be of same size as `filenames`"));
    }
    let offset = |&offset: &i64| {
        u64::try_from(offset).map_err(|_| {
            Status::invalid_argument(format!("`byte_offsets` must be >= 0, but got {offset}"))
        })
    };
    let offsets = offsets.as_slice::<i64>()?.iter().map(offset).collect::<Result<_>>()?;
    finish(cx, Dataset::records_from(files, compression, offsets))
}

fn check_buffer_size(cx: &OpContext<'_>) -> Result<()> {
    // -1 stands for a size of the operation's own.
    let least = if cx.node().op_name() == "TextLineDataset" { 0 } else { -1 };
    if scalar_i64(cx, 2, "buffer_size")? < least {
        return Err(Status::invalid_argument("`buffer_size` must be >= 0 (0 == default)"));
    }
    Ok(())
}

fn finish(cx: &mut OpContext<'_>, pipeline: Dataset) -> Result<()> {
    let signature = Signature::scalar(DataType::String);
    let made = GraphDataset::with_signature(signature, pipeline, &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}
