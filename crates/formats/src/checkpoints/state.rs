//! The text file `checkpoint` of a folder.

use std::path::Path;

use downpour_disk::{AtomicFile, Disk, io_error};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::CheckpointState;

use crate::text_format;

/// Its name.
pub const STATE_FILE: &str = "checkpoint";

/// No folder keeps so many checkpoints that their names take more.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a folder's state file; `None` if there is none.
pub fn read_state(folder: &Path) -> Result<Option<CheckpointState>> {
    let path = folder.join(STATE_FILE);
    match std::fs::metadata(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if metadata.len() > MAX_BYTES => {
            return Err(Status::data_loss(format!("{} is too large", path.display())));
        }
        _ => {}
    }
    let text = std::fs::read(&path).map_err(|e| io_error("read", &path, &e))?;
    let damaged = |what: &str| Status::data_loss(format!("{} is damaged: {what}", path.display()));
    let text = String::from_utf8(text).map_err(|_| damaged("it is not text"))?;
    let state = text_format::parse::<CheckpointState>(&text).map_err(|e| damaged(e.message()))?;
    if state.model_checkpoint_path.is_empty() {
        return Err(damaged("it names no checkpoint"));
    }
    Ok(Some(state))
}

/// Writes a folder's state file, at once or not at all.
pub fn write_state(disk: &Disk, folder: &Path, state: &CheckpointState) -> Result<()> {
    let mut file = AtomicFile::create_on(disk, &folder.join(STATE_FILE))?;
    file.write(text_format::print(state)?.as_bytes())?;
    file.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_tensorflow_writes_is_read() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_state(folder.path()).unwrap(), None);
        let text = "model_checkpoint_path: \"/tmp/a \\\"b\\\"\\303\\251/m-2\"\n\
                    all_model_checkpoint_paths: \"m-1\"\n\
                    all_model_checkpoint_paths: \"/tmp/a \\\"b\\\"\\303\\251/m-2\"\n\
                    all_model_checkpoint_timestamps: 1763277432.6158967\n\
                    all_model_checkpoint_timestamps: 1763277433.0\n\
                    last_preserved_timestamp: 1763277431.9\n";
        std::fs::write(folder.path().join(STATE_FILE), text).unwrap();
        let state = read_state(folder.path()).unwrap().unwrap();
        assert_eq!(state.model_checkpoint_path, "/tmp/a \"b\"é/m-2");
        assert_eq!(state.all_model_checkpoint_paths[0], "m-1");
        assert_eq!(state.all_model_checkpoint_timestamps[0], 1763277432.6158967);
        for bad in ["model_checkpoint_path: \"m-2", "", "\u{0}", "model_checkpoint_path: 1"] {
            std::fs::write(folder.path().join(STATE_FILE), bad).unwrap();
            assert!(read_state(folder.path()).is_err());
        }
    }

    proptest! {
        #[test]
        fn any_state_survives(
            paths in prop::collection::vec(".{1,12}", 1..4),
            times in prop::collection::vec(any::<f64>().prop_filter("no NaN", |v| !v.is_nan()), 0..3),
        ) {
            let state = CheckpointState {
                model_checkpoint_path: paths[0].clone(),
                all_model_checkpoint_paths: paths,
                all_model_checkpoint_timestamps: times,
                last_preserved_timestamp: 1.5,
            };
            let text = text_format::print(&state).unwrap();
            prop_assert_eq!(text_format::parse::<CheckpointState>(&text).unwrap(), state);
        }

        #[test]
        fn any_text_is_a_state_or_an_error(text in ".{0,60}") {
            let _ = text_format::parse::<CheckpointState>(&text);
        }
    }
}
