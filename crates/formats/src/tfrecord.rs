//! TFRecord files: byte strings one after the other, each with its length and two checksums.
//!
//! A record is its length (8 bytes, little-endian), the masked CRC-32C of these 8 bytes, the bytes,
//! and their masked CRC-32C. The whole file may be compressed.
//!
//! ```
//! use downpour_formats::tfrecord::{ReadOptions, RecordReader, RecordWriter};
//!
//! let mut writer = RecordWriter::new(Vec::new(), Default::default());
//! writer.write(b"one")?;
//! writer.write(b"two")?;
//! let file = writer.finish()?;
//!
//! let mut reader = RecordReader::new(&file[..], "memory", ReadOptions::default());
//! assert_eq!(reader.next_record()?, Some(&b"one"[..]));
//! assert_eq!(reader.next_record()?, Some(&b"two"[..]));
//! assert_eq!(reader.next_record()?, None);
//! # Ok::<(), downpour_tensor::Status>(())
//! ```

mod compression;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use compression::Compression;
pub use reader::{ReadOptions, RecordReader, TruncatedTail};
pub use writer::RecordWriter;

/// Length and its checksum.
const HEADER: usize = 12;
/// Checksum of the record.
const FOOTER: usize = 4;
