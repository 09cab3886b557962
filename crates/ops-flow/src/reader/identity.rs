//! IdentityReader: the units of work themselves.

use downpour_runtime::Registry;
use downpour_tensor::{ByteString, Result};

use super::format::{Format, NextRecord, Record, Stop};
use super::resource;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "IdentityReaderV2() -> (reader_handle: resource) @stateful
            container: string = ''
            shared_name: string = ''",
        "IdentityReader() -> (reader_handle: Ref(string)) @stateful
            container: string = ''
            shared_name: string = ''",
    ] {
        registry.add(resource::spec(signature)?, |build| {
            resource::create(build, || Box::new(Identity))
        })?;
    }
    Ok(())
}

struct Identity;

impl Format for Identity {
    fn start(&mut self, _: &ByteString, _: Stop<'_>) -> Result<()> {
        Ok(())
    }

    fn read(&mut self, work: &ByteString, _: Stop<'_>) -> Result<NextRecord> {
        Ok(NextRecord::Last(Record { key: work.clone(), value: work.clone() }))
    }

    fn reset(&mut self) {}

    fn can_be_saved(&self) -> bool {
        true
    }
}
