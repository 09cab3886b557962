//! Watches a target from another thread: one input may take only so long, and the process only so much memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Against inputs that never end. Inputs take milliseconds; this is generous for a busy machine.
const LONGEST: Duration = Duration::from_secs(120);
/// Targets set a limit for tensors far below this.
const MOST_MEMORY_MIB: u64 = 2048;

/// Milliseconds after the start at which the current input began, plus one; 0 between inputs.
static BEGAN: AtomicU64 = AtomicU64::new(0);

/// Starts the watch; it ends the process when a limit is passed, after `say` has been told why.
pub fn start(say: impl Fn(&str) + Send + 'static) -> Watch {
    let watch = Watch { start: Instant::now() };
    let start = watch.start;
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let began = BEGAN.load(Relaxed);
            let now = start.elapsed().as_millis() as u64;
            if began > 0 && now.saturating_sub(began) > LONGEST.as_millis() as u64 {
                say(&format!("an input takes longer than {} s", LONGEST.as_secs()));
                std::process::abort();
            }
            if memory_mib().is_some_and(|used| used > MOST_MEMORY_MIB) {
                say(&format!("more than {MOST_MEMORY_MIB} MiB of memory are in use"));
                std::process::abort();
            }
        }
    });
    watch
}

/// Tells the watch when inputs begin and end.
pub struct Watch {
    start: Instant,
}

impl Watch {
    /// An input begins.
    pub fn begin(&self) {
        BEGAN.store(self.start.elapsed().as_millis() as u64 + 1, Relaxed);
    }

    /// An input has ended.
    pub fn end(&self) {
        BEGAN.store(0, Relaxed);
    }
}

/// Resident memory of this process, where the system tells it.
fn memory_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? >> 10)
}
