//! The folder of a run.

use std::path::{Path, PathBuf};

use downpour_formats::checkpoints::find_good;
use downpour_formats::io_error;
use downpour_tensor::{Result, Status};

use super::job::Job;

/// The file that says what a run trains.
const JOB: &str = "job.toml";

/// A new folder for a job: `runs/NAME`, or `runs/NAME-2` and so on if that was used.
pub fn create(runs: &Path, job: &Job) -> Result<PathBuf> {
    let folder = make(runs, &job.name)?;
    write_job(&folder, job)?;
    Ok(folder)
}

/// A new folder: `runs/NAME`, or `runs/NAME-2` and so on if that was used.
pub fn make(runs: &Path, name: &str) -> Result<PathBuf> {
    let refused = |folder: &Path, e: std::io::Error| {
        Status::permission_denied(format!(
            "cannot make the folder {}: {e}\nhint: choose another place with --runs",
            folder.display()
        ))
    };
    std::fs::create_dir_all(runs).map_err(|e| refused(runs, e))?;
    let names = std::iter::once(name.to_string()).chain((2..).map(|i| format!("{name}-{i}")));
    for name in names {
        let folder = runs.join(name);
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => continue,
            Err(e) => return Err(refused(&folder, e)),
        }
    }
    Err(Status::internal("numbers do not run out"))
}

/// Writes down what the run trains.
pub fn write_job(folder: &Path, job: &Job) -> Result<()> {
    let path = folder.join(JOB);
    std::fs::write(&path, job.to_text()?)
        .map_err(|e| Status::permission_denied(format!("cannot write {}: {e}", path.display())))
}

/// The job of a run.
pub fn read_job(folder: &Path) -> Result<Job> {
    let path = folder.join(JOB);
    let text = std::fs::read_to_string(&path).map_err(|e| {
        Status::not_found(format!(
            "{} is not the folder of a run: cannot read {}: {e}\nhint: `downpour train --resume` alone goes on with \
             the latest run",
            folder.display(),
            path.display()
        ))
    })?;
    Job::parse(&text, &path.display().to_string())
}

/// Moves the checkpoints of a run aside if all of them are damaged; where they are then.
pub fn discard_damaged(folder: &Path) -> Result<Option<PathBuf>> {
    let checkpoints = folder.join("checkpoints");
    if !find_good(&checkpoints)?.is_all_damaged() {
        return Ok(None);
    }
    let names = (1..).map(|number| format!("checkpoints-damaged-{number}"));
    let aside = names.map(|name| folder.join(name)).find(|path| !path.exists());
    let aside = aside.ok_or_else(|| Status::internal("numbers do not run out"))?;
    std::fs::rename(&checkpoints, &aside).map_err(|e| io_error("move", &checkpoints, &e))?;
    Ok(Some(aside))
}

/// The run that was begun or resumed last.
pub fn latest(runs: &Path) -> Result<PathBuf> {
    let none = || {
        Status::not_found(format!(
            "there is no run in {} to resume\nhint: `downpour train` begins one",
            runs.display()
        ))
    };
    let entries = std::fs::read_dir(runs).map_err(|_| none())?;
    let dated = entries.flatten().filter_map(|entry| {
        let when = std::fs::metadata(entry.path().join(JOB)).ok()?.modified().ok()?;
        Some((when, entry.path()))
    });
    dated.max().map(|(_, path)| path).ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use downpour_formats::checkpoints::{Checkpoint, CheckpointManager};
    use downpour_tensor::Tensor;

    use super::*;
    use crate::train::ready;

    #[test]
    fn folders_are_numbered_and_the_latest_is_found() {
        let runs = tempfile::tempdir().unwrap();
        assert!(latest(runs.path()).unwrap_err().message().contains("no run"));
        let mut job = ready::open(ready::DEFAULT).unwrap();
        let first = create(runs.path(), &job).unwrap();
        assert_eq!(first, runs.path().join("mnist-mlp"));
        job.train.steps = 77;
        let second = create(runs.path(), &job).unwrap();
        assert_eq!(second, runs.path().join("mnist-mlp-2"));
        assert_eq!(read_job(&second).unwrap().train.steps, 77);
        write_job(&first, &job).unwrap();
        // Some file systems count time in whole seconds.
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
        let file = std::fs::File::options().append(true).open(first.join(JOB)).unwrap();
        file.set_modified(later).unwrap();
        assert_eq!(latest(runs.path()).unwrap(), first);
        let refused = read_job(runs.path()).unwrap_err();
        assert!(refused.message().contains("is not the folder of a run"), "{refused}");
    }

    #[test]
    fn only_checkpoints_that_are_all_damaged_are_moved_aside() {
        let run = tempfile::tempdir().unwrap();
        assert_eq!(discard_damaged(run.path()).unwrap(), None);
        let checkpoints = run.path().join("checkpoints");
        let mut manager = CheckpointManager::open(&checkpoints, Default::default()).unwrap();
        let index = |step: i64| {
            let mut checkpoint = Checkpoint { step, ..Checkpoint::default() };
            checkpoint.tensors.insert("w".into(), Tensor::scalar(1.0f32));
            manager.save(&checkpoint).unwrap().prefix + ".index"
        };
        let indices: Vec<String> = [1, 2].map(index).into();
        std::fs::write(&indices[1], "").unwrap();
        assert_eq!(discard_damaged(run.path()).unwrap(), None);
        std::fs::write(&indices[0], "").unwrap();
        let aside = discard_damaged(run.path()).unwrap().unwrap();
        assert!(aside.join("ckpt-1.index").exists() && !checkpoints.exists());
    }
}
