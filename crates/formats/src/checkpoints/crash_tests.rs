//! A process that saves is stopped before every single step it takes on the disk, by a kill (what was
//! done stays) and by a power failure (what was not synced is lost): the folder always offers the last
//! checkpoint whose save had returned, or a newer one, whole; and nothing is left lying about.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::tests::checkpoint;
use super::*;
use crate::bundle::BundleWriter;
use crate::disk::{Disk, DiskStep};

/// What can be lost, and how to lose it.
enum Undo {
    Created(PathBuf),
    Renamed(PathBuf, PathBuf, Option<Vec<u8>>),
    Removed(PathBuf, Vec<u8>),
}

impl Undo {
    fn folders(&self) -> [&Path; 2] {
        match self {
            Undo::Created(path) | Undo::Removed(path, _) => {
                [path.parent().unwrap(), path.parent().unwrap()]
            }
            Undo::Renamed(from, to, _) => [from.parent().unwrap(), to.parent().unwrap()],
        }
    }
}

#[derive(Default)]
struct Machine {
    steps_left: usize,
    stopped: bool,
    unsynced_folders: Vec<Undo>,
    unsynced_files: BTreeSet<PathBuf>,
}

impl Machine {
    fn step(&mut self, step: DiskStep<'_>) -> io::Result<()> {
        if self.steps_left == 0 {
            self.stopped = true;
            return Err(io::Error::other("the process is dead"));
        }
        self.steps_left -= 1;
        match step {
            DiskStep::Create(path) => {
                self.unsynced_files.insert(path.into());
                self.unsynced_folders.push(Undo::Created(path.into()));
            }
            DiskStep::Write(path) => drop(self.unsynced_files.insert(path.into())),
            DiskStep::Sync(path) => drop(self.unsynced_files.remove(path)),
            DiskStep::Rename(from, to) => {
                if self.unsynced_files.remove(from) {
                    self.unsynced_files.insert(to.into());
                }
                let before = std::fs::read(to).ok();
                self.unsynced_folders.push(Undo::Renamed(from.into(), to.into(), before));
            }
            DiskStep::Remove(path) => {
                if let Ok(before) = std::fs::read(path) {
                    self.unsynced_folders.push(Undo::Removed(path.into(), before));
                }
            }
            DiskStep::SyncFolder(folder) => {
                self.unsynced_folders.retain(|undo| !undo.folders().contains(&folder));
            }
            DiskStep::CreateFolder(_) | DiskStep::RemoveFolder(_) => {}
        }
        Ok(())
    }

    /// Contents that were not synced are gone, and so are names.
    fn lose_power(&mut self) {
        for path in &self.unsynced_files {
            if path.exists() {
                std::fs::write(path, b"").unwrap();
            }
        }
        for undo in self.unsynced_folders.drain(..).rev() {
            match undo {
                Undo::Created(path) => drop(std::fs::remove_file(path)),
                Undo::Renamed(from, to, before) => {
                    if std::fs::create_dir_all(from.parent().unwrap()).is_ok() {
                        let _ = std::fs::rename(&to, from);
                    }
                    if let Some(before) = before {
                        std::fs::write(to, before).unwrap();
                    }
                }
                Undo::Removed(path, before) => {
                    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                    std::fs::write(path, before).unwrap();
                }
            }
        }
    }
}

fn options(disk: Disk) -> CheckpointOptions {
    CheckpointOptions { keep_last: 2, keep_best: 1, disk, ..Default::default() }
}

/// Saves as `how` says until the machine stops; returns the last step whose save returned.
fn train(folder: &Path, disk: &Disk, how: How) -> Option<i64> {
    let mut saved = None;
    let mut manager = CheckpointManager::open(folder, options(disk.clone())).ok()?;
    for step in ORDER {
        let result = match how {
            How::Whole => manager.save(&checkpoint(step)),
            How::Parts => save_parts(&mut manager, disk, step),
        };
        if result.is_ok() {
            saved = Some(step);
        }
    }
    saved
}

