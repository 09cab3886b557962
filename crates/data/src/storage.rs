//! Files wherever they are: local paths, globs, and object stores by URL.

mod compression;
mod local;

use std::io::Read;
use std::path::PathBuf;

use downpour_tensor::{Bytes, Code, Result, Status};

pub use compression::Compression;

/// One file that can be read.
#[derive(Clone)]
pub struct FileRef {
    name: String,
    place: Place,
}

#[derive(Clone)]
enum Place {
    Local(PathBuf),
}

impl FileRef {
    /// The path or URL, as errors show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its size in bytes.
    pub fn size(&self) -> Result<u64> {
        match &self.place {
            Place::Local(path) => local::size(path),
        }
    }

    /// Reads on from `offset`.
    pub fn open_at(&self, offset: u64) -> Result<Box<dyn Read + Send>> {
        match &self.place {
            Place::Local(path) => Ok(Box::new(local::open_at(path, offset)?)),
        }
    }

    /// `length` bytes from `offset`; fewer are an error.
    pub fn read(&self, offset: u64, length: usize) -> Result<Bytes> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(|_| {
            Status::resource_exhausted(format!("{length} bytes of a file do not fit into memory"))
        })?;
        self.open_at(offset)?
            .take(length as u64)
            .read_to_end(&mut bytes)
            .map_err(|e| read_error(&e))?;
        if bytes.len() != length {
            return Err(Status::data_loss(format!(
                "the file ends {} bytes behind offset {offset}, where {length} were expected",
                bytes.len()
            )));
        }
        Ok(bytes.into())
    }
}

impl FileRef {
    /// The file's first bytes, fewer than `length` if it is shorter.
    pub(crate) fn read_up_to(&self, length: u64) -> Result<Vec<u8>> {
        let mut start = Vec::new();
        let mut input = self.open_at(0)?.take(length);
        input.read_to_end(&mut start).map_err(|e| read_error(&e))?;
        Ok(start)
    }
}

/// The files a path, glob or URL stands for, sorted by name; at least one.
pub fn resolve(pattern: &str) -> Result<Vec<FileRef>> {
    let path = pattern.strip_prefix("file://").unwrap_or(pattern);
    let files = local::list(path)?;
    if files.is_empty() {
        return Err(Status::not_found(format!("no file matches {pattern}")));
    }
    Ok(files
        .into_iter()
        .map(|p| FileRef { name: p.to_string_lossy().into_owned(), place: Place::Local(p) })
        .collect())
}

/// The status for a read that failed.
pub(crate) fn read_error(error: &std::io::Error) -> Status {
    use std::io::ErrorKind::*;
    let code = match error.kind() {
        NotFound => Code::NotFound,
        PermissionDenied => Code::PermissionDenied,
        // What decompressors say of damaged contents.
        InvalidData | InvalidInput | UnexpectedEof => Code::DataLoss,
        _ => Code::Unavailable,
    };
    Status::new(code, format!("cannot read: {error}"))
}
