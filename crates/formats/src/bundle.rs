//! Checkpoints: tensor bundles of an index file and data files.

mod merge;
mod reader;
mod strings;
#[cfg(test)]
mod tests;
mod variants;
mod writer;

pub use merge::merge_bundles;
pub(crate) use merge::merge_bundles_on;
pub use reader::BundleReader;
pub use writer::BundleWriter;

use std::path::PathBuf;

/// `PREFIX.index`
pub fn index_file(prefix: &str) -> PathBuf {
    PathBuf::from(format!("{prefix}.index"))
}

/// `PREFIX.data-00000-of-00001`
pub fn data_file(prefix: &str, shard: u32, shards: u32) -> PathBuf {
    PathBuf::from(format!("{prefix}.data-{shard:05}-of-{shards:05}"))
}
