//! Datasets that are saved in files, as TensorFlow saves them.
//!
//! A run of a saved dataset is a folder. In it is a folder for each shard, and in that files of elements that follow each
//! other. A metadata file beside the run says which one counts, and whether all of it was written. Files of elements come
//! in three formats; [`SnapshotReader`] reads all, [`SnapshotWriter`] writes those that TensorFlow still writes.

mod metadata;
mod reader;
mod writer;

use std::path::{Path, PathBuf};

use downpour_tensor::{Result, Status, excerpt};

pub use metadata::{read_metadata, write_metadata};
pub use reader::SnapshotReader;
pub use writer::SnapshotWriter;

/// How files of elements are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotCompression {
    /// As they are.
    None,
    /// Gzip.
    Gzip,
    /// A zlib stream; only files of records have it.
    Zlib,
    /// Snappy.
    Snappy,
}

/// How elements lie in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotLayout {
    /// The first: an element is a message, and Snappy compresses the file as a stream.
    Streamed,
    /// The second: an element is a message, or a piece that Snappy has compressed.
    Elements,
    /// The third: a file of records in which each component is one.
    Records,
}

/// The format of files of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotFormat {
    /// How elements lie in a file.
    pub layout: SnapshotLayout,
    /// How the file is compressed.
    pub compression: SnapshotCompression,
}

impl SnapshotFormat {
    /// Returns the format of a version and of a compression, both as TensorFlow calls them.
    pub fn new(version: i64, compression: &[u8]) -> Result<SnapshotFormat> {
        let layout = match version {
            0 => SnapshotLayout::Streamed,
            1 => SnapshotLayout::Elements,
            2 => SnapshotLayout::Records,
            _ => {
                return Err(Status::invalid_argument(format!(
                    "Snapshot reader version: {version} is not supported."
                )));
            }
        };
        let compression = match compression {
            b"" | b"NONE" => SnapshotCompression::None,
            b"GZIP" => SnapshotCompression::Gzip,
            b"ZLIB" if layout == SnapshotLayout::Records => SnapshotCompression::Zlib,
            b"SNAPPY" | b"AUTO" => SnapshotCompression::Snappy,
            other => {
                return Err(Status::invalid_argument(format!(
                    "compression must be either '', 'GZIP' or 'SNAPPY', but got '{}'.",
                    excerpt(other)
                )));
            }
        };
        Ok(SnapshotFormat { layout, compression })
    }
}

/// Returns the folder of a shard in the folder of a run.
pub fn shard_folder(run: &Path, shard: i64) -> PathBuf {
    run.join(format!("{:08}.shard", shard as u64))
}

/// Returns the file of this number in a folder of elements.
pub fn elements_file(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:08}.snapshot"))
}

/// Returns the folders of a run's shards in order; a run that is not there has none.
pub fn shard_folders(run: &Path) -> Result<Vec<PathBuf>> {
    listed(run, ".shard")
}

/// Returns the files in a folder of elements in order; a folder that is not there has none.
pub fn elements_files(folder: &Path) -> Result<Vec<PathBuf>> {
    listed(folder, ".snapshot")
}

fn listed(folder: &Path, suffix: &str) -> Result<Vec<PathBuf>> {
    let failed = |e: &std::io::Error| crate::io_error("list", folder, e);
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|e| failed(&e))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| failed(&e))?.path();
        if path.as_os_str().as_encoded_bytes().ends_with(suffix.as_bytes()) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests;
