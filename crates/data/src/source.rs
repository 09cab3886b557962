//! Where elements come from.

pub mod csv;
pub mod csv_records;
pub mod files;
pub mod fixed_length;
pub mod generator;
pub mod idx;
pub mod images;
pub mod matching;
pub mod parquet;
pub mod tensors;
pub mod text;
pub mod tfrecord;
