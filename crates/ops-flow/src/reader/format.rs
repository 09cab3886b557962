//! How a kind of reader makes records of a unit of work.

use std::path::PathBuf;

use downpour_tensor::{ByteString, Result, Status};

/// A record and its key.
pub(super) struct Record {
    pub key: ByteString,
    pub value: ByteString,
}

/// The answer of a format that is asked for a record.
pub(super) enum NextRecord {
    Record(Record),
    /// The last record of the unit of work.
    Last(Record),
    /// The unit of work has no more records.
    End,
}

/// Fails when nobody waits for the records any more.
pub(super) type Stop<'a> = &'a dyn Fn() -> Result<()>;

/// Makes records of units of work, one unit after the other. All calls are made where waiting for a disk is allowed.
pub(super) trait Format: Send {
    /// Begins with a unit of work.
    fn start(&mut self, work: &ByteString, stop: Stop<'_>) -> Result<()>;

    /// Reads the next record of the unit that was started, or restored.
    fn read(&mut self, work: &ByteString, stop: Stop<'_>) -> Result<NextRecord>;

    /// Forgets the unit of work.
    fn reset(&mut self);

    /// Whether nothing has to be saved of a unit that was started.
    fn can_be_saved(&self) -> bool {
        false
    }
}

/// Returns the file that a unit of work names.
pub(super) fn path(work: &ByteString) -> Result<PathBuf> {
    std::str::from_utf8(work)
        .map(PathBuf::from)
        .map_err(|_| Status::invalid_argument("a file name is not valid UTF-8"))
}

/// Returns the key of a record in a file: the file's name and the record's number or place in it.
pub(super) fn key(work: &ByteString, place: u64) -> Result<ByteString> {
    let mut key = work.to_vec();
    key.extend_from_slice(format!(":{place}").as_bytes());
    ByteString::from_vec(key)
}
