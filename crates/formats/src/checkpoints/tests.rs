use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use downpour_disk::{Disk, DiskStep};
use downpour_tensor::{Code, Tensor};

use super::*;
use crate::bundle::{data_file, index_file};

pub(super) fn checkpoint(step: i64) -> Checkpoint {
    let mut out = Checkpoint { step, metric: Some((step % 3) as f64), ..Default::default() };
    let values: Vec<f32> = (0..50).map(|i| (i * step) as f32).collect();
    out.tensors.insert("w".into(), Tensor::vector(&values).unwrap());
    out.tensors.insert("global_step".into(), Tensor::scalar(step));
    out.blobs.insert("data".into(), format!("position {step}").into());
    out
}

fn steps_in(folder: &Path) -> Vec<i64> {
    let mut steps: Vec<i64> =
        search::bundles_in(folder).unwrap().iter().filter_map(|name| step_of(name)).collect();
    steps.sort();
    steps
}

fn options(keep_last: usize, keep_best: usize) -> CheckpointOptions {
    CheckpointOptions { keep_last, keep_best, ..Default::default() }
}

#[test]
fn the_last_and_the_best_are_kept_over_restarts() {
    let folder = tempfile::tempdir().unwrap();
    for step in 1..=7 {
        // Opened anew each time: what is known comes from the folder.
        let mut manager = CheckpointManager::open(folder.path(), options(2, 1)).unwrap();
        manager.save(&checkpoint(step)).unwrap();
    }
    // 5 has the highest of the metrics 1 2 0 1 2 0 1, and came later than 2.
    assert_eq!(steps_in(folder.path()), [5, 6, 7]);
    let mut manager = CheckpointManager::open(folder.path(), options(2, 1)).unwrap();
    let saved = manager.save(&checkpoint(8)).unwrap();
    assert_eq!(saved.removed.len(), 2);
    assert_eq!(steps_in(folder.path()), [7, 8]);
    let loaded = load(&saved.prefix).unwrap();
    assert_eq!((loaded.step, loaded.metric), (8, Some(2.0)));
    assert_eq!(loaded.blobs["data"], "position 8");
    assert_eq!(loaded.tensors.keys().collect::<Vec<_>>(), ["global_step", "w"]);
    let state = read_state(folder.path()).unwrap().unwrap();
    assert_eq!(state.all_model_checkpoint_paths, ["ckpt-7", "ckpt-8"]);
    assert_eq!(state.model_checkpoint_path, "ckpt-8");
}

#[test]
fn a_damaged_one_is_named_and_the_previous_used() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(find_good(&folder.path().join("absent")).unwrap(), Search::default());
    let mut manager = CheckpointManager::open(folder.path(), options(0, 0)).unwrap();
    let prefixes: Vec<String> =
        (1..=4).map(|step| manager.save(&checkpoint(step)).unwrap().prefix).collect();
    let data = data_file(&prefixes[3], 0, 1);
    let mut bytes = std::fs::read(&data).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&data, &bytes).unwrap();
    std::fs::write(index_file(&prefixes[2]), b"nonsense").unwrap();
    let search = manager.latest_good().unwrap();
    assert_eq!(search.good.unwrap().step, Some(2));
    let damaged: Vec<&str> = search.damaged.iter().map(|d| d.checkpoint.as_str()).collect();
    assert_eq!(damaged, [&prefixes[3], &prefixes[2]]);
    assert!(search.damaged[0].error.message().contains("checksum"));

    // Without a readable state file, what is there is found by its steps.
    std::fs::write(folder.path().join(STATE_FILE), b"\xff").unwrap();
    let search = find_good(folder.path()).unwrap();
    assert_eq!(search.good.unwrap().step, Some(2));
    assert_eq!(search.damaged.len(), 3);
    assert!(search.damaged[0].checkpoint.ends_with("/checkpoint"));
}

#[test]
fn a_folder_of_damaged_ones_is_not_taken_for_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(find_good(folder.path()).unwrap().usable().unwrap(), None);
    let mut manager = CheckpointManager::open(folder.path(), options(0, 0)).unwrap();
    let prefixes: Vec<String> =
        (1..=2).map(|step| manager.save(&checkpoint(step)).unwrap().prefix).collect();
    assert_eq!(manager.newest(), Some((2, prefixes[1].clone())));
    std::fs::write(index_file(&prefixes[1]), b"nonsense").unwrap();
    let found = find_good(folder.path()).unwrap().usable().unwrap();
    assert_eq!(found.unwrap().step, Some(1));
    std::fs::remove_file(data_file(&prefixes[0], 0, 1)).unwrap();
    let search = find_good(folder.path()).unwrap();
    assert!(search.is_all_damaged());
    let refused = search.usable().unwrap_err();
    assert_eq!(refused.code(), Code::DataLoss);
    for prefix in &prefixes {
        assert!(refused.message().contains(prefix), "{refused}");
    }
}

#[test]
fn the_state_file_decides_what_is_latest() {
    let folder = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(folder.path(), options(0, 0)).unwrap();
    for step in [10, 20, 30] {
        manager.save(&checkpoint(step)).unwrap();
    }
    let mut state = read_state(folder.path()).unwrap().unwrap();
    // Somebody goes back, with a path of where the folder once was.
    state.model_checkpoint_path = "/where/it/was/ckpt-10".into();
    write_state(&Disk::default(), folder.path(), &state).unwrap();
    assert_eq!(find_good(folder.path()).unwrap().good.unwrap().step, Some(10));
    // Training goes on from there; the older future is not the latest any more.
    let mut manager = CheckpointManager::open(folder.path(), options(3, 0)).unwrap();
    manager.save(&checkpoint(15)).unwrap();
    assert_eq!(find_good(folder.path()).unwrap().good.unwrap().step, Some(15));
    // A step that is reached again replaces the one before, under another name.
    let saved = manager.save(&checkpoint(30)).unwrap();
    assert!(saved.prefix.ends_with("ckpt.1-30"), "{}", saved.prefix);
    assert_eq!(load(&saved.prefix).unwrap().step, 30);
    assert_eq!(find_good(folder.path()).unwrap().good.unwrap().prefix, saved.prefix);
    assert!(!folder.path().join("ckpt-30.index").exists());
}

