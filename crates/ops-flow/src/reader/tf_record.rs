//! TFRecordReader: the records of TFRecord files.

use downpour_formats::tfrecord::{Compression, ReadOptions, RecordReader};
use downpour_formats::{io_error, open_regular};
use downpour_runtime::Registry;
use downpour_tensor::{ByteString, Result, Status};

use super::format::{Format, NextRecord, Record, Stop, key, path};
use super::resource;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "TFRecordReaderV2() -> (reader_handle: resource) @stateful
            container: string = ''
            shared_name: string = ''
            compression_type: string = ''",
        "TFRecordReader() -> (reader_handle: Ref(string)) @stateful
            container: string = ''
            shared_name: string = ''
            compression_type: string = ''",
    ] {
        registry.add(resource::spec(signature)?, |build| {
            let compression = Compression::from_name(&build.string("compression_type")?)?;
            let options = ReadOptions { compression, ..ReadOptions::default() };
            resource::create(build, move || {
                Box::new(TfRecord { options: options.clone(), file: None })
            })
        })?;
    }
    Ok(())
}

struct TfRecord {
    options: ReadOptions,
    file: Option<RecordReader>,
}

impl Format for TfRecord {
    fn start(&mut self, work: &ByteString, _: Stop<'_>) -> Result<()> {
        let path = path(work)?;
        let file = open_regular(&path).map_err(|e| io_error("open", &path, &e))?;
        let name = path.display().to_string();
        self.file = Some(RecordReader::decompress(file, name, self.options.clone()));
        Ok(())
    }

    fn read(&mut self, work: &ByteString, _: Stop<'_>) -> Result<NextRecord> {
        let file = self.file.as_mut().ok_or_else(|| Status::internal("no file was opened"))?;
        let key = key(work, file.offset())?;
        match file.next_record()? {
            Some(record) => {
                Ok(NextRecord::Record(Record { key, value: ByteString::copy_from(record)? }))
            }
            None => {
                self.file = None;
                Ok(NextRecord::End)
            }
        }
    }

    fn reset(&mut self) {
        self.file = None;
    }
}
