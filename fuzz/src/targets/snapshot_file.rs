//! Any bytes as a file of a saved dataset, in every format: elements of the right types, or an error, and an end.

use std::io::Cursor;

use downpour_formats::snapshot::{SnapshotFormat, SnapshotReader};
use downpour_tensor::{DataType, Tensor};

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    downpour_tensor::set_memory_limit(64 << 20);
    let Some((&kind, contents)) = data.split_first() else { return };
    let compression = [&b""[..], b"GZIP", b"ZLIB", b"SNAPPY"][usize::from(kind >> 2) % 4];
    let Ok(format) = SnapshotFormat::new(i64::from(kind & 3), compression) else { return };
    let types = [DataType::Int64, DataType::String, DataType::Float];
    let mut reader = SnapshotReader::new(Cursor::new(contents.to_vec()), format, &types);
    let mut bytes = 0;
    while let Ok(Some(element)) = reader.next() {
        assert!(element.iter().map(Tensor::dtype).eq(types));
        bytes += element.iter().map(Tensor::byte_len).sum::<usize>();
        // A small file may be made of a great deal of nothing.
        if bytes > 1 << 22 {
            break;
        }
    }
}
