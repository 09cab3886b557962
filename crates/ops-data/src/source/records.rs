//! TextLineDataset and TFRecordDataset: the lines or the records of files.

use downpour_data::storage::FileRef;
use downpour_data::{Compression, Dataset};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status};

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
    )
}

fn make(cx: &mut OpContext<'_>, read: fn(Vec<FileRef>, Compression) -> Dataset) -> Result<()> {
    let files = files(cx)?;
    let compression = compression(cx)?;
    // -1 stands for a size of the operation's own.
    let least = if cx.node().op_name() == "TFRecordDataset" { -1 } else { 0 };
    if scalar_i64(cx, 2, "buffer_size")? < least {
        return Err(Status::invalid_argument("`buffer_size` must be >= 0 (0 == default)"));
    }
    let signature = Signature::scalar(DataType::String);
    let made = GraphDataset::with_signature(signature, read(files, compression), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

/// Returns the files that input 0 names; they are opened when their turn comes.
fn files(cx: &OpContext<'_>) -> Result<Vec<FileRef>> {
    let names = cx.input(0);
    if names.rank() > 1 {
        return Err(Status::invalid_argument("`filenames` must be a scalar or a vector."));
    }
    let named = |name: &downpour_tensor::ByteString| FileRef::named(&String::from_utf8_lossy(name));
    names.strings()?.iter().map(named).collect()
}

fn compression(cx: &OpContext<'_>) -> Result<Compression> {
    let name = cx.scalar_input(1)?;
    match &name.strings()?[0][..] {
        b"" => Ok(Compression::None),
        b"GZIP" => Ok(Compression::Gzip),
        b"ZLIB" => Ok(Compression::Zlib),
        other => Err(Status::invalid_argument(format!(
            "Unsupported compression_type: {}.",
            downpour_tensor::excerpt(other)
        ))),
    }
}
