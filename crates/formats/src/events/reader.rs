//! Reads event files, finished or still being written.

use std::io::Read;
use std::path::Path;

use bytes::Bytes;
use downpour_tensor::{Result, Status};
use downpour_wire::Message;
use downpour_wire::proto::Event;

use crate::tfrecord::{ReadOptions, RecordReader, TruncatedTail};

/// Reads the events of a file one after the other. At the end of a file that is still being written,
/// `None`; asking again later reads on.
pub struct EventReader<R = Box<dyn Read + Send>> {
    records: RecordReader<R>,
    name: String,
}

fn options() -> ReadOptions {
    ReadOptions { truncated_tail: TruncatedTail::End, ..Default::default() }
}

impl EventReader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<EventReader> {
        let records = RecordReader::open(path, options())?;
        Ok(EventReader { records, name: path.display().to_string() })
    }
}

impl<R: Read> EventReader<R> {
    /// Reads from anything. `name` stands in errors.
    pub fn new(source: R, name: &str) -> EventReader<R> {
        EventReader { records: RecordReader::new(source, name, options()), name: name.into() }
    }

    /// The next event.
    pub fn next_event(&mut self) -> Result<Option<Event>> {
        let offset = self.records.offset();
        let Some(record) = self.records.next_record()? else { return Ok(None) };
        Event::decode(Bytes::copy_from_slice(record)).map(Some).map_err(|e| {
            Status::data_loss(format!(
                "{}: the record at byte {offset} is no event: {e}",
                self.name
            ))
        })
    }

    /// Where an incomplete last record begins, if there is one.
    pub fn truncated_at(&self) -> Option<u64> {
        self.records.truncated_at()
    }
}
