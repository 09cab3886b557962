//! Images in files: JPEG, PNG, GIF, BMP and WebP to tensors, and back to JPEG and PNG.
//!
//! Pixels and refusals are those of TensorFlow's operations.

mod any;
pub mod bmp;
mod checkpoint;
mod format;
pub mod gif;
pub mod jpeg;
pub mod png;
pub mod resize;
mod row_loop;
pub mod webp;

pub use any::decode;
pub use checkpoint::Checkpoint;
pub use format::Format;
pub use row_loop::{RowLoop, Serial};
