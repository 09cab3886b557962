//! The operations that change files, in one place, so that tests can stop a program between any two.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// An operation that is about to happen.
#[derive(Clone, Copy, Debug)]
pub enum DiskStep<'a> {
    /// A folder, and those above it, are made.
    CreateFolder(&'a Path),
    /// A new file is made.
    Create(&'a Path),
    /// Bytes go to a file.
    Write(&'a Path),
    /// What was written to a file becomes durable.
    Sync(&'a Path),
    /// A file takes another's place.
    Rename(&'a Path, &'a Path),
    /// What was made, renamed and removed in a folder becomes durable.
    SyncFolder(&'a Path),
    /// A file is removed.
    Remove(&'a Path),
    /// An empty folder is removed.
    RemoveFolder(&'a Path),
}

type Hook = dyn Fn(DiskStep<'_>) -> io::Result<()> + Send + Sync;

/// The disk: the real one, or one on which a test decides before every step whether it fails.
#[derive(Clone, Default)]
pub struct Disk {
    hook: Option<Arc<Hook>>,
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.hook.is_some() { "Disk(with faults)" } else { "Disk" })
    }
}

impl Disk {
    /// The real disk, with a function that is asked before each step; its error takes the step's place.
    /// One that fails at every step from some moment on is a process that was killed at it. Nothing is
    /// really synced: tests are many.
    pub fn with_faults(
        hook: impl Fn(DiskStep<'_>) -> io::Result<()> + Send + Sync + 'static,
    ) -> Disk {
        Disk { hook: Some(Arc::new(hook)) }
    }

    fn about_to(&self, step: DiskStep<'_>) -> io::Result<()> {
        self.hook.as_ref().map_or(Ok(()), |hook| hook(step))
    }

    pub(crate) fn create_folder(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        self.about_to(DiskStep::CreateFolder(path))?;
        std::fs::create_dir_all(path)
    }

    pub(crate) fn create(&self, path: &Path) -> io::Result<DiskFile> {
        self.about_to(DiskStep::Create(path))?;
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(DiskFile { file, path: path.into(), disk: self.clone() })
    }

    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.about_to(DiskStep::Rename(from, to))?;
        std::fs::rename(from, to)
    }

    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        self.about_to(DiskStep::Remove(path))?;
        std::fs::remove_file(path)
    }

    pub(crate) fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.about_to(DiskStep::RemoveFolder(path))?;
        std::fs::remove_dir(path)
    }

    /// Makes what happened in the folder of `file` durable where the file system supports it.
    pub(crate) fn sync_folder_of(&self, file: &Path) -> io::Result<()> {
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        self.about_to(DiskStep::SyncFolder(folder))?;
        if self.hook.is_none()
            && let Ok(folder) = File::open(folder)
        {
            // Some file systems refuse to sync folders; what happened in it has happened.
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Returns how many bytes can still be written on the disk of `path`, which need not exist yet.
///
/// # Errors
/// When no folder above `path` can be asked.
pub fn free_space(path: &Path) -> io::Result<u64> {
    let absolute = std::path::absolute(path)?;
    let there = absolute.ancestors().find(|folder| folder.exists());
    let there = there.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let disk = rustix::fs::statvfs(there)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// A file being written.
pub(crate) struct DiskFile {
    file: File,
    path: Box<Path>,
    disk: Disk,
}

impl DiskFile {
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.disk.about_to(DiskStep::Sync(&self.path))?;
        if self.disk.hook.is_some() { Ok(()) } else { self.file.sync_all() }
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.about_to(DiskStep::Write(&self.path))?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
