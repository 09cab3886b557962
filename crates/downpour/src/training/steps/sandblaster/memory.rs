//! What the chief of Sandblaster remembers for the case that it is started again: how far L-BFGS was.
//!
//! The vectors are on the servers; this names them. Without it training goes on too, from the last point, with a new
//! history. So trouble with the file is said and ends nothing.

use std::path::PathBuf;

use downpour_params::sandblaster::Saved;
use serde::{Deserialize, Serialize};

/// What is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Remembered {
    /// The coordinator's.
    #[serde(flatten)]
    pub saved: Saved,
    /// The run's step before its first iteration.
    #[serde(default)]
    pub first: i64,
}

/// The file in a run's folder, if the run has one.
#[derive(Clone)]
pub(super) struct Memory(Option<PathBuf>);

impl Memory {
    /// A run's that has just begun (`new`) remembers nothing of the one before it.
    pub fn open(run: Option<&std::path::Path>, new: bool) -> Memory {
        let file = run.map(|run| run.join("servers").join("sandblaster.json"));
        if let Some(file) = file.as_ref().filter(|file| new && file.exists())
            && let Err(e) = std::fs::remove_file(file)
        {
            tracing::warn!("{} is of an earlier run and cannot be removed: {e}", file.display());
        }
        Memory(file)
    }

    /// What was saved last, for so many servers.
    pub fn read(&self, servers: usize) -> Option<Remembered> {
        let file = self.0.as_ref()?;
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return None,
            Err(e) => {
                tracing::warn!("cannot read {}: {e}; the history begins anew", file.display());
                return None;
            }
        };
        match serde_json::from_str::<Remembered>(&text) {
            Ok(remembered) if remembered.saved.marks.len() == servers => Some(remembered),
            Ok(Remembered { saved, .. }) => {
                tracing::warn!(
                    "{} is of {} parameter servers, and there are {servers}: the history begins anew",
                    file.display(),
                    saved.marks.len()
                );
                None
            }
            Err(e) => {
                tracing::warn!("{} is damaged ({e}): the history begins anew", file.display());
                None
            }
        }
    }

    /// Replaces what was saved.
    pub fn write(&self, remembered: &Remembered) {
        let Some(file) = &self.0 else { return };
        let write = || -> std::io::Result<()> {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let new = file.with_extension("new");
            std::fs::write(&new, serde_json::to_vec(remembered)?)?;
            std::fs::rename(&new, file)
        };
        if let Err(e) = write() {
            tracing::warn!("cannot write {}: {e}", file.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use downpour_params::sandblaster::{Cut, Mark};

    use super::*;

    #[test]
    fn what_was_saved_is_read_again_and_a_new_run_forgets_it() {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::open(Some(folder.path()), true);
        assert_eq!(memory.read(2), None);
        let mark = Mark { start: 7, executed: 9 };
        let cuts = vec![Cut { number: 3, state: Default::default() }];
        let saved = Saved { state: Default::default(), marks: vec![mark; 2], cuts };
        let remembered = Remembered { saved, first: 40 };
        memory.write(&remembered);
        assert_eq!(Memory::open(Some(folder.path()), false).read(2), Some(remembered));
        assert_eq!(memory.read(3), None);
        assert_eq!(Memory::open(Some(folder.path()), true).read(2), None);
        std::fs::write(folder.path().join("servers/sandblaster.json"), "{").unwrap();
        assert_eq!(memory.read(2), None);
    }
}
