//! A store's whole state, and its file.
//!
//! The file is written beside its place and then put there, so that there is always a whole one.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use downpour_coordinator::Extent;
use downpour_disk::{AtomicFile, Disk};
use downpour_tensor::{Result, Status, Tensor};

use crate::gradient::Named;
use crate::member::Remembered;
use crate::moving::{Placed, Prepared};
use crate::store::Definition;

/// Everything a server must remember.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// What is trained.
    pub definition: Definition,
    /// Updates so far.
    pub version: u64,
    /// Steps so far.
    pub steps: u64,
    /// Updates that were lost on the way here.
    pub lost: u64,
    /// Pushes whose positions were in the values already.
    pub known: u64,
    /// Of steps, where workers push each its own.
    pub shares: u64,
    /// The start of the server whose version this is.
    pub start: u64,
    /// The last update of each worker, and its clock.
    pub members: Vec<Remembered>,
    /// The positions of leased data that are in the values.
    pub applied: Vec<Extent>,
    /// All variables.
    pub values: Vec<Named<Tensor>>,
    /// Where variables are.
    pub placed: Placed,
    /// The move that has brought that.
    pub moved_by: u64,
    /// What this server is to have if a move has happened, of which it did not know when this was made.
    pub prepared: Option<Prepared>,
}

/// Writes a snapshot's file; the old one stays until the new one is whole.
pub fn write_snapshot(snapshot: &Snapshot, path: &Path) -> Result<()> {
    write_snapshot_on(&Disk::default(), snapshot, path)
}

/// The same on a disk that may have faults.
pub fn write_snapshot_on(disk: &Disk, snapshot: &Snapshot, path: &Path) -> Result<()> {
    let write = || -> Result<()> {
        let mut file = AtomicFile::create_through(disk, path, &path.with_extension("new"))?;
        snapshot.write_to(&mut file)?;
        file.commit()
    };
    write().map_err(|e| e.context(format!("cannot write the snapshot {}", path.display())))
}

/// Reads a snapshot's file; `None` if there is none.
pub fn read_snapshot(path: &Path) -> Result<Option<Snapshot>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => {
            return Err(Status::unavailable(format!(
                "cannot open the snapshot {}: {e}",
                path.display()
            )));
        }
    };
    let length = file.metadata().map_or(u64::MAX, |metadata| metadata.len());
    let read = Snapshot::read_at_most(&mut BufReader::new(file), length);
    read.map(Some).map_err(|status| status.context(path.display()))
}

#[cfg(test)]
mod disk_tests;
