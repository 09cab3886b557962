//! A store's snapshots on disk.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use downpour_params::{Store, write_snapshot};
use downpour_tensor::Result;

use super::values::DeviceValues;

/// Where snapshots go, and how often. What a restarted server loses is at most what came since the last.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// Always the latest whole one.
    pub file: PathBuf,
    /// How long between two.
    pub every: Duration,
}

/// How often a store without a snapshot is looked at: the first is written as soon as there are values, which
/// nobody may be there to give again.
const FIRST: Duration = Duration::from_millis(200);

/// Writes a snapshot whenever it is time and something has changed; never ends.
pub(super) async fn keep(store: Arc<Store<DeviceValues>>, snapshots: Snapshots) {
    let mut written = None;
    loop {
        let pause = if written.is_none() { FIRST.min(snapshots.every) } else { snapshots.every };
        tokio::time::sleep(pause).await;
        let updates = store.statistics().updates;
        if written != Some(updates) && save(store.clone(), snapshots.clone()).await {
            written = Some(updates);
        }
    }
}

/// Writes one now; says whether it could.
pub(super) async fn save(store: Arc<Store<DeviceValues>>, snapshots: Snapshots) -> bool {
    let write = move || -> Result<bool> {
        let Some(snapshot) = store.snapshot()? else { return Ok(false) };
        write_snapshot(&snapshot, &snapshots.file).map(|()| true)
    };
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
