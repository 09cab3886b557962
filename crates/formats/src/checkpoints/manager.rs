//! Saves checkpoints into a folder and removes those that are no longer wanted.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use downpour_disk::{Disk, free_space};
use downpour_tensor::{Code, Result, Status};
use downpour_wire::proto::CheckpointState;

use super::clean;
use super::search::{Search, bundles_in, find_good, verify};
use super::state::{read_state, write_state};
use super::{Checkpoint, read_metric, step_of, text_of};
use crate::bundle::{BundleWriter, index_file, merge_bundles_on};

/// Which metrics are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Better {
    /// As of accuracies.
    #[default]
    Higher,
    /// As of losses.
    Lower,
}

/// How checkpoints are named and which are kept.
#[derive(Clone, Debug)]
pub struct CheckpointOptions {
    /// File names begin with it: `NAME-STEP.index`.
    pub name: String,
    /// How many of the latest are kept; 0 keeps all.
    pub keep_last: usize,
    /// How many of the best are kept besides, among those with a metric.
    pub keep_best: usize,
    /// What the best are.
    pub better: Better,
    /// Whether a checkpoint is read back and checked before the folder relies on it.
    pub verify: bool,
    /// The disk, which in tests may have faults.
    pub disk: Disk,
}

impl Default for CheckpointOptions {
    fn default() -> CheckpointOptions {
        CheckpointOptions {
            name: "ckpt".into(),
            keep_last: 5,
            keep_best: 0,
            better: Better::Higher,
            verify: true,
            disk: Disk::default(),
        }
    }
}

/// A checkpoint that was saved.
#[derive(Clone, Debug)]
pub struct Saved {
    /// What to give to [`load`](super::load) or to TensorFlow.
    pub prefix: String,
    /// Its step.
    pub step: i64,
    /// Prefixes of older checkpoints that were removed.
    pub removed: Vec<String>,
    /// Why older files could not be removed. The checkpoint itself is fine.
    pub warnings: Vec<Status>,
}

#[derive(Clone, Debug)]
struct Kept {
    /// Name in the folder.
    name: String,
    step: Option<i64>,
    timestamp: f64,
    metric: Option<f64>,
}

/// A folder of checkpoints, written by one manager at a time.
#[derive(Debug)]
pub struct CheckpointManager {
    folder: PathBuf,
    options: CheckpointOptions,
    /// Oldest first.
    kept: Vec<Kept>,
}

impl CheckpointManager {
    /// Opens a folder (made if missing) to save into. What interrupted saves left behind is removed;
    /// whole checkpoints nobody lists are taken in as the oldest.
    pub fn open(folder: &Path, options: CheckpointOptions) -> Result<CheckpointManager> {
        if options.name.is_empty() || options.name.contains('/') {
            return Err(Status::invalid_argument(format!(
                "'{}' cannot be the beginning of file names of checkpoints",
                options.name
            )));
        }
        let disk = options.disk.clone();
        disk.open_folder(folder)
            .map_err(|e| downpour_disk::io_error("create folder", folder, &e))?;
        let mut kept = listed(folder)?;
        clean::remove_leftovers(&disk, folder, &options.name, |name| {
            kept.iter().any(|known| known.name == name)
        })?;
        let mut unlisted = Vec::new();
        for name in bundles_in(folder)? {
            if clean::belongs(&name, &options.name) && !kept.iter().any(|k| k.name == name) {
                unlisted.push(describe(folder, name, 0.0)?);
            }
        }
        unlisted.sort_by_key(|one| one.step);
        unlisted.append(&mut kept);
        Ok(CheckpointManager { folder: folder.into(), options, kept: unlisted })
    }

