//! The folders of runs and what their metadata says.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use downpour_tensor::{DataType, Result, Status};
use downpour_wire::proto::data::experimental::SnapshotMetadataRecord;

/// The task of one iteration of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Read,
    Write,
    PassThrough,
}

impl Mode {
    pub fn number(self) -> u64 {
        self as u64
    }

    pub fn from_number(number: u64) -> Result<Mode> {
        let modes = [Mode::Read, Mode::Write, Mode::PassThrough];
        modes.into_iter().find(|mode| mode.number() == number).ok_or_else(|| {
            Status::data_loss(format!(
                "a saved position has the unknown mode {number} of a snapshot"
            ))
        })
    }
}

/// Returns the folder of this name with a prefix, as TensorFlow joins them.
pub(super) fn joined(prefix: &str, path: &str) -> PathBuf {
    match prefix {
        "" => PathBuf::from(path),
        prefix => PathBuf::from(format!(
            "{}/{}",
            prefix.trim_end_matches('/'),
            path.trim_start_matches('/')
        )),
    }
}

/// Returns the name of a new run.
pub(super) fn new_run() -> u64 {
    RandomState::new().hash_one(0)
}

/// Returns the time in microseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

/// Returns the metadata of a run that begins now.
pub(super) fn metadata(run_id: String, version: i64, types: &[DataType]) -> SnapshotMetadataRecord {
    SnapshotMetadataRecord {
        run_id,
        creation_timestamp: now(),
        version,
        dtype: types.iter().map(|&dtype| dtype as i32).collect(),
        ..SnapshotMetadataRecord::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_joined() {
        assert_eq!(joined("", "/data"), PathBuf::from("/data"));
        assert_eq!(joined("/mnt/", "/data"), PathBuf::from("/mnt/data"));
    }

    #[test]
    fn modes_have_numbers() {
        for mode in [Mode::Read, Mode::Write, Mode::PassThrough] {
            assert_eq!(Mode::from_number(mode.number()).unwrap(), mode);
        }
        assert!(Mode::from_number(3).is_err());
    }
}
