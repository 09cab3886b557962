//! Readers: operations that turn units of work from a queue, mostly names of files, into records.
//!
//! A reader is a resource ([`resource`]) around a [`format`](format::Format), of which each kind of reader has one. The
//! operations that read ([`read`]) take work from the queue when the last unit is used up.

mod fixed_length;
mod format;
mod identity;
mod progress;
mod read;
mod resource;
mod state;
mod text_line;
mod tf_record;
mod whole_file;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    fixed_length::register(registry)?;
    identity::register(registry)?;
    progress::register(registry)?;
    read::register(registry)?;
    state::register(registry)?;
    text_line::register(registry)?;
    tf_record::register(registry)?;
    whole_file::register(registry)
}

#[cfg(test)]
mod tests;
