//! A new event file, and what stands at its beginning.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use downpour_disk::io_error;
use downpour_tensor::{Result, Status};
use downpour_wire::Message;
use downpour_wire::proto::event::What;
use downpour_wire::proto::{Event, SourceMetadata};

use crate::tfrecord::{Compression, RecordWriter};

/// An event file being written by whoever has events, at once.
pub struct EventFile {
    pub(super) path: PathBuf,
    pub(super) writer: RecordWriter<File>,
}

impl EventFile {
    /// Begins the file `PREFIX.out.tfevents.SECONDS.HOST` with a suffix; missing folders are made.
    pub fn create(prefix: &Path, suffix: &str) -> Result<EventFile> {
        let (path, file) = new_file(prefix, suffix)?;
        let mut file = EventFile { path, writer: RecordWriter::new(file, Compression::None) };
        let version = Event {
            wall_time: now(),
            what: Some(What::FileVersion("brain.Event:2".into())),
            source_metadata: Some(SourceMetadata { writer: "downpour.events".into() }),
            ..Default::default()
        };
        file.write(&version.encode_to_vec())?;
        file.flush()?;
        Ok(file)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends an encoded event.
    pub fn write(&mut self, event: &[u8]) -> Result<()> {
        self.writer.write(event).map_err(|e| e.context(self.path.display()))
    }

    /// Hands everything written so far to the file.
    pub fn flush(&mut self) -> Result<()> {
        self.writer.flush().map_err(|e| e.context(self.path.display()))
    }
}

/// The time that events are given, in seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// A file nobody has: two logs begun within one second get different names.
fn new_file(prefix: &Path, suffix: &str) -> Result<(PathBuf, File)> {
    if let Some(folder) = prefix.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| io_error("create folder", folder, &e))?;
    }
    let host = rustix::system::uname().nodename().to_string_lossy().replace('/', "_");
    let mut name = prefix.as_os_str().to_owned();
    name.push(format!(".out.tfevents.{:010}.{host}{suffix}", now() as u64));
    for number in 0.. {
        let mut name = name.clone();
        if number > 0 {
            name.push(format!(".{number}"));
        }
        let path = PathBuf::from(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists && number < 10_000 => {}
            Err(e) => return Err(io_error("create", &path, &e)),
        }
    }
    Err(Status::internal("no name is left for an event file"))
}