#[test]
fn parts_become_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(folder.path(), options(1, 0)).unwrap();
    for step in [5, 6] {
        let parts = manager.part_prefixes(step, 2).unwrap();
        for (i, part) in parts.iter().enumerate() {
            let mut writer = BundleWriter::create(part).unwrap();
            writer.add(&format!("v{i}"), &Tensor::scalar(i as i64 * step)).unwrap();
            writer.finish().unwrap();
        }
        let rest =
            Checkpoint { step, blobs: [("b".into(), "x".into())].into(), ..Default::default() };
        manager.commit_parts(&parts, &rest).unwrap();
    }
    let good = find_good(folder.path()).unwrap().good.unwrap();
    let loaded = load(&good.prefix).unwrap();
    assert_eq!(loaded.tensors["v1"].to_scalar::<i64>().unwrap(), 6);
    assert_eq!(loaded.blobs["b"], "x");
    let names = search::files_in(folder.path()).unwrap();
    let expected = [
        "checkpoint",
        "ckpt-6.data-00000-of-00003",
        "ckpt-6.data-00001-of-00003",
        "ckpt-6.data-00002-of-00003",
        "ckpt-6.index",
    ];
    assert_eq!(names, expected);
}

#[test]
fn names_of_others_are_left_alone_and_reserved_ones_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["ckpt-best.index", "notes.tempstate", "model-1.data-00000-of-00001"] {
        std::fs::write(folder.path().join(name), b"").unwrap();
    }
    std::fs::write(folder.path().join("ckpt-9.data-00000-of-00001"), b"left over").unwrap();
    let mut manager = CheckpointManager::open(folder.path(), options(1, 0)).unwrap();
    assert_eq!(search::files_in(folder.path()).unwrap().len(), 3);
    let mut bad = checkpoint(1);
    bad.tensors.insert(METRIC.into(), Tensor::scalar(1f32));
    assert_eq!(manager.save(&bad).unwrap_err().code(), Code::InvalidArgument);
    assert!(manager.save(&Checkpoint { step: -1, ..Default::default() }).is_err());
    assert!(
        CheckpointManager::open(
            folder.path(),
            CheckpointOptions { name: "../x".into(), ..Default::default() }
        )
        .is_err()
    );
    assert_eq!(search::files_in(folder.path()).unwrap().len(), 3);
}

#[test]
fn a_full_disk_costs_only_the_save_it_meets() {
    let folder = tempfile::tempdir().unwrap();
    let full = Arc::new(AtomicBool::new(false));
    let theirs = full.clone();
    let disk = Disk::with_faults(move |step| match step {
        DiskStep::Write { .. } if theirs.load(Ordering::Relaxed) => {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        _ => Ok(()),
    });
    let manager =
        CheckpointManager::open(folder.path(), CheckpointOptions { disk, ..options(2, 0) })
            .unwrap();
    let saver = BackgroundSaver::new(manager).unwrap();
    saver.save(checkpoint(1)).unwrap();
    saver.wait().unwrap();
    full.store(true, Ordering::Relaxed);
    saver.save(checkpoint(2)).unwrap();
    // Whoever only looks is told too, and once.
    let error = loop {
        match saver.check() {
            Err(error) => break error,
            Ok(()) => std::thread::yield_now(),
        }
    };
    assert_eq!(error.code(), Code::ResourceExhausted);
    for part in ["ckpt-2 was not saved", "needs about 208 bytes", "are free there", "Make room"] {
        assert!(error.message().contains(part), "{error}");
    }
    saver.wait().unwrap();
    saver.check().unwrap();
    assert_eq!(find_good(folder.path()).unwrap().good.unwrap().step, Some(1));
    full.store(false, Ordering::Relaxed);
    saver.save(checkpoint(3)).unwrap();
    let manager = saver.close().unwrap();
    assert_eq!(manager.latest_good().unwrap().good.unwrap().step, Some(3));
    assert_eq!(steps_in(folder.path()), [1, 3]);
    assert_eq!(search::files_in(folder.path()).unwrap().len(), 5);
}

#[test]
fn the_newest_of_those_that_wait_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(folder.path(), options(0, 0)).unwrap();
    // The disk says when it is reached, and stands still until told.
    let gate = Arc::new(parking_lot::Mutex::new(()));
    let (reached, wait_until_reached) = std::sync::mpsc::channel();
    let theirs = gate.clone();
    manager.use_disk(Disk::with_faults(move |_| {
        let _ = reached.send(());
        drop(theirs.lock());
        Ok(())
    }));
    let saver = BackgroundSaver::new(manager).unwrap();
    let held = gate.lock();
    assert_eq!(saver.save(checkpoint(1)).unwrap(), None);
    wait_until_reached.recv().unwrap();
    assert_eq!(saver.save(checkpoint(2)).unwrap(), None);
    assert_eq!(saver.save(checkpoint(3)).unwrap(), Some(2));
    assert!(!saver.wait_for(std::time::Duration::ZERO).unwrap());
    drop(held);
    saver.wait().unwrap();
    assert_eq!(saver.last_saved().unwrap().step, 3);
    assert_eq!(steps_in(folder.path()), [1, 3]);
    assert_eq!(find_good(folder.path()).unwrap().good.unwrap().step, Some(3));
}
