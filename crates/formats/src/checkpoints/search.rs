//! Finds the newest checkpoint of a folder that is whole, and says what is wrong with newer ones.

use std::collections::HashSet;
use std::path::Path;

use downpour_disk::io_error;
use downpour_tensor::{Result, Status};

use super::state::{STATE_FILE, read_state};
use super::{step_of, text_of};
use crate::bundle::{BundleReader, index_file};

/// A checkpoint that is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What to give to [`load`](super::load) or to TensorFlow.
    pub prefix: String,
    /// The step in its name.
    pub step: Option<i64>,
}

/// A checkpoint that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// Its prefix, or the state file.
    pub checkpoint: String,
    /// What is wrong with it.
    pub error: Status,
}

/// What a folder has to offer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The newest checkpoint that is whole.
    pub good: Option<Found>,
    /// What is newer and damaged, newest first. Say it aloud.
    pub damaged: Vec<Damaged>,
}

impl Search {
    /// True if there are checkpoints and none of them can be used.
    pub fn is_all_damaged(&self) -> bool {
        self.good.is_none() && !self.damaged.is_empty()
    }

    /// Returns the newest whole checkpoint, or `None` if the folder has none at all.
    ///
    /// # Errors
    /// DATA_LOSS with every damaged file if there is nothing else: whoever began anew without a word would throw
    /// away what was trained.
    pub fn usable(self) -> Result<Option<Found>> {
        if !self.is_all_damaged() {
            return Ok(self.good);
        }
        let each =
            |damaged: &Damaged| format!("\n  {}: {}", damaged.checkpoint, damaged.error.message());
        let all: String = self.damaged.iter().map(each).collect();
        Err(Status::data_loss(format!("no checkpoint is whole:{all}")))
    }
}

/// Reads the whole checkpoint at `prefix` and checks every checksum.
pub fn verify(prefix: &str) -> Result<()> {
    BundleReader::open(prefix)?.verify()
}

/// The newest whole checkpoint of a folder: the one its state file names, else those it lists from the
/// last to the first, else what else is there from the highest step on. Changes nothing. A folder
/// without checkpoints, or that does not exist, has neither a good nor a damaged one.
pub fn find_good(folder: &Path) -> Result<Search> {
    let mut search = Search::default();
    for prefix in candidates(folder, &mut search.damaged)? {
        match verify(&prefix) {
            Ok(()) => {
                let step = step_of(&prefix);
                search.good = Some(Found { prefix, step });
                break;
            }
            Err(error) => search.damaged.push(Damaged { checkpoint: prefix, error }),
        }
    }
    Ok(search)
}

fn candidates(folder: &Path, damaged: &mut Vec<Damaged>) -> Result<Vec<String>> {
    let mut candidates = Vec::new();
    let mut known = HashSet::new();
    match read_state(folder) {
        Ok(None) => {}
        Ok(Some(state)) => {
            let all = state.all_model_checkpoint_paths.iter().rev();
            for path in std::iter::once(&state.model_checkpoint_path).chain(all) {
                let prefix = resolve(folder, path)?;
                if known.insert(prefix.clone()) {
                    candidates.push(prefix);
                }
            }
        }
        Err(error) => {
            let checkpoint = folder.join(STATE_FILE).display().to_string();
            damaged.push(Damaged { checkpoint, error });
        }
    }
    let mut others = Vec::new();
    for name in bundles_in(folder)? {
        let prefix = text_of(&folder.join(name))?.to_string();
        if !known.contains(&prefix) {
            others.push(prefix);
        }
    }
    others.sort_by_key(|prefix| std::cmp::Reverse((step_of(prefix), prefix.clone())));
    candidates.extend(others);
    Ok(candidates)
}

/// A path of a state file as a prefix. Absolute paths of a folder that was moved since are looked for
/// beside the state file.
fn resolve(folder: &Path, path: &str) -> Result<String> {
    let given = folder.join(path);
    if !index_file(text_of(&given)?).exists()
        && let Some(name) = Path::new(path).file_name()
    {
        let beside = folder.join(name);
        if index_file(text_of(&beside)?).exists() {
            return Ok(text_of(&beside)?.to_string());
        }
    }
    Ok(text_of(&given)?.to_string())
}

/// The names of bundles that have an index in a folder, sorted.
pub(super) fn bundles_in(folder: &Path) -> Result<Vec<String>> {
    let names = files_in(folder)?;
    Ok(names.iter().filter_map(|name| name.strip_suffix(".index")).map(str::to_string).collect())
}

/// The names in a folder that are texts, sorted; none if there is no such folder.
pub(super) fn files_in(folder: &Path) -> Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|e| io_error("list", folder, &e))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| io_error("list", folder, &e))?;
        names.extend(entry.file_name().into_string());
    }
    names.sort();
    Ok(names)
}
