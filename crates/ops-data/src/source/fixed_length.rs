//! FixedLengthRecordDataset and FixedLengthRecordDatasetV2: records of equal length.

use downpour_data::{Compression, Dataset, FixedLength};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status};

use super::arguments::{compression, files};
use crate::component::Signature;
use crate::dataset::{GraphDataset, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, packed) in [
        ("FixedLengthRecordDataset", ""),
        ("FixedLengthRecordDatasetV2", ", compression_type: string"),
    ] {
        let signature = format!(
            "{name}(filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, buffer_size: int64{packed}) -> (handle: variant) @stateful
                metadata: string = ''"
        );
        registry
            .add(OpSpec::new(&signature)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(make)))?;
    }
    Ok(())
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let files = files(cx)?;
    let lengths = FixedLength {
        header: length(cx, 1, "header_bytes", 0)?,
        record: length(cx, 2, "record_bytes", 1)?,
        footer: length(cx, 3, "footer_bytes", 0)?,
        compression: match cx.node().op_name() {
            "FixedLengthRecordDataset" => Compression::None,
            _ => compression(cx, 5)?,
        },
    };
    // How much is read at once is for the source to say.
    length(cx, 4, "buffer_size", 0)?;
    let signature = Signature::scalar(DataType::String);
    let records = Dataset::fixed_length_records(files, lengths);
    let made = GraphDataset::with_signature(signature, records, &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

fn length(cx: &OpContext<'_>, i: usize, name: &str, least: u64) -> Result<u64> {
    let bound = if least > 0 { "> 0" } else { ">= 0" };
    u64::try_from(scalar_i64(cx, i, name)?)
        .ok()
        .filter(|&length| length >= least)
        .ok_or_else(|| Status::invalid_argument(format!("`{name}` must be {bound}")))
}