    #[cfg(test)]
    pub(super) fn use_disk(&mut self, disk: Disk) {
        self.options.disk = disk;
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The prefixes of what is kept, oldest first.
    pub fn kept(&self) -> Vec<PathBuf> {
        self.kept.iter().map(|one| self.folder.join(&one.name)).collect()
    }

    /// The step and the prefix of the one that was saved last, if there is one. Whether it is still whole says
    /// [`verify`].
    pub fn newest(&self) -> Option<(i64, String)> {
        let newest = self.kept.iter().max_by_key(|one| one.step)?;
        Some((newest.step?, self.prefix(&newest.name).ok()?))
    }

    /// The newest whole checkpoint; see [`find_good`].
    pub fn latest_good(&self) -> Result<Search> {
        find_good(&self.folder)
    }

    /// Saves a checkpoint. After an error the folder offers what it did before.
    pub fn save(&mut self, checkpoint: &Checkpoint) -> Result<Saved> {
        let name = self.new_name(checkpoint.step)?;
        let prefix = self.prefix(&name)?;
        let written =
            BundleWriter::create_on(&self.options.disk, &prefix).and_then(|mut writer| {
                checkpoint.write_tensors(&mut writer)?;
                checkpoint.write_rest(&mut writer)?;
                writer.finish()
            });
        let written = written.map_err(|error| needs(error, &self.folder, checkpoint));
        self.commit(name, checkpoint.step, checkpoint.metric, written)
    }

    /// Prefixes under which `count` writers, each for itself, may put their parts of a checkpoint with
    /// [`BundleWriter`]; [`CheckpointManager::commit_parts`] makes one of them.
    pub fn part_prefixes(&self, step: i64, count: usize) -> Result<Vec<String>> {
        let folder = self.folder.join(clean::parts_folder(&self.options.name, step));
        (0..count)
            .map(|part| Ok(text_of(&folder.join(format!("part-{part:05}-of-{count:05}")))?.into()))
            .collect()
    }

    /// Makes a checkpoint of parts that are written, with one data file each, and of what `rest` holds
    /// besides.
    pub fn commit_parts(&mut self, parts: &[String], rest: &Checkpoint) -> Result<Saved> {
        let name = self.new_name(rest.step)?;
        let prefix = self.prefix(&name)?;
        let disk = self.options.disk.clone();
        let parts_folder = self.folder.join(clean::parts_folder(&self.options.name, rest.step));
        let last = text_of(&parts_folder.join("rest"))?.to_string();
        let written = BundleWriter::create_on(&disk, &last).and_then(|mut writer| {
            rest.write_tensors(&mut writer)?;
            rest.write_rest(&mut writer)?;
            writer.finish()?;
            let all: Vec<String> = parts.iter().chain([&last]).cloned().collect();
            merge_bundles_on(&disk, &all, &prefix, false)
        });
        let saved = self.commit(name, rest.step, rest.metric, written)?;
        // Left over, it is only litter: the next `open` tries again.
        let _ = clean::remove_tree(&disk, &parts_folder);
        Ok(saved)
    }

    /// A name nobody has: a step that is saved again gets another, so that what is there stays whole
    /// until the new one is.
    fn new_name(&self, step: i64) -> Result<String> {
        if step < 0 {
            return Err(Status::invalid_argument(format!("a checkpoint of step {step}")));
        }
        let base = &self.options.name;
        for number in 0..10_000 {
            let name = match number {
                0 => format!("{base}-{step}"),
                _ => format!("{base}.{number}-{step}"),
            };
            if !index_file(&self.prefix(&name)?).exists() {
                return Ok(name);
            }
        }
        Err(Status::already_exists(format!("too many checkpoints of step {step}")))
    }

    fn prefix(&self, name: &str) -> Result<String> {
        Ok(text_of(&self.folder.join(name))?.to_string())
    }

    fn commit(
        &mut self,
        name: String,
        step: i64,
        metric: Option<f64>,
        written: Result<()>,
    ) -> Result<Saved> {
        let prefix = self.prefix(&name)?;
        let disk = self.options.disk.clone();
        let verified =
            written.and_then(|()| if self.options.verify { verify(&prefix) } else { Ok(()) });
        let mut all = self.kept.clone();
        let timestamp =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        all.push(Kept { name: name.clone(), step: Some(step), timestamp, metric });
        let (kept, dropped) = choose(all, &self.options);
        let named = verified.and_then(|()| write_state(&disk, &self.folder, &state(&kept)));
        if let Err(error) = named {
            // The text file may name it already, and only the last sync has failed: then it must stay.
            if !names(&self.folder, &name) {
                let _ = clean::remove_bundle(&disk, &self.folder, &name);
            }
            return Err(error.context(format!(
                "the checkpoint {prefix} was not saved. Those before it are whole"
            )));
        }
        self.kept = kept;
        let mut saved = Saved { prefix, step, removed: Vec::new(), warnings: Vec::new() };
        for old in dropped {
            match clean::remove_bundle(&disk, &self.folder, &old.name) {
                Ok(()) => saved.removed.push(self.prefix(&old.name)?),
                Err(error) => saved.warnings.push(error),
            }
        }
        Ok(saved)
    }
}

/// Adds to the error of a full disk how much a checkpoint needs and how much there is.
fn needs(error: Status, folder: &Path, checkpoint: &Checkpoint) -> Status {
    if error.code() != Code::ResourceExhausted {
        return error;
    }
    let bytes: usize = checkpoint.tensors.values().map(|tensor| tensor.byte_len()).sum();
    let free = match free_space(folder) {
        Ok(free) => format!("{free} are free there"),
        Err(_) => "how many are free is not known".to_string(),
    };
    error.context(format!("it needs about {bytes} bytes, {free}; keeping fewer helps"))
}

fn state(kept: &[Kept]) -> CheckpointState {
    CheckpointState {
        model_checkpoint_path: kept.last().map(|one| one.name.clone()).unwrap_or_default(),
        all_model_checkpoint_paths: kept.iter().map(|one| one.name.clone()).collect(),
        all_model_checkpoint_timestamps: kept.iter().map(|one| one.timestamp).collect(),
        last_preserved_timestamp: kept.first().map_or(0.0, |one| one.timestamp),
    }
}

/// Whether the state file names this checkpoint, or cannot be read.
fn names(folder: &Path, name: &str) -> bool {
    match read_state(folder) {
        Ok(state) => state.is_some_and(|state| state.model_checkpoint_path == name),
        Err(_) => true,
    }
}

/// What the state file lists of this folder, oldest first. A state file that cannot be read is as none:
/// `find_good` is who complains.
fn listed(folder: &Path) -> Result<Vec<Kept>> {
    let Ok(Some(state)) = read_state(folder) else { return Ok(Vec::new()) };
    let mut kept: Vec<Kept> = Vec::new();
    let times = state.all_model_checkpoint_timestamps.iter().copied().chain(std::iter::repeat(0.0));
    let latest = std::iter::once(&state.model_checkpoint_path);
    for (path, time) in state.all_model_checkpoint_paths.iter().chain(latest).zip(times) {
        let name = Path::new(path).file_name().and_then(|name| name.to_str());
        // What lies elsewhere is not ours to keep or remove.
        if let Some(name) = name
            && index_file(text_of(&folder.join(name))?).exists()
            && !kept.iter().any(|known| known.name == name)
        {
            kept.push(describe(folder, name.to_string(), time)?);
        }
    }
    Ok(kept)
}

fn describe(folder: &Path, name: String, timestamp: f64) -> Result<Kept> {
    let metric = read_metric(text_of(&folder.join(&name))?);
    Ok(Kept { step: step_of(&name), name, timestamp, metric })
}

/// Which to keep and which to drop; both stay in order. The last is always kept.
fn choose(all: Vec<Kept>, options: &CheckpointOptions) -> (Vec<Kept>, Vec<Kept>) {
    let last = match options.keep_last {
        0 => all.len(),
        count => count,
    };
    let mut ranked: Vec<(f64, usize)> = all
        .iter()
        .enumerate()
        .filter_map(|(i, one)| Some((one.metric.filter(|metric| !metric.is_nan())?, i)))
        .collect();
    // The better first; of equals the later.
    ranked.sort_by(|a, b| match options.better {
        Better::Higher => b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)),
        Better::Lower => a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)),
    });
    let best: Vec<usize> = ranked.iter().take(options.keep_best).map(|(_, i)| *i).collect();
    let newest_of_step = |i: usize| {
        all[i].step.is_none() || !all[i + 1..].iter().any(|later| later.step == all[i].step)
    };
    let wanted: Vec<bool> = (0..all.len())
        .map(|i| newest_of_step(i) && (i + last >= all.len() || best.contains(&i)))
        .collect();
    let mut wanted = wanted.into_iter();
    all.into_iter().partition(|_| wanted.next().unwrap_or(true))
}
