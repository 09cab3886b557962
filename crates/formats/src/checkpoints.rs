//! A folder of checkpoints: saved so that no crash costs more than the save it interrupts, kept by age
//! and by quality, and read back with every checksum verified.
//!
//! A save writes data, then the index, then the text file `checkpoint` that names it; each appears whole
//! (temporary file, sync, rename, sync of the folder). It counts once the text file names it. What is
//! removed is taken off that file first, and loses its index before its data.
//!
//! ```
//! use downpour_formats::checkpoints::{Checkpoint, CheckpointManager, CheckpointOptions, find_good, load};
//! use downpour_tensor::Tensor;
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path();
//! let mut manager = CheckpointManager::open(folder, CheckpointOptions::default())?;
//! let mut checkpoint = Checkpoint { step: 10, ..Default::default() };
//! checkpoint.tensors.insert("w".into(), Tensor::vector(&[1.0f32, 2.0])?);
//! checkpoint.blobs.insert("data".into(), "epoch 1, record 640".into());
//! manager.save(&checkpoint)?;
//!
//! let search = find_good(folder)?;
//! for damaged in &search.damaged {
//!     eprintln!("{} is damaged: {}", damaged.checkpoint, damaged.error.message());
//! }
//! let good = load(&search.good.expect("one was saved").prefix)?;
//! assert_eq!((good.step, good.tensors["w"].len()), (10, 2));
//! # Ok::<(), downpour_tensor::Status>(())
//! ```

mod background;
mod clean;
#[cfg(test)]
mod crash_tests;
#[cfg(test)]
mod disk_tests;
mod manager;
mod search;
mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};

pub use background::BackgroundSaver;
pub use manager::{Better, CheckpointManager, CheckpointOptions, Saved};
pub use search::{Damaged, Found, Search, find_good, verify};
pub use state::{STATE_FILE, read_state, write_state};

use crate::bundle::{BundleReader, BundleWriter};

/// Names under which what is no variable stands in a bundle.
const BLOB: &str = "_DOWNPOUR_BLOB/";
const METRIC: &str = "_DOWNPOUR_METRIC";

/// What a checkpoint holds.
#[derive(Clone, Debug, Default)]
pub struct Checkpoint {
    /// The training step, which is part of the file names.
    pub step: i64,
    /// Tensors by name. Cloning a tensor shares its memory.
    pub tensors: BTreeMap<String, Tensor>,
    /// Small pieces of other state, as the position in the data. They are part of the bundle and so
    /// appear together with the tensors or not at all.
    pub blobs: BTreeMap<String, Bytes>,
    /// How good the model is, for keeping the best.
    pub metric: Option<f64>,
}

impl Checkpoint {
    fn write_tensors(&self, writer: &mut BundleWriter) -> Result<()> {
        for (name, tensor) in &self.tensors {
            if name.starts_with(BLOB) || name == METRIC {
                return Err(Status::invalid_argument(format!(
                    "a tensor cannot be saved as '{name}': the name is reserved"
                )));
            }
            writer.add(name, tensor)?;
        }
        Ok(())
    }

    fn write_rest(&self, writer: &mut BundleWriter) -> Result<()> {
        for (name, blob) in &self.blobs {
            writer.add(
                &format!("{BLOB}{name}"),
                &Tensor::string(ByteString::from_bytes(blob.clone())?),
            )?;
        }
        if let Some(metric) = self.metric {
            writer.add(METRIC, &Tensor::scalar(metric))?;
        }
        Ok(())
    }
}

/// Reads a checkpoint at a prefix, TensorFlow's included; every checksum is verified.
pub fn load(prefix: &str) -> Result<Checkpoint> {
    let mut reader = BundleReader::open(prefix)?;
    let mut checkpoint = Checkpoint { step: step_of(prefix).unwrap_or(0), ..Checkpoint::default() };
    for name in reader.names() {
        let tensor = reader.read(&name)?;
        if let Some(blob) = name.strip_prefix(BLOB) {
            if let Some(value) = tensor.strings()?.first() {
                checkpoint.blobs.insert(blob.into(), value.to_bytes());
            }
        } else if name == METRIC {
            checkpoint.metric = tensor.to_scalar::<f64>().ok();
        } else {
            checkpoint.tensors.insert(name, tensor);
        }
    }
    Ok(checkpoint)
}

/// The metric alone, without reading the tensors.
fn read_metric(prefix: &str) -> Option<f64> {
    let mut reader = BundleReader::open(prefix).ok()?;
    let (dtype, shape) = reader.describe(METRIC).ok()?;
    let scalar = dtype == DataType::Double && shape.is_scalar();
    scalar.then(|| reader.read(METRIC).ok()?.to_scalar().ok()).flatten()
}

/// The step at the end of a prefix, as in `model.ckpt-100`.
pub fn step_of(prefix: &str) -> Option<i64> {
    let digits = prefix.rsplit_once('-')?.1;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Prefixes are texts in TensorFlow's files, so a path must be one.
fn text_of(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| {
        Status::invalid_argument(format!(
            "{} is not valid UTF-8, which paths of checkpoints must be",
            path.display()
        ))
    })
}
