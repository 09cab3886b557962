//! A process that saves is stopped before every single step it takes on the disk, by a kill (what was
//! done stays) and by a power failure (what was not synced is kept, lost or torn): the folder always offers the
//! last checkpoint whose save had returned, or a newer one, whole; and nothing is left lying about.

use std::path::Path;

use downpour_disk::Disk;
use downpour_simulation::{Random, SimulatedDisk, temporary_folder};

use super::tests::checkpoint;
use super::*;
use crate::bundle::BundleWriter;

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

fn check(how: How, power_failure: bool) -> u64 {
    let quick = Disk::with_faults(|_| Ok(()));
    for steps in 0.. {
        let root = temporary_folder();
        let folder = root.path().join("checkpoints");
        let simulated = SimulatedDisk::new(root.path(), Random::new(steps));
        simulated.die_after(steps);
        let saved = train(&folder, &simulated.disk(), how);
        let stopped = simulated.is_dead();
        if power_failure {
            simulated.lose_power();
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
