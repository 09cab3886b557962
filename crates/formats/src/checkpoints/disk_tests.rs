//! Folders of checkpoints on a simulated disk that loses power, runs full, fails and damages files, by seed.
//!
//! After every restart the folder offers the newest checkpoint whose save had returned, or a newer one, whole; nothing
//! that merely was interrupted counts as damage; and damage to files is named, and costs the checkpoints it is in.

use std::collections::BTreeMap;
use std::path::Path;

use downpour_disk::Disk;
use downpour_simulation::{
    Damage, DiskFault, DiskMutant, Random, Seeds, SimulatedDisk, temporary_folder,
};
use downpour_tensor::Tensor;

use super::*;
use crate::bundle::BundleWriter;

const SEEDS: u64 = 250;

/// The checkpoint of a save: no two saves have anything in common, be they of the same step.
fn checkpoint(step: i64, save: u32) -> Checkpoint {
    let mut checkpoint = Checkpoint { step, ..Default::default() };
    let values: Vec<f32> = (0..400).map(|i| (save * 1000 + i) as f32).collect();
    checkpoint.tensors.insert("w".into(), Tensor::vector(&values).unwrap());
    checkpoint.tensors.insert("save".into(), Tensor::scalar(save as i64));
    checkpoint.blobs.insert("data".into(), format!("position {save}").into());
    checkpoint
}

/// Which save a checkpoint is of; an error if it is of several, or of none.
fn save_of(found: &Checkpoint) -> std::result::Result<u32, String> {
    let save = found.tensors.get("save").ok_or("it has no number")?;
    let save = save.to_scalar::<i64>().map_err(|e| e.to_string())? as u32;
    let expected = checkpoint(found.step, save);
    let same = found.blobs == expected.blobs
        && found.tensors.len() == expected.tensors.len()
        && found.tensors["w"].bytes() == expected.tensors["w"].bytes();
    same.then_some(save).ok_or(format!("a mixture of save {save} and others"))
}

struct Run {
    simulated: SimulatedDisk,
    random: Random,
    /// Of the last save that returned.
    acknowledged: u32,
    tried: u32,
    step: i64,
    damages: Vec<Damage>,
}

/// What a seed has shown.
type Outcome = std::result::Result<(BTreeMap<DiskFault, usize>, Vec<Damage>), String>;

impl Run {
    /// Saves until the process dies, or has saved enough.
    fn live(&mut self, folder: &Path) {
        let disk = self.simulated.disk();
        let options =
            CheckpointOptions { keep_last: 2, disk: disk.clone(), ..CheckpointOptions::default() };
        let Ok(mut manager) = CheckpointManager::open(folder, options) else { return };
        for _ in 0..self.random.between(1, 5) {
            // Sometimes a step is saved again.
            self.step += i64::from(self.random.chance(850));
            self.tried += 1;
            let save = checkpoint(self.step, self.tried);
            let saved = match self.random.chance(300) {
                true => save_parts(&mut manager, &disk, save),
                false => manager.save(&save),
            };
            if saved.is_ok() {
                self.acknowledged = self.tried;
            }
            // Whoever reads the error makes room.
            self.simulated.make_room();
        }
    }

    fn trouble(&mut self) {
        if self.random.chance(700) {
            self.simulated.die_after(self.random.below(90));
        }
        if self.random.chance(300) {
            self.simulated.fill(self.random.below(8000) as usize);
        }
        if self.random.chance(200) {
            self.simulated.fail_sync_after(self.random.below(12));
        }
    }

    /// What a process finds that starts now; nothing was damaged.
    fn check(&self, folder: &Path) -> std::result::Result<(), String> {
        let search = find_good(folder).map_err(|e| e.to_string())?;
        if let Some(damaged) = search.damaged.first() {
            return Err(format!("nothing was damaged, and yet: {damaged:?}"));
        }
        let save = match &search.good {
            Some(good) => save_of(&load(&good.prefix).map_err(|e| e.to_string())?)?,
            None => 0,
        };
        if save < self.acknowledged || save > self.tried {
            return Err(format!(
                "save {save} of {} after {} had returned",
                self.tried, self.acknowledged
            ));
        }
        Ok(())
    }

