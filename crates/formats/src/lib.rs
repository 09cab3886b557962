//! Files TensorFlow users already have, read and written: checkpoints (tensor bundles), record
//! files, event files.

#![warn(missing_docs)]

pub mod bundle;
pub mod checkpoints;
mod checksum;
pub mod compressed_element;
pub mod events;
pub mod example;
mod ordered_code;
pub mod path_pattern;
mod regular_file;
pub mod safetensors;
pub mod saved_model;
mod saved_slices;
mod slice;
pub mod snappy;
pub mod snapshot;
mod table;
pub mod text_format;
pub mod text_number;
pub mod tfrecord;

pub use bundle::{BundleReader, BundleWriter, data_file, index_file, merge_bundles};
pub use checksum::{mask, masked_crc, unmask};
pub use downpour_disk::{AtomicFile, Disk, DiskStep, free_space, io_error};
pub use regular_file::{open_regular, read_regular};
pub use saved_slices::{SlicesReader, SlicesWriter};
pub use slice::{SliceSpec, copy_overlap, parse_shape_and_slice};
pub use table::{TableBuilder, read_table};
