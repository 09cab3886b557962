//! Files, checkpoints, strings, sounds and summaries.

mod audio;
mod checkpoint;
mod example;
mod file;
mod string;
mod summary;
mod summary_writer;
mod unicode;

/// The format of WAV files, for those who test how it is read.
pub mod wav {
    pub use crate::audio::wav::check;
}

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    audio::register(registry)?;
    checkpoint::register(registry)?;
    example::register(registry)?;
    file::register(registry)?;
    string::register(registry)?;
    summary::register(registry)?;
    summary_writer::register(registry)?;
    unicode::register(registry)
}
