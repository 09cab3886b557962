//! Whether the disk has room for what a run is going to write.
//!
//! A run that cannot save its last checkpoint is refused before its first step. One that has room for that but not for
//! all the checkpoints it is to keep begins with a warning: others may make room meanwhile.

use std::path::Path;

use downpour_formats::free_space;
use downpour_tensor::{Code, Result, Status};

use super::checkpoints::CheckpointPolicy;
use super::program::Program;
use super::strategy::{Placement, Way};
use super::trainer::Trainer;
use crate::amounts;
use crate::variable::Variable;

/// True for the error of a disk that is full, read-only or broken: trying again does not help.
pub(crate) fn is_of_disk(status: &Status) -> bool {
    matches!(status.code(), Code::ResourceExhausted | Code::PermissionDenied | Code::DataLoss)
}

/// Bytes that a run writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Needs {
    /// One checkpoint.
    least: u64,
    /// All files that are there at the same time.
    all: u64,
}

/// Looks at the disk of the run's folder; a warning if it is likely to become full.
///
/// # Errors
/// RESOURCE_EXHAUSTED if there is no room for one checkpoint.
pub(crate) fn check(
    trainer: &Trainer,
    placement: &Placement,
    program: &Program,
) -> Result<Option<String>> {
    let Some(folder) = &trainer.folder else { return Ok(None) };
    let free = match free_space(folder) {
        Ok(free) => free,
        Err(e) => {
            tracing::debug!("how much room {} has is not known: {e}", folder.display());
            return Ok(None);
        }
    };
    let served = placement.servers() > 0 && matches!(trainer.way(), Some(Way::Service(_)));
    let checkpoint = bytes_of(&program.graph.variables());
    let model = bytes_of(&program.graph.trainable_variables());
    // A snapshot is written beside the one that it replaces.
    let snapshots = if served { checkpoint.saturating_mul(2) } else { 0 };
    let saves = saves(&trainer.checkpoints, trainer.target_step);
    let needs = needs(&trainer.checkpoints, checkpoint, model.saturating_add(snapshots), saves);
    judge(folder, needs, free, bytes_in(&folder.join("checkpoints")))
}

/// How many checkpoints a run of so many steps saves, the last one included; unknown if that is up to the clock.
fn saves(policy: &CheckpointPolicy, steps: Option<i64>) -> u64 {
    match (policy.every_steps, policy.every, steps) {
        (Some(every), None, Some(steps)) => (steps / every.max(1)).max(0) as u64 + 1,
        (None, None, _) => 1,
        _ => u64::MAX,
    }
}

fn needs(policy: &CheckpointPolicy, checkpoint: u64, others: u64, saves: u64) -> Needs {
    // The oldest is removed when the newest is written.
    let kept = match policy.keep {
        0 => u64::MAX,
        keep => keep as u64 + 1 + u64::from(policy.keep_best.is_some()),
    };
    let all = match kept.min(saves) {
        // How many there will be is not known.
        u64::MAX => checkpoint,
        count => checkpoint.saturating_mul(count),
    };
    Needs { least: checkpoint, all: all.saturating_add(others) }
}

/// `present` bytes of earlier checkpoints make room for new ones.
fn judge(folder: &Path, needs: Needs, free: u64, present: u64) -> Result<Option<String>> {
    let (folder, room) = (folder.display(), amounts::bytes(free));
    if free < needs.least {
        return Err(Status::resource_exhausted(format!(
            "the disk of {folder} has {room} free, and a checkpoint alone needs {}: make room there, or choose another \
             folder",
            amounts::bytes(needs.least)
        )));
    }
    if free.saturating_add(present) < needs.all {
        return Ok(Some(format!(
            "the disk of {folder} has {room} free, and this run writes up to {} there: make room, or keep fewer \
             checkpoints; when the disk is full training ends",
            amounts::bytes(needs.all)
        )));
    }
    Ok(None)
}

fn bytes_of(variables: &[Variable]) -> u64 {
    let bytes = |variable: &Variable| {
        let elements = variable.shape().elements() as u64;
        elements.saturating_mul(variable.dtype().size() as u64)
    };
    variables.iter().map(bytes).fold(0, u64::saturating_add)
}

/// Bytes of the files in a folder; a file that goes meanwhile has none.
fn bytes_in(folder: &Path) -> u64 {
    let Ok(files) = std::fs::read_dir(folder) else { return 0 };
    let lengths = files.flatten().filter_map(|file| file.metadata().ok()).map(|file| file.len());
    lengths.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_without_room_for_a_checkpoint_is_refused_and_a_small_one_warned_of() {
        let policy =
            CheckpointPolicy { every_steps: Some(10), every: None, keep: 5, keep_best: None };
        assert_eq!([saves(&policy, Some(60)), saves(&policy, None)], [7, u64::MAX]);
        let needs = needs(&policy, 1000, 500, 7);
        assert_eq!(needs, Needs { least: 1000, all: 6500 });
        let judge = |free, present| judge(Path::new("runs/x"), needs, free, present);
        let refused = judge(999, 9000).unwrap_err();
        assert_eq!(refused.code(), Code::ResourceExhausted);
        assert!(refused.message().contains("runs/x"), "{refused}");
        assert!(judge(1000, 0).unwrap().is_some_and(|text| text.contains("keep fewer")));
        assert_eq!(judge(1000, 5500).unwrap(), None);
        assert_eq!(judge(6500, 0).unwrap(), None);
    }

    #[test]
    fn a_run_that_keeps_all_needs_what_its_steps_say() {
        let policy = CheckpointPolicy { keep: 0, ..CheckpointPolicy::default() };
        assert_eq!(needs(&policy, 10, 0, saves(&policy, Some(100))), Needs { least: 10, all: 10 });
        assert_eq!(needs(&policy, 10, 0, 4), Needs { least: 10, all: 40 });
    }
}
