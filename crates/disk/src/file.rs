//! A file being written.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crate::disk::{Disk, DiskStep};

/// A file being written.
#[derive(Debug)]
pub struct DiskFile {
    disk: Disk,
    file: File,
    path: Box<Path>,
    position: u64,
}

impl DiskFile {
    pub(crate) fn new(disk: &Disk, file: File, path: &Path) -> DiskFile {
        DiskFile { disk: disk.clone(), file, path: path.into(), position: 0 }
    }

    /// Makes what was written durable.
    pub fn sync(&self) -> io::Result<()> {
        self.disk.about_to(DiskStep::Sync(&self.path))?;
        if self.disk.is_real() { self.file.sync_all() } else { Ok(()) }
    }

    /// Makes the bytes that were written durable, and of what is known about the file only its length.
    pub fn sync_data(&self) -> io::Result<()> {
        self.disk.about_to(DiskStep::Sync(&self.path))?;
        if self.disk.is_real() { self.file.sync_data() } else { Ok(()) }
    }

    /// Cuts the file and goes on writing there. The cut is durable when this returns: else bytes from before it could
    /// come back after a power failure, in the middle of what was written since.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        self.disk.about_to(DiskStep::SetLength(&self.path, length))?;
        self.file.set_len(length)?;
        self.position = self.file.seek(SeekFrom::Start(length))?;
        self.sync()
    }

    /// Puts the file in another's place and goes on writing to it there.
    pub fn rename(&mut self, to: &Path) -> io::Result<()> {
        self.disk.rename(&self.path, to)?;
        self.path = to.into();
        Ok(())
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let accepted = Cell::new(bytes.len());
        let (path, offset) = (&*self.path, self.position);
        self.disk.about_to(DiskStep::Write { path, offset, bytes, accepted: &accepted })?;
        let written = self.file.write(&bytes[..accepted.get().min(bytes.len())])?;
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
