//! The generated code of package `tensorflow`, with one module per package below it.
//!
//! - `bytes` fields are [`bytes::Bytes`]: decoding from a `Bytes` shares its memory.
//! - Maps are ordered, so that equal messages have equal encodings.
//! - Enumerations are `i32` in messages: a peer may send values that are not in ours.
//! - Decoding refuses messages nested more than 100 deep, as TensorFlow's own decoder does.

include!(concat!(env!("OUT_DIR"), "/tensorflow.rs"));

/// Status codes.
pub mod error {
    include!(concat!(env!("OUT_DIR"), "/tensorflow.error.rs"));
}

/// Elements of datasets.
pub mod data {
    include!(concat!(env!("OUT_DIR"), "/tensorflow.data.rs"));

    /// Datasets that are saved in files.
    pub mod experimental {
        include!(concat!(env!("OUT_DIR"), "/tensorflow.data.experimental.rs"));
    }
}

/// All `.proto` files, compiled: an encoded `google.protobuf.FileDescriptorSet` for reflection
/// and for comparing with other implementations.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

#[cfg(test)]
mod tests;
