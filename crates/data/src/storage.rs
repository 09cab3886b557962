//! Files wherever they are: local paths, globs, and object stores by URL.

mod compression;
mod local;
mod remote;

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
    Remote(remote::Object),
}

impl FileRef {
    /// Returns the file of this path or URL, which is not looked at before it is read.
    pub fn named(name: &str) -> Result<FileRef> {
        let path = name.strip_prefix("file://").unwrap_or(name);
        let remote = if path.len() == name.len() { remote::named(name)? } else { None };
        let place = remote.map_or_else(|| Place::Local(PathBuf::from(path)), Place::Remote);
        Ok(FileRef { name: name.to_owned(), place })
    }

    /// The path or URL, as errors show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its size in bytes.
    pub fn size(&self) -> Result<u64> {
        match &self.place {
            Place::Local(path) => local::size(path),
            Place::Remote(object) => object.size(),
        }
    }

    /// Reads on from `offset`.
    pub fn open_at(&self, offset: u64) -> Result<Box<dyn Read + Send>> {
        match &self.place {
            Place::Local(path) => Ok(Box::new(local::open_at(path, offset)?)),
            Place::Remote(object) => Ok(Box::new(object.open_at(offset)?)),
        }
    }

    /// `length` bytes from `offset`; fewer are an error.
    pub fn read(&self, offset: u64, length: usize) -> Result<Bytes> {
        if let Place::Remote(object) = &self.place
            && let Some(end) = offset.checked_add(length as u64)
        {
            return object.read(offset, end);
        }
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
///
/// In paths and URLs alike `*` stands for any run of characters within a name, `?` for one.
pub fn resolve(pattern: &str) -> Result<Vec<FileRef>> {
    let path = pattern.strip_prefix("file://").unwrap_or(pattern);
    let remote = if path.len() == pattern.len() { remote::list(pattern)? } else { None };
    let files: Vec<FileRef> = match remote {
        Some(objects) => {
            let place = |(name, object)| FileRef { name, place: Place::Remote(object) };
            objects.into_iter().map(place).collect()
        }
        None => {
            let name = |p: &PathBuf| p.to_string_lossy().into_owned();
            let place = |p| FileRef { name: name(&p), place: Place::Local(p) };
            local::list(path)?.into_iter().map(place).collect()
        }
    };
    if files.is_empty() {
        return Err(Status::not_found(format!("no file matches {pattern}")));
    }
    Ok(files)
}

/// Writes a small file to a path or URL, whole.
pub fn write(place: &str, contents: impl Into<Bytes>) -> Result<()> {
    let contents = contents.into();
    let path = place.strip_prefix("file://").unwrap_or(place);
    if path.len() == place.len() && remote::write(place, contents.clone())? {
        return Ok(());
    }
    std::fs::write(path, contents)
        .map_err(|e| Status::unavailable(format!("cannot write {path}: {e}")))
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

#[cfg(test)]
mod tests;
