//! A store's snapshots on disk.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use downpour_params::{Keeper, Snapshot, Store, write_snapshot};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::values::DeviceValues;

/// Where snapshots go, and how often. What a restarted server loses is at most what came since the last.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// Always the latest whole one; where servers take them together, what the files of cuts are called after.
    pub file: PathBuf,
    /// How long between two.
    pub every: Duration,
    /// All parameter servers take them together, and go back together when one of them has died.
    pub together: bool,
}

/// Writes snapshots one after the other: none overwrites one that was made later.
pub(super) struct Writer {
    snapshots: Snapshots,
    writing: Mutex<()>,
    /// Why the last one could not be written.
    failed: Mutex<Option<Status>>,
}

impl Writer {
    pub fn new(snapshots: Snapshots) -> Arc<Writer> {
        Arc::new(Writer { snapshots, writing: Mutex::new(()), failed: Mutex::default() })
    }

    pub fn snapshots(&self) -> &Snapshots {
        &self.snapshots
    }

    pub fn failed(&self) -> Option<Status> {
        self.failed.lock().clone()
    }

    /// Makes one and writes it; says whether there was something.
    fn write(&self, make: &dyn Fn() -> Result<Option<Snapshot>>) -> Result<bool> {
        let _one = self.writing.lock();
        let Some(snapshot) = make()? else { return Ok(false) };
        let written = write_snapshot(&snapshot, &self.snapshots.file);
        *self.failed.lock() = written.as_ref().err().cloned();
        written.map(|()| true)
    }

    /// For moves, which are written down before they happen.
    pub fn keeper(self: &Arc<Self>) -> Keeper {
        let writer = self.clone();
        Box::new(move |make| writer.write(make).map(drop))
    }
}

/// How often a store without a snapshot is looked at: the first is written as soon as there are values, which
/// nobody may be there to give again.
const FIRST: Duration = Duration::from_millis(200);

/// Writes a snapshot whenever it is time and something has changed; never ends.
pub(super) async fn keep(store: Arc<Store<DeviceValues>>, writer: Arc<Writer>) {
    let every = writer.snapshots().every;
    let mut written = None;
    loop {
        let pause = if written.is_none() { FIRST.min(every) } else { every };
        tokio::time::sleep(pause).await;
        let state = (store.statistics().updates, store.placed().epoch);
        if written != Some(state) && save(store.clone(), writer.clone()).await {
            written = Some(state);
        }
    }
}

/// Writes one now; says whether it could.
pub(super) async fn save(store: Arc<Store<DeviceValues>>, writer: Arc<Writer>) -> bool {
    let write = move || writer.write(&|| store.snapshot());
    match tokio::task::spawn_blocking(write).await {
        Ok(Ok(written)) => written,
        Ok(Err(e)) => {
            tracing::warn!("{e}; the one before it stays");
            false
        }
        Err(e) => {
            tracing::error!("writing a snapshot has panicked: {e}");
            false
        }
    }
}
