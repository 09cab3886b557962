//! Data that is handed out.

use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

use super::limits::{MAX_LEASES, MAX_UNITS_PER_EPOCH};

/// Data that is handed out in units, epoch after epoch.
///
/// A unit is a range of positions, not of anything the coordinator knows: which example stands at a position
/// (a permutation seeded by the epoch, a row of a file) is between the workers.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct DatasetSpec {
    /// Unique: "mnist/train".
    #[prost(string, tag = "1")]
    pub name: String,
    /// Positions in an epoch.
    #[prost(uint64, tag = "2")]
    pub examples: u64,
    /// How often everything is gone through.
    #[prost(uint32, tag = "3")]
    pub epochs: u32,
    /// Units begin at multiples of it (and end there, or with the epoch).
    #[prost(uint64, tag = "4")]
    pub batch: u64,
    /// Most examples in a unit; slow members get smaller ones.
    #[prost(uint64, tag = "5")]
    pub unit: u64,
    /// Most leases a member holds at a time (0: two), so that it need not wait for the next.
    #[prost(uint32, tag = "6")]
    pub ahead: u32,
    /// How many epochs may begin before the one before them is complete: 0 waits for the last unit of each.
    #[prost(uint32, tag = "7")]
    pub epochs_ahead: u32,
    /// Members that ask for it get units of others when nothing else is left.
    #[prost(bool, tag = "8")]
    pub backups: bool,
}

impl DatasetSpec {
    /// `epochs` times all of `examples`, in batches of `batch` and units of at most 64 batches.
    pub fn new(name: impl Into<String>, examples: u64, epochs: u32, batch: u64) -> DatasetSpec {
        DatasetSpec {
            name: name.into(),
            examples,
            epochs,
            batch,
            unit: batch.saturating_mul(64),
            ..DatasetSpec::default()
        }
    }

    /// Most leases a member holds.
    pub(crate) fn leases(&self) -> usize {
        if self.ahead == 0 { 2 } else { self.ahead.min(MAX_LEASES) as usize }
    }

    pub(crate) fn check(&self) -> Result<()> {
        let DatasetSpec { name, examples, epochs, batch, unit, ahead, epochs_ahead, .. } = self;
        let wrong = |why: &str| Err(Status::invalid_argument(format!("dataset {name:?}: {why}")));
        if *examples == 0 || *epochs == 0 || *batch == 0 {
            return wrong("examples, epochs and batch must be at least 1");
        }
        if unit < batch {
            return wrong(&format!("units of {unit} examples do not hold a batch of {batch}"));
        }
        if examples.div_ceil(*unit) > MAX_UNITS_PER_EPOCH {
            return wrong(&format!(
                "units of {unit} would be more than {MAX_UNITS_PER_EPOCH} in an epoch: make them larger"
            ));
        }
        if *ahead > MAX_LEASES || *epochs_ahead > 16 || *examples > i64::MAX as u64 {
            return wrong(&format!(
                "at most {MAX_LEASES} leases and 16 epochs ahead, and less than 2^63 examples"
            ));
        }
        Ok(())
    }
}
