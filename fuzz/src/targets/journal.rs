//! Any bytes as what a task has told about a run: a report, a comparison and a summary of it, whatever was told.

use std::sync::LazyLock;

use downpour::comparison::Comparison;
use downpour::progress::summary;
use downpour::record::Run;
use downpour::report;

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::create_dir(folder.path().join("tasks")).expect("the folder is ours");
    folder
});

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    // The first byte says whose file it is: tasks of different jobs are shown differently.
    let Some((&kind, lines)) = data.split_first() else { return };
    let tasks = FOLDER.path().join("tasks");
    for name in ["worker-0", "ps-0", "coordinator-0", "local"] {
        let _ = std::fs::remove_file(tasks.join(format!("{name}.jsonl")));
    }
    let name = ["worker-0", "ps-0", "coordinator-0", "local"][usize::from(kind % 4)];
    std::fs::write(tasks.join(format!("{name}.jsonl")), lines).expect("the folder is ours");
    let read = || Run::read(FOLDER.path()).expect("lines that mean nothing are passed over");
    let run = read();
    report::html(&run);
    summary::text(&run);
    let comparison = Comparison::new(vec![run, read()]);
    report::comparison(&comparison);
    comparison.text();
    comparison.json();
}
