//! Simulated time for programs that compute on threads of their own.
//!
//! Tokio's paused clock leaps ahead whenever the runtime has nothing to do, and it does not see what compute threads are
//! doing. So leaping is switched off, by a blocking task that lasts as long as the test, and time is moved on a little
//! with every beat of a real clock. A machine under load beats slower, for both.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;

/// A real beat.
const BEAT: Duration = Duration::from_millis(1);

/// How much simulated time passes with a beat.
#[derive(Clone)]
pub struct Pace(Arc<AtomicU64>);

impl Pace {
    /// Sets the simulated milliseconds of a beat.
    pub fn set(&self, millis: u64) {
        self.0.store(millis, Ordering::Relaxed);
    }
}

/// Runs a test in simulated time.
pub fn run<F: Future>(test: impl FnOnce(Pace) -> F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime of one thread");
    let output = runtime.block_on(async {
        let (held, hold) = std::sync::mpsc::channel::<()>();
        let no_leaps = tokio::task::spawn_blocking(move || hold.recv().is_err());
        let (beat, mut beats) = mpsc::channel(1);
        std::thread::spawn(move || {
            while beat.blocking_send(()).is_ok() {
                std::thread::sleep(BEAT);
            }
        });
        let pace = Pace(Arc::new(AtomicU64::new(20)));
        let ticking = pace.clone();
        let ticking = tokio::spawn(async move {
            while beats.recv().await.is_some() {
                let millis = ticking.0.load(Ordering::Relaxed);
                tokio::time::advance(Duration::from_millis(millis)).await;
            }
        });
        let output = test(pace).await;
        ticking.abort();
        drop(held);
        let _ = no_leaps.await;
        output
    });
    runtime.shutdown_background();
    output
}
