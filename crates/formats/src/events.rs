//! Event files: what TensorBoard shows of a training run.
//!
//! A file named `PREFIX.out.tfevents.SECONDS.HOST` holds `Event` messages framed as records.
//! [`EventLog`] writes one from its own thread, so that training never waits for it;
//! [`EventReader`] and [`summarize`] read.
//!
//! ```
//! use downpour_formats::events::{EventLog, EventOptions, summarize};
//! # let folder = tempfile::tempdir().unwrap();
//! let log = EventLog::create(&folder.path().join("events"), EventOptions::default())?;
//! log.scalar("loss", 1, 0.7);
//! log.scalar("loss", 2, 0.5);
//! log.text("notes", 2, "half the *rate* from here");
//! log.flush()?;
//! let summary = summarize(log.path())?;
//! assert_eq!(summary.tags["loss"].last_value, Some(0.5));
//! # Ok::<(), downpour_tensor::Status>(())
//! ```

mod file;
mod histogram;
mod image;
mod log;
mod reader;
mod summarize;
#[cfg(test)]
mod tests;
mod values;

pub use file::{EventFile, now};
pub use histogram::Histogram;
pub use image::encode_png;
pub use log::{EventLog, EventOptions};
pub use reader::EventReader;
pub use summarize::{EventsSummary, TagKind, TagSummary, summarize};
