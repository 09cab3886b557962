//! Where the coordinator keeps what it must not forget.
//!
//! A storage is a list of records, the oldest of which may have been replaced by a snapshot. It has one owner at a
//! time: [`Storage::claim`] takes it under a term larger than any before, and every write carries its term, so
//! that an owner who has been replaced writes nothing any more. That is the compare-and-set of stores like etcd
//! (a transaction "if the term is still mine, put this record"); a file has a lock besides.

#[cfg(test)]
mod disk_tests;
mod file;
mod frame;
mod memory;

pub use file::{FileStorage, SyncPolicy};
pub use memory::MemoryStorage;

use downpour_tensor::Result;

/// Everything that was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// What stands for the records before those that are left.
    pub snapshot: Option<Vec<u8>>,
    /// The records since, in their order.
    pub records: Vec<Vec<u8>>,
}

impl Stored {
    /// Reads the bytes of a [`FileStorage`]'s file: what it keeps, and how many bytes of it are whole (the rest
    /// is the beginning of a record that was being written). DATA_LOSS if it is damaged before its end.
    pub fn from_file_bytes(bytes: &[u8]) -> Result<(Stored, u64)> {
        let read = frame::read_all(bytes, "the log")?;
        Ok((read.stored, read.whole as u64))
    }
}

/// A list of records with one owner. When a call returns OK, what it wrote outlives the process.
pub trait Storage: Send {
    /// Takes the storage and reads it. Whoever had it before writes nothing any more.
    fn claim(&mut self) -> Result<(u64, Stored)>;

    /// Adds a record. ABORTED if the term is over. After any error nothing is known about the record until the
    /// next claim.
    fn append(&mut self, term: u64, record: &[u8]) -> Result<()>;

    /// Puts a snapshot in the place of everything before it, at once or not at all.
    fn replace(&mut self, term: u64, snapshot: &[u8]) -> Result<()>;
}
