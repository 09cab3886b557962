//! A log in a local file.
//!
//! `FILE` holds the records, `FILE.lock` is locked while somebody has them (the lock is not on `FILE`, because a
//! snapshot puts another file in its place). A snapshot is written to `FILE.new`, synced, and renamed; so `FILE` is
//! never without its header, and one that is was damaged.
//!
//! Whoever claims the log writes it anew, in the same way. What it has read may not be on the disk: after a sync that
//! failed the system shows bytes that it will not write any more, and after a kill bytes that it has not written yet.
//! Records behind such bytes would be lost with them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use downpour_disk::{Disk, DiskFile};
use downpour_tensor::{Code, Result, Status};

use super::frame::{self, FILE_HEADER, Kind};
use super::{Storage, Stored};

/// When records go from the system's memory to the disk. The death of the process loses nothing either way; this is
/// about the death of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SyncPolicy {
    /// Before each answer.
    #[default]
    Always,
    /// After so many records.
    Every(u32),
    /// When the system likes.
    Never,
}

/// A log in a local file, which nobody else can open meanwhile.
#[derive(Debug)]
pub struct FileStorage {
    disk: Disk,
    path: PathBuf,
    policy: SyncPolicy,
    /// Held for its lock.
    _lock: File,
    file: Option<DiskFile>,
    term: u64,
    /// Bytes of whole frames in `file`.
    length: u64,
    unsynced: u32,
    /// A write failed half-way and could not be taken back: what the file ends with is unknown.
    broken: bool,
}

impl FileStorage {
    /// Opens or makes the log. FAILED_PRECONDITION if another process (or another part of this one) has it.
    pub fn open(path: impl Into<PathBuf>, policy: SyncPolicy) -> Result<FileStorage> {
        FileStorage::open_on(&Disk::default(), path, policy)
    }

