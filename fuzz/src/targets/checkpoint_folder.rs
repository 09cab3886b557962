//! Any bytes as a folder's `checkpoint` file: its checkpoints are found or it is called damaged, and new ones can be saved.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use downpour_formats::checkpoints::{
    Checkpoint, CheckpointManager, CheckpointOptions, STATE_FILE, find_good, read_state,
};
use downpour_tensor::Tensor;

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    downpour_tensor::set_memory_limit(16 << 20);
    tempfile::tempdir().expect("a folder can be made")
});

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let folder = tempfile::tempdir_in(FOLDER.path()).expect("the folder is ours");
    let path = folder.path();
    let tensors = BTreeMap::from([("w".to_string(), Tensor::scalar(1f32))]);
    let checkpoint = |step| Checkpoint { step, tensors: tensors.clone(), ..Default::default() };
    let mut manager =
        CheckpointManager::open(path, CheckpointOptions::default()).expect("the folder is ours");
    manager.save(&checkpoint(7)).expect("the folder is ours");
    std::fs::write(path.join(STATE_FILE), data).expect("the folder is ours");
    let _ = read_state(path);
    let _ = find_good(path);
    let Ok(mut manager) = CheckpointManager::open(path, CheckpointOptions::default()) else {
        return;
    };
    let _ = manager.latest_good();
    manager.save(&checkpoint(8)).expect("a new checkpoint can be saved");
    let found = find_good(path).expect("a folder with a good checkpoint can be searched");
    assert!(found.good.is_some(), "the new checkpoint is not found");
}
