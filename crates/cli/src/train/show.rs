//! What a person sees of a run: its progress while it goes on, and the report after it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use downpour::comparison::Figures;
use downpour::progress::Display;
use downpour::record::{Outcome, Run, Tail, now};
use downpour::report;
use downpour_formats::io_error;
use downpour_tensor::{Result, Status};
use serde_json::{Value, json};

/// How often the run's files are looked at.
const GLANCE: Duration = Duration::from_millis(200);

/// A run being shown, by a thread that reads what its tasks write.
pub struct Shown {
    folder: PathBuf,
    over: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Shown {
    pub fn start(folder: &Path) -> Result<Shown> {
        let over = Arc::new(AtomicBool::new(false));
        let (theirs, run) = (over.clone(), folder.to_path_buf());
        let thread = std::thread::Builder::new()
            .name("progress".to_string())
            .spawn(move || follow(&run, &theirs))
            .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))?;
        Ok(Shown { folder: folder.to_path_buf(), over, thread })
    }

    /// The run is over: writes the report, and the result as JSON if that is wanted. The run as its tasks tell it.
    pub fn end(self, failed: Option<&str>, json: bool) -> Result<Run> {
        self.over.store(true, Ordering::Relaxed);
        if self.thread.join().is_err() {
            eprintln!("warning: the display of the run has failed; the run itself has not");
        }
        let cannot = |what: &str, path: &Path, e: std::io::Error| {
            Status::permission_denied(format!("cannot {what} {}: {e}", path.display()))
        };
        let run = Run::read(&self.folder).map_err(|e| cannot("read", &self.folder, e))?;
        let told = |text: &str| matches!(run.outcome(), Outcome::Failed { reason, .. } if text == format!("error: {reason}\n"));
        if let Some(text) = failed.filter(|text| !told(text)) {
            eprint!("{text}");
        }
        let path = self.folder.join("report.html");
        match std::fs::write(&path, report::html(&run)) {
            Ok(()) => eprintln!("  report       {}", path.display()),
            // Why the run has failed is more important, and may be the reason.
            Err(e) if failed.is_some() => {
                eprintln!("warning: cannot write {}: {e}", path.display());
            }
            Err(e) => return Err(io_error("write", &path, &e)),
        }
        if json {
            println!("{}", result(&run, &self.folder, failed));
        }
        Ok(run)
    }
}

fn follow(folder: &Path, over: &AtomicBool) {
    let (mut run, mut tail) = (Run::new(folder), Tail::new(folder));
    let mut display = Display::on_stderr();
    let mut last = false;
    loop {
        // What cannot be read now may be read at the next glance.
        drop(run.follow(&mut tail));
        if last {
            return display.finish(&run, now());
        }
        display.update(&run, now());
        last = over.load(Ordering::Relaxed);
        if !last {
            std::thread::sleep(GLANCE);
        }
    }
}

fn result(run: &Run, folder: &Path, failed: Option<&str>) -> Value {
    let metrics = run.metrics();
    let metrics: serde_json::Map<String, Value> =
        metrics.iter().map(|m| (m.name.clone(), json!(m.last().value))).collect();
    let mut result = json!({
        "run": folder.display().to_string(),
        "step": run.step(),
        "examples": run.examples(),
        "metrics": metrics,
        "checkpoint": run.last_checkpoint().map(|saved| saved.path.clone()),
        "report": folder.join("report.html").display().to_string(),
        "failed": failed,
    });
    let moved = Figures::of(run, run.name()).moved_json(run);
    if let (Some(result), Value::Object(moved)) = (result.as_object_mut(), moved) {
        result.extend(moved);
    }
    result
}
