//! A store's whole state, and its file.
//!
//! The file is written beside its place and then put there, so that there is always a whole one.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::Path;

use downpour_coordinator::Extent;
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
    let failed = |e: std::io::Error| unwritten(&format!("the snapshot {}", path.display()), &e);
    let new = path.with_extension("new");
    let mut out = BufWriter::new(File::create(&new).map_err(failed)?);
    snapshot.write_to(&mut out)?;
    let mut finish = || -> std::io::Result<()> {
        out.flush()?;
        out.get_ref().sync_all()?;
        std::fs::rename(&new, path)
    };
    finish().map_err(failed)
}

/// The error of a snapshot that cannot be written; a full or read-only disk has a code of its own.
pub(crate) fn unwritten(what: &str, error: &std::io::Error) -> Status {
    let text = format!("cannot write {what}: {error}");
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Status::resource_exhausted(format!(
            "{text}. Make room on that disk, or use a folder on another one"
        )),
        ErrorKind::ReadOnlyFilesystem => Status::permission_denied(format!(
            "{text}. That disk is read-only: mount it for writing, or use a folder on another one"
        )),
        _ => Status::unavailable(text),
    }
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
    let read = Snapshot::read_from(&mut BufReader::new(file));
    read.map(Some).map_err(|status| {
        let message = format!("{}: {}", path.display(), status.message());
        Status::new(status.code(), message)
    })
}
