//! A file that appears whole or not at all: written beside its place, synced, renamed, folder synced.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use downpour_tensor::{Result, Status};

use crate::{Disk, DiskFile};

/// Between a temporary file's later name and what makes it unique.
pub const TEMPORARY_MARK: &str = ".tempstate";

/// A file being written; dropped without `commit`, it leaves nothing.
pub struct AtomicFile {
    disk: Disk,
    file: BufWriter<DiskFile>,
    temporary: PathBuf,
    place: PathBuf,
    written: u64,
    finished: bool,
}

impl AtomicFile {
    /// Starts a file that `commit` will put at `place`. Missing folders are made.
    pub fn create(place: &Path) -> Result<AtomicFile> {
        AtomicFile::create_on(&Disk::default(), place)
    }

    /// The same on a disk that may have faults.
    pub fn create_on(disk: &Disk, place: &Path) -> Result<AtomicFile> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = place.as_os_str().to_owned();
        name.push(format!("{TEMPORARY_MARK}{}-{number}", std::process::id()));
        AtomicFile::begin(disk, place, name.into())
    }

    /// The same for a place that has one writer at a time: the temporary file is `temporary`, and one that a crash has
    /// left there is removed.
    pub fn create_through(disk: &Disk, place: &Path, temporary: &Path) -> Result<AtomicFile> {
        match disk.remove(temporary) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(io_error("remove", temporary, &e));
            }
            _ => {}
        }
        AtomicFile::begin(disk, place, temporary.into())
    }

    fn begin(disk: &Disk, place: &Path, temporary: PathBuf) -> Result<AtomicFile> {
        if let Some(folder) = place.parent() {
            disk.create_folder(folder).map_err(|e| io_error("create folder", folder, &e))?;
        }
        let file = disk.create(&temporary).map_err(|e| io_error("create", &temporary, &e))?;
        Ok(AtomicFile {
            disk: disk.clone(),
            file: BufWriter::with_capacity(1 << 20, file),
            temporary,
            place: place.to_path_buf(),
            written: 0,
            finished: false,
        })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|e| io_error("write", &self.temporary, &e))?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.written
    }

    /// Makes the contents durable and puts the file in its place.
    pub fn commit(mut self) -> Result<()> {
        let fail = |what: &str, path: &Path, e: &std::io::Error| io_error(what, path, e);
        self.file.flush().map_err(|e| fail("write", &self.temporary, &e))?;
        self.file.get_ref().sync().map_err(|e| fail("sync", &self.temporary, &e))?;
        self.disk
            .rename(&self.temporary, &self.place)
            .map_err(|e| fail("rename to", &self.place, &e))?;
        self.finished = true;
        self.disk
            .sync_folder_of(&self.place)
            .map_err(|e| fail("sync the folder of", &self.place, &e))
    }
}

/// For what writes itself to a stream.
impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.finished {
            // Best effort: the temporary file of a failed write is only litter.
            let _ = self.disk.remove(&self.temporary);
        }
    }
}

/// A status for a failed file operation, with TensorFlow's code for its kind and, for a disk that takes or gives
/// nothing, what to do about it.
pub fn io_error(what: &str, path: &Path, error: &std::io::Error) -> Status {
    use std::io::ErrorKind;
    // The standard library has no kind for EIO.
    let broken = error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error());
    let advice = match error.kind() {
        ErrorKind::StorageFull => ". Make room on that disk, or use a folder on another one",
        ErrorKind::QuotaExceeded => {
            ". Make room within your quota on that disk, or use a folder on another one"
        }
        ErrorKind::ReadOnlyFilesystem => {
            ". That disk is read-only: mount it for writing, or use a folder on another one"
        }
        _ if broken => ". That disk has a defect: see the system's log, and use another one",
        _ => "",
    };
    let text = format!("cannot {what} {}: {error}{advice}", path.display());
    match error.kind() {
        ErrorKind::NotFound => Status::not_found(text),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Status::permission_denied(text)
        }
        ErrorKind::AlreadyExists => Status::already_exists(text),
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            Status::resource_exhausted(text)
        }
        _ if broken => Status::data_loss(text),
        _ => Status::unknown(text),
    }
}

#[cfg(test)]
mod tests {
    use downpour_tensor::Code;
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn what_a_disk_refuses_is_said_with_what_to_do() {
        let cases = [
            (Errno::NOSPC, Code::ResourceExhausted, "Make room"),
            (Errno::DQUOT, Code::ResourceExhausted, "quota"),
            (Errno::ROFS, Code::PermissionDenied, "read-only"),
            (Errno::IO, Code::DataLoss, "defect"),
        ];
        for (errno, code, advice) in cases {
            let error = std::io::Error::from_raw_os_error(errno.raw_os_error());
            let status = io_error("write", Path::new("runs/x"), &error);
            assert_eq!(status.code(), code, "{status}");
            assert!(status.message().contains("runs/x"), "{status}");
            assert!(status.message().contains(advice), "{status}");
        }
    }
}
