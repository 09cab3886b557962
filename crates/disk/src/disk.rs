//! The disk: the file system, or one on which a test decides what happens.

use std::cell::Cell;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::file::DiskFile;

/// An operation that is about to happen.
#[derive(Clone, Copy, Debug)]
pub enum DiskStep<'a> {
    /// A folder is made.
    CreateFolder(&'a Path),
    /// A new file is made.
    Create(&'a Path),
    /// Bytes go to a file.
    Write {
        /// The file.
        path: &'a Path,
        /// Where in the file they go.
        offset: u64,
        /// The bytes.
        bytes: &'a [u8],
        /// How many of them the disk takes; a test may lower it, as a disk does that becomes full.
        accepted: &'a Cell<usize>,
    },
    /// A file is cut to a length.
    SetLength(&'a Path, u64),
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

    pub(crate) fn about_to(&self, step: DiskStep<'_>) -> io::Result<()> {
        self.hook.as_ref().map_or(Ok(()), |hook| hook(step))
    }

    pub(crate) fn is_real(&self) -> bool {
        self.hook.is_none()
    }

    /// Makes a folder in which files will be kept, unless it is there, and sees to it that it and those above it are
    /// durable: a process that has made them may have been killed before they were. Called once, when such a folder is
    /// opened.
    pub fn open_folder(&self, path: &Path) -> io::Result<()> {
        self.create_folder(path)?;
        let above = path.ancestors().filter(|folder| folder.file_name().is_some());
        above.into_iter().try_for_each(|folder| self.sync_folder_of(folder))
    }

    /// Makes a folder and those above it, unless they are there. Those it makes are durable when it returns: what is
    /// synced inside a folder is lost with the folder otherwise.
    pub fn create_folder(&self, path: &Path) -> io::Result<()> {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            self.create_folder(parent)?;
        }
        self.about_to(DiskStep::CreateFolder(path))?;
        match std::fs::create_dir(path) {
            // Somebody else was faster.
            Err(_) if path.is_dir() => {}
            made => made?,
        }
        self.sync_folder_of(path)
    }

    /// Makes a file; an error if there is one.
    pub fn create(&self, path: &Path) -> io::Result<DiskFile> {
        self.about_to(DiskStep::Create(path))?;
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(DiskFile::new(self, file, path))
    }

    /// Puts a file in the place of another.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.about_to(DiskStep::Rename(from, to))?;
        std::fs::rename(from, to)
    }

    /// Removes a file.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        self.about_to(DiskStep::Remove(path))?;
        std::fs::remove_file(path)
    }

    /// Removes an empty folder.
    pub fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.about_to(DiskStep::RemoveFolder(path))?;
        std::fs::remove_dir(path)
    }

    /// Makes what happened in the folder of `file` durable where the file system supports it.
    pub fn sync_folder_of(&self, file: &Path) -> io::Result<()> {
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        self.about_to(DiskStep::SyncFolder(folder))?;
        if !self.is_real() {
            return Ok(());
        }
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // Some file systems cannot sync folders, and some folders can be written but not read.
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::InvalidInput
                        | io::ErrorKind::Unsupported
                        | io::ErrorKind::PermissionDenied
                ) =>
            {
                Ok(())
            }
            synced => synced,
        }
    }
}
