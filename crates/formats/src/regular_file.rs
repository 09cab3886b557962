//! Opening and reading files that must be regular ones.
//!
//! A checkpoint or a vocabulary is a file on a disk. What is not (a pipe, a device, a folder) could make its reader
//! wait or read for ever, so it is refused by name.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use downpour_tensor::{ByteString, Result, StringWriter};

use downpour_disk::io_error;

/// Bytes read between two looks at whether to go on.
const CHUNK: usize = 1 << 20;

/// Opens a regular file for reading; anything else is refused without waiting for it.
pub fn open_regular(path: &Path) -> std::io::Result<File> {
    // Opening a pipe that nobody writes to would wait; regular files do not know the flag.
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let file = File::options().read(true).custom_flags(nonblocking).open(path)?;
    let kind = file.metadata()?;
    if kind.is_dir() {
        return Err(Error::from(ErrorKind::IsADirectory));
    }
    if !kind.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
    }
    Ok(file)
}

/// Reads a whole regular file. Its bytes count against the memory limit while they are read, and `stop` is asked now
/// and then whether somebody still waits for them.
pub fn read_regular(path: &Path, stop: impl Fn() -> Result<()>) -> Result<ByteString> {
    let failed = |e: Error| io_error("read", path, &e);
    let mut file = open_regular(path).map_err(failed)?;
    // A hint only: files of /proc say 0, and others may grow meanwhile.
    let length = file.metadata().map_err(failed)?.len();
    let mut contents = StringWriter::with_capacity(usize::try_from(length).unwrap_or(usize::MAX))
        .map_err(|e| e.context(path.display()))?;
    loop {
        stop()?;
        let mut read = |place: &mut [u8]| file.read(place).map_err(failed);
        match contents.read_more(CHUNK, &mut read) {
            Ok(0) => return Ok(contents.finish()),
            Ok(_) => {}
            Err(e) => return Err(e.context(path.display())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::{Code, Status};

    fn read(path: &Path) -> Result<ByteString> {
        read_regular(path, || Ok(()))
    }

    #[test]
    fn files_are_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [0, 1, CHUNK, 2 * CHUNK + 7] {
            let bytes: Vec<u8> = (0..length).map(|i| i as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(read(&path).unwrap(), bytes);
        }
        assert!(!read(Path::new("/proc/self/status")).unwrap().is_empty());
        assert_eq!(read(&folder.path().join("none")).unwrap_err().code(), Code::NotFound);
    }

    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for path in [pipe.as_path(), Path::new("/dev/zero"), folder.path()] {
            let refused = read(path).unwrap_err();
            assert!(refused.message().contains(&*path.to_string_lossy()), "{refused}");
        }
    }

    #[test]
    fn reading_ends_when_nobody_waits_for_it() {
        let stop = || Err(Status::cancelled("nobody waits"));
        let refused = read_regular(Path::new("/proc/self/status"), stop).unwrap_err();
        assert_eq!(refused.code(), Code::Cancelled);
    }
}
