//! Any bytes as a SavedModel's file: a model that can be frozen or not and written again, or an error.

use std::sync::LazyLock;

use downpour_formats::BundleWriter;
use downpour_formats::saved_model::{SavedModel, freeze};
use downpour_tensor::Tensor;

/// A folder with values of variables, so that there is something to restore.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    downpour_tensor::set_memory_limit(16 << 20);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let prefix = folder.path().join("variables/variables").to_string_lossy().into_owned();
    let mut writer = BundleWriter::create(&prefix).expect("the folder is ours");
    for name in ["w", "v"] {
        writer.add(name, &Tensor::scalar(1f32)).expect("the folder is ours");
    }
    writer.finish().expect("the folder is ours");
    folder
});

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let Ok(file) = SavedModel::decode(FOLDER.path(), data.to_vec().into()) else { return };
    for tags in file.tags() {
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        let Ok(model) = file.model(&tags) else { continue };
        let outputs = model.signatures.values().flat_map(|signature| signature.outputs.values());
        let outputs: Vec<&str> = outputs.map(|spec| spec.name.as_str()).collect();
        let _ = freeze(&model.graph, &model.variables, &outputs);
        let place = tempfile::tempdir_in(FOLDER.path()).expect("the folder is ours");
        let _ = model.save(place.path());
    }
}