    /// The same on a disk that may have faults.
    pub fn open_on(
        disk: &Disk,
        path: impl Into<PathBuf>,
        policy: SyncPolicy,
    ) -> Result<FileStorage> {
        let path = path.into();
        if let Some(folder) = path.parent().filter(|_| policy != SyncPolicy::Never) {
            disk.open_folder(folder)
                .map_err(|error| failed("make the folder of", &path, &error))?;
        }
        let lock_path = beside(&path, ".lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path);
        let lock = lock.map_err(|error| failed("open", &lock_path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Status::failed_precondition(format!(
                    "the coordinator's log {} is in use: end the coordinator that has it, or give this one \
                     another file",
                    path.display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(failed("lock", &lock_path, &error)),
        }
        Ok(FileStorage {
            disk: disk.clone(),
            path,
            policy,
            _lock: lock,
            file: None,
            term: 0,
            length: 0,
            unsynced: 0,
            broken: false,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn owned(&mut self, term: u64) -> Result<&mut DiskFile> {
        if term != self.term {
            return Err(term_is_over(term, self.term));
        }
        match &mut self.file {
            Some(file) if !self.broken => Ok(file),
            _ => Err(Status::unavailable(format!(
                "a write to {} failed and what it ends with is unknown: restart the coordinator",
                self.path.display()
            ))),
        }
    }

    /// Adds a frame; on failure the file is as it was, or broken.
    fn write_frame(&mut self, term: u64, kind: Kind, payload: &[u8]) -> Result<()> {
        let bytes = frame::write(kind, term, payload)?;
        let (length, path) = (self.length, self.path.clone());
        let file = self.owned(term)?;
        if let Err(error) = file.write_all(&bytes) {
            self.broken = file.cut(length).is_err();
            return Err(failed("write to", &path, &error));
        }
        self.length += bytes.len() as u64;
        self.unsynced = self.unsynced.saturating_add(1);
        let due = match self.policy {
            SyncPolicy::Always => true,
            SyncPolicy::Every(records) => self.unsynced >= records,
            SyncPolicy::Never => false,
        };
        if due {
            self.sync()?;
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        if let Some(file) = &self.file
            && let Err(error) = file.sync_data()
        {
            // The system may have dropped the bytes: a second sync would say nothing about them.
            self.broken = true;
            return Err(failed("sync", &self.path, &error));
        }
        self.unsynced = 0;
        Ok(())
    }

    /// A new file with this frame takes the place of the old one.
    fn put_new(&mut self, frame: &[u8]) -> Result<()> {
        let new = beside(&self.path, ".new");
        let written = || -> io::Result<DiskFile> {
            match self.disk.remove(&new) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut file = self.disk.create(&new)?;
            file.write_all(FILE_HEADER)?;
            file.write_all(frame)?;
            if self.policy != SyncPolicy::Never {
                file.sync()?;
            }
            file.rename(&self.path)?;
            Ok(file)
        };
        let file = written().map_err(|error| failed("write", &new, &error))?;
        self.length = (FILE_HEADER.len() + frame.len()) as u64;
        self.file = Some(file);
        (self.unsynced, self.broken) = (0, false);
        if self.policy != SyncPolicy::Never
            && let Err(error) = self.disk.sync_folder_of(&self.path)
        {
            // After a power failure the old file may be there again, without what is written to this one.
            self.broken = true;
            return Err(failed("sync the folder of", &self.path, &error));
        }
        Ok(())
    }
}

impl Storage for FileStorage {
    fn claim(&mut self) -> Result<(u64, Stored)> {
        let bytes = match std::fs::read(&self.path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed("read", &self.path, &error)),
        };
        let name = self.path.display().to_string();
        let read = bytes.as_deref().map(|bytes| frame::read_all(bytes, &name)).transpose()?;
        let torn = bytes.as_ref().zip(read.as_ref()).map_or(0, |(b, read)| b.len() - read.whole);
        if torn > 0 {
            tracing::warn!(
                file = name,
                bytes = torn,
                "cut off a record whose writing did not end: nobody was told of it"
            );
        }
        let (known, frames, stored) = match (&bytes, read) {
            (Some(bytes), Some(read)) => {
                (read.term, &bytes[FILE_HEADER.len()..read.whole], read.stored)
            }
            _ => (0, &[][..], Stored::default()),
        };
        self.term = known
            .max(self.term)
            .checked_add(1)
            .ok_or_else(|| Status::data_loss("the log has used up all terms"))?;
        let claim = frame::write(Kind::Claim, self.term, &[])?;
        self.put_new(&[frames, &claim].concat())?;
        Ok((self.term, stored))
    }

    fn append(&mut self, term: u64, record: &[u8]) -> Result<()> {
        self.write_frame(term, Kind::Record, record)
    }

    fn replace(&mut self, term: u64, snapshot: &[u8]) -> Result<()> {
        self.owned(term)?;
        self.put_new(&frame::write(Kind::Snapshot, term, snapshot)?)
    }
}

pub(super) fn term_is_over(mine: u64, now: u64) -> Status {
    Status::aborted(format!(
        "another coordinator has taken the storage (term {now}, mine was {mine}): this one must end"
    ))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Status {
    let code = match error.kind() {
        io::ErrorKind::NotFound => Code::NotFound,
        io::ErrorKind::PermissionDenied => Code::PermissionDenied,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::ResourceExhausted,
        _ => Code::Unavailable,
    };
    Status::new(code, format!("cannot {what} the coordinator's log {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path) -> FileStorage {
        FileStorage::open(path, SyncPolicy::Never).unwrap()
    }

    #[test]
    fn records_and_snapshots_outlive_the_storage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut storage = open(&path);
        let (first, stored) = storage.claim().unwrap();
        assert_eq!(stored, Stored::default());
        storage.append(first, b"one").unwrap();
        storage.append(first, b"two").unwrap();
        drop(storage);

        let mut storage = open(&path);
        let (second, stored) = storage.claim().unwrap();
        assert!(second > first);
        assert_eq!(stored.records, [b"one", b"two"]);
        assert_eq!(storage.append(first, b"late").unwrap_err().code(), Code::Aborted);
        storage.replace(second, b"both").unwrap();
        storage.append(second, b"three").unwrap();
        drop(storage);

        std::fs::write(folder.path().join("log.new"), b"half a snapsh").unwrap();
        let (third, stored) = open(&path).claim().unwrap();
        assert!(third > second);
        assert_eq!(stored.snapshot.as_deref(), Some(&b"both"[..]));
        assert_eq!(stored.records, [b"three"]);
    }

    #[test]
    fn a_second_owner_is_refused_and_told_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let first = open(&path);
        let refused = FileStorage::open(&path, SyncPolicy::Always).unwrap_err();
        assert_eq!(refused.code(), Code::FailedPrecondition);
        assert!(refused.message().contains("in use"), "{refused}");
        drop(first);
        open(&path);
    }

    #[test]
    fn what_was_torn_is_cut_and_writing_goes_on_behind_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut storage = open(&path);
        let (term, _) = storage.claim().unwrap();
        storage.append(term, b"whole").unwrap();
        storage.append(term, b"torn").unwrap();
        drop(storage);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();

        let mut storage = open(&path);
        let (term, stored) = storage.claim().unwrap();
        assert_eq!(stored.records, [b"whole"]);
        storage.append(term, b"next").unwrap();
        drop(storage);
        let (_, stored) = open(&path).claim().unwrap();
        assert_eq!(stored.records, [&b"whole"[..], b"next"]);
    }

    #[test]
    fn a_file_of_something_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, "a letter to my grandmother").unwrap();
        let refused = open(&path).claim().unwrap_err();
        assert_eq!(refused.code(), Code::DataLoss);
        assert_eq!(std::fs::read(&path).unwrap(), b"a letter to my grandmother");
    }
}
