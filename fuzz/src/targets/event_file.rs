//! Any bytes as an event file, and as an event in a well-made one: a summary, or an error.

use std::sync::LazyLock;

use downpour_formats::events::{EventReader, summarize};
use downpour_formats::tfrecord::RecordWriter;

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    downpour_tensor::set_memory_limit(16 << 20);
    tempfile::tempdir().expect("a folder can be made")
});

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let mut reader = EventReader::new(data, "fuzz");
    while let Ok(Some(_)) = reader.next_event() {}

    let mut writer = RecordWriter::new(Vec::new(), Default::default());
    writer.write(data).expect("memory takes everything");
    let path = FOLDER.path().join("events");
    std::fs::write(&path, writer.finish().expect("memory takes everything")).expect("the folder is ours");
    let _ = summarize(&path);
}