#[derive(Clone, Copy)]
enum How {
    Whole,
    Parts,
}

fn save_parts(manager: &mut CheckpointManager, disk: &Disk, step: i64) -> Result<Saved> {
    let Checkpoint { tensors, blobs, metric, .. } = checkpoint(step);
    let parts = manager.part_prefixes(step, tensors.len())?;
    for (part, (name, tensor)) in parts.iter().zip(&tensors) {
        let mut writer = BundleWriter::create_on(disk, part)?;
        writer.add(name, tensor)?;
        writer.finish()?;
    }
    manager.commit_parts(&parts, &Checkpoint { step, blobs, metric, ..Default::default() })
}

/// 3 is saved twice, as after going back.
const ORDER: [i64; 6] = [1, 2, 3, 4, 3, 5];

fn check(how: How, power_failure: bool) -> usize {
    let quick = Disk::with_faults(|_| Ok(()));
    for steps in 0.. {
        let folder = tempfile::tempdir().unwrap();
        // Durable before anything happens in it.
        let folder = folder.path().join("checkpoints");
        std::fs::create_dir(&folder).unwrap();
        let machine = Arc::new(Mutex::new(Machine { steps_left: steps, ..Default::default() }));
        let theirs = machine.clone();
        let disk = Disk::with_faults(move |step| theirs.lock().step(step));
        let saved = train(&folder, &disk, how);
        let stopped = machine.lock().stopped;
        if power_failure {
            machine.lock().lose_power();
        }
        let search = find_good(&folder).unwrap();
        let found = search.good.as_ref().map(|good| load(&good.prefix).unwrap());
        match (&found, saved) {
            (None, None) => {}
            (Some(found), _) => {
                let expected = checkpoint(found.step);
                assert_eq!(found.blobs, expected.blobs, "after {steps} steps");
                let values = |c: &Checkpoint| c.tensors["w"].as_slice::<f32>().unwrap().to_vec();
                assert_eq!(values(found), values(&expected), "after {steps} steps");
                if let Some(saved) = saved {
                    let place = |step| ORDER.iter().rposition(|s| *s == step).unwrap();
                    let first = ORDER.iter().position(|s| *s == saved).unwrap();
                    assert!(place(found.step) >= first, "{} after {saved}", found.step);
                }
            }
            (None, Some(saved)) => panic!("{saved} is lost after {steps} steps: {search:?}"),
        }
        assert!(search.damaged.is_empty(), "after {steps} steps: {search:?}");

        // The next process cleans up and goes on.
        let mut manager = CheckpointManager::open(&folder, options(quick.clone())).unwrap();
        let again = manager.latest_good().unwrap();
        assert_eq!(again.good, search.good, "after {steps} steps");
        manager.save(&checkpoint(9)).unwrap();
        assert_eq!(manager.latest_good().unwrap().good.unwrap().step, Some(9));
        no_litter(&folder, &manager);
        if !stopped {
            return steps;
        }
    }
    unreachable!("the training ends")
}

/// Every file belongs to a checkpoint that is kept.
fn no_litter(folder: &Path, manager: &CheckpointManager) {
    let kept: Vec<String> =
        manager.kept().iter().map(|p| p.file_name().unwrap().to_str().unwrap().into()).collect();
    for file in search::files_in(folder).unwrap() {
        let owner = kept.iter().find(|name| {
            file.strip_prefix(name.as_str())
                .is_some_and(|rest| rest == ".index" || rest.starts_with(".data-"))
        });
        let whole = !file.contains("tempstate");
        assert!(file == STATE_FILE || (owner.is_some() && whole), "{file} is left over");
    }
    assert!(kept.len() <= 3, "{kept:?}");
}

#[test]
fn killed_anywhere() {
    assert!(check(How::Whole, false) > 90);
}

#[test]
fn without_power_anywhere() {
    check(How::Whole, true);
}

#[test]
fn killed_anywhere_with_parts() {
    assert!(check(How::Parts, false) > 150);
}

#[test]
fn without_power_anywhere_with_parts() {
    check(How::Parts, true);
}
