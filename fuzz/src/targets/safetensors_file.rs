//! Any bytes as a safetensors file, and as the header of one: tensors, or an error.

use std::sync::LazyLock;

use downpour_formats::safetensors;

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    downpour_tensor::set_memory_limit(16 << 20);
    tempfile::tempdir().expect("a folder can be made")
});

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let path = FOLDER.path().join("file");
    std::fs::write(&path, data).expect("the folder is ours");
    let _ = safetensors::read(&path);
    let mut file = (data.len() as u64).to_le_bytes().to_vec();
    file.extend(data);
    file.extend([0; 64]);
    std::fs::write(&path, file).expect("the folder is ours");
    if let Ok(tensors) = safetensors::read(&path) {
        safetensors::write(&path, &tensors, &Default::default()).expect("what was read can be written");
        assert_eq!(safetensors::read(&path).expect("it is well made").len(), tensors.len());
    }
}
