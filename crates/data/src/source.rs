//! Where elements come from.

pub mod csv;
pub mod files;
pub mod generator;
pub mod idx;
pub mod images;
pub mod parquet;
pub mod tensors;
pub mod text;
pub mod tfrecord;
