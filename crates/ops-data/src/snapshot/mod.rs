//! Operations that save datasets in files and read them again, in TensorFlow's formats.
//!
//! A run is written by one iteration ([`recorder`], [`recording`]) and read by any number of them ([`elements`],
//! [`nested`]). Which run of a folder counts is in its metadata ([`run`]).

mod elements;
mod load;
mod nested;
mod older_snapshot;
mod readers;
mod recorder;
mod recording;
mod run;
mod save;
mod snapshot_v2;
mod to_records;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    load::register(registry)?;
    readers::register(registry)?;
    save::register(registry)?;
    older_snapshot::register(registry)?;
    snapshot_v2::register(registry)?;
    to_records::register(registry)
}
