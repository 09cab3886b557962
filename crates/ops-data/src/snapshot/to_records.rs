//! DatasetToTFRecord: writes the strings of a dataset to a file of records.

use std::path::Path;

use downpour_formats::AtomicFile;
use downpour_formats::tfrecord::{Compression, RecordWriter};
use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::dataset::from_tensor;
use crate::inspect::waiting::Waiting;
use crate::source::arguments::local_path;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["DatasetToTFRecord", "ExperimentalDatasetToTFRecord"] {
        let signature = format!(
            "{name}(input_dataset: variant, filename: string, compression_type: string) -> () @stateful"
        );
        registry.add(OpSpec::new(&signature)?.not_differentiable(), |_| {
            Ok(KernelBox::asynchronous(ToRecords))
        })?;
    }
    Ok(())
}

struct ToRecords;

impl AsyncKernel for ToRecords {
    fn start(&self, cx: AsyncContext) {
        Waiting::start(cx, write);
    }
}

fn scalar(cx: &AsyncContext, i: usize, name: &str) -> Result<String> {
    match cx.input(i).strings()? {
        [text] if cx.input(i).rank() == 0 => Ok(String::from_utf8_lossy(text).into_owned()),
        _ => Err(Status::invalid_argument(format!("{name} must be a scalar"))),
    }
}

fn write(cx: &AsyncContext) -> Result<Vec<Tensor>> {
    let dataset = from_tensor(cx.input(0))?;
    let file = scalar(cx, 1, "filename")?;
    let file = Path::new(local_path(&file)?);
    let compression = Compression::from_name(&scalar(cx, 2, "compression_type")?)?;
    if dataset.signature.types[..] != [DataType::String] {
        return Err(Status::invalid_argument(
            "DatasetToTFRecord writes datasets whose elements are one string each",
        ));
    }
    let mut iterator = dataset.pipeline.iterate()?;
    let cancel = iterator.canceller();
    let _guard = cx.step().cancellation().on_cancel(move || cancel.cancel());
    let mut records = RecordWriter::new(AtomicFile::create(file)?, compression);
    while let Some(element) = iterator.next()? {
        let [record] = element[0].strings()? else {
            return Err(Status::invalid_argument(
                "DatasetToTFRecord writes datasets whose elements are scalars",
            ));
        };
        records.write(record).map_err(|e| e.context(file.display()))?;
    }
    records.finish()?.commit()?;
    Ok(Vec::new())
}
