//! WholeFileReader: the contents of files.

use downpour_formats::read_regular;
use downpour_runtime::Registry;
use downpour_tensor::{ByteString, Result};

use super::format::{Format, NextRecord, Record, Stop, path};
use super::resource;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "WholeFileReaderV2() -> (reader_handle: resource) @stateful
            container: string = ''
            shared_name: string = ''",
        "WholeFileReader() -> (reader_handle: Ref(string)) @stateful
            container: string = ''
            shared_name: string = ''",
    ] {
        registry.add(resource::spec(signature)?, |build| {
            resource::create(build, || Box::new(WholeFile))
        })?;
    }
    Ok(())
}

struct WholeFile;

impl Format for WholeFile {
    fn start(&mut self, _: &ByteString, _: Stop<'_>) -> Result<()> {
        Ok(())
    }

    fn read(&mut self, work: &ByteString, stop: Stop<'_>) -> Result<NextRecord> {
        let value = read_regular(&path(work)?, stop)?;
        Ok(NextRecord::Last(Record { key: work.clone(), value }))
    }

    fn reset(&mut self) {}

    fn can_be_saved(&self) -> bool {
        true
    }
}