    /// Damages a file: the newest whole one is found, and what is newer is named.
    fn damage(&mut self, folder: &Path) -> std::result::Result<(), String> {
        let before = find_good(folder).map_err(|e| e.to_string())?;
        let Some((path, damage)) = self.simulated.damage(|path| path.starts_with(folder)) else {
            return Ok(());
        };
        self.damages.push(damage);
        let what = format!("{} ({damage:?})", path.display());
        let search = find_good(folder).map_err(|e| format!("{what}: {e}"))?;
        if let Some(good) = &search.good {
            let found = load(&good.prefix).map_err(|e| format!("{what}: {e}"))?;
            save_of(&found).map_err(|e| format!("{what}: {e}"))?;
        }
        // The text file has no checksum, and people change it: it may name another whole checkpoint.
        let is_state = path.ends_with(STATE_FILE);
        let named = search.damaged.iter().any(|damaged| {
            path.to_str().is_some_and(|path| path.starts_with(&damaged.checkpoint))
                && !damaged.error.message().is_empty()
        });
        if search.good != before.good && !named && !is_state {
            return Err(format!("{what}: nothing is said about it: {search:?}"));
        }
        if search.good.is_none() && before.good.is_some() && search.damaged.is_empty() {
            return Err(format!("{what}: all is gone and nothing is said"));
        }
        Ok(())
    }
}

fn save_parts(manager: &mut CheckpointManager, disk: &Disk, save: Checkpoint) -> Result<Saved> {
    let Checkpoint { step, tensors, blobs, .. } = save;
    let parts = manager.part_prefixes(step, tensors.len())?;
    for (part, (name, tensor)) in parts.iter().zip(&tensors) {
        let mut writer = BundleWriter::create_on(disk, part)?;
        writer.add(name, tensor)?;
        writer.finish()?;
    }
    manager.commit_parts(&parts, &Checkpoint { step, blobs, ..Default::default() })
}

fn run(seed: u64, mutant: Option<DiskMutant>) -> Outcome {
    let root = temporary_folder();
    let folder = root.path().join("run").join("checkpoints");
    let mut random = Random::new(seed);
    let simulated = match mutant {
        Some(mutant) => SimulatedDisk::with_mutant(root.path(), random.fork(), mutant),
        None => SimulatedDisk::new(root.path(), random.fork()),
    };
    let (acknowledged, tried, step, damages) = (0, 0, 0, Vec::new());
    let mut run = Run { simulated, random, acknowledged, tried, step, damages };
    for _ in 0..run.random.between(2, 5) {
        run.trouble();
        run.live(&folder);
        match run.random.chance(300) {
            true => run.simulated.restart_process(),
            false => run.simulated.lose_power(),
        }
        run.check(&folder)?;
    }
    if mutant.is_none() {
        run.damage(&folder)?;
        // Whatever there was, training can go on from it.
        run.live(&folder);
        let search = find_good(&folder).map_err(|e| e.to_string())?;
        let good = search.good.ok_or("nothing was saved after the damage")?;
        save_of(&load(&good.prefix).map_err(|e| e.to_string())?)?;
    }
    Ok((run.simulated.faults(), run.damages))
}

#[test]
fn whatever_the_disk_does_the_newest_whole_checkpoint_is_found() {
    let (mut faults, mut damages) = (BTreeMap::new(), [0; 3]);
    let seeds = Seeds::from_environment(SEEDS);
    seeds.run("downpour-formats", "whatever_the_disk_does", |seed| {
        let (seen, damaged) = run(seed, None).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        seen.into_iter().for_each(|(fault, count)| *faults.entry(fault).or_insert(0) += count);
        for damage in damaged {
            damages[match damage {
                Damage::Flipped(_) => 0,
                Damage::Truncated(_) => 1,
                Damage::Unreadable => 2,
            }] += 1;
        }
    });
    println!("{faults:?}; flipped, truncated, unreadable: {damages:?}");
    if seeds.are_many() {
        assert_eq!(SimulatedDisk::missing(&faults), []);
        assert!(damages.iter().all(|count| *count > 0), "{damages:?}");
    }
}

#[test]
fn a_save_that_does_not_sync_is_found_out() {
    for mutant in [DiskMutant::NoSync, DiskMutant::NoFolderSync, DiskMutant::RenameBeforeSync] {
        let found = (0..2000).find(|seed| run(*seed, Some(mutant)).is_err());
        println!("{mutant:?}: found by seed {found:?}");
        assert!(found.is_some(), "{mutant:?} is not found");
    }
}
