//! The coordinator's door: who takes part in training and which data each works on, on a task's one port.
//!
//! What travels is described in `downpour_coordinator::door`. The coordinator waits for its disk, so it is called where waiting is allowed, and a thread of its own lets time
//! pass for it.

mod client;

use std::path::PathBuf;
use std::sync::Arc;

use downpour_coordinator::{Config, Coordinator, FileStorage, Service, SyncPolicy};
use downpour_tensor::{Result, Status};
use tokio::sync::watch;

pub use client::CoordinatorClient;
pub(crate) use downpour_coordinator::door::{MAGIC, serve_within};

/// A coordinator this task hosts.
#[derive(Clone, Debug)]
pub struct Hosted {
    /// Where its log is: a coordinator that is started again goes on where it was.
    pub log: PathBuf,
    /// How patient it is.
    pub config: Config,
}

/// A running coordinator. It ends when this is dropped.
pub(crate) struct Coordination {
    service: Service,
    /// Why it has ended.
    failed: watch::Receiver<Option<Status>>,
    /// The thread that lets time pass ends with this.
    _ends: Arc<watch::Sender<()>>,
}

impl Coordination {
    /// Goes on from the log, or begins one.
    pub fn start(hosted: &Hosted) -> Result<Coordination> {
        let folder = hosted.log.parent().unwrap_or(std::path::Path::new("."));
        std::fs::create_dir_all(folder).map_err(|e| {
            Status::permission_denied(format!(
                "cannot keep the coordinator's log in {}: {e}",
                folder.display()
            ))
        })?;
        let storage = FileStorage::open(&hosted.log, SyncPolicy::Always)?;
        let config = hosted.config.clone();
        let service = Service::open(move |now| Coordinator::open(Box::new(storage), config, now))?;
        let (ends, mut ended) = watch::channel(());
        let (fail, failed) = watch::channel(None);
        let ticking = service.clone();
        // It writes to the disk: not on a thread that carries messages.
        let passing_time = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
            let result = match runtime {
                Ok(runtime) => runtime.block_on(async {
                    tokio::select! {
                        failed = ticking.run() => failed,
                        _ = ended.changed() => Ok(()),
                    }
                }),
                Err(e) => Err(Status::internal(format!("the coordinator has no clock: {e}"))),
            };
            if let Err(status) = result {
                drop(fail.send(Some(status)));
            }
        };
        std::thread::Builder::new()
            .name("coordinator".to_string())
            .spawn(passing_time)
            .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))?;
        Ok(Coordination { service, failed, _ends: Arc::new(ends) })
    }

    pub fn service(&self) -> Service {
        self.service.clone()
    }

    /// Comes back when the coordinator cannot go on, with why.
    pub async fn failed(&self) -> Status {
        let mut failed = self.failed.clone();
        let known = failed.wait_for(Option::is_some).await.ok().and_then(|status| status.clone());
        match known {
            Some(status) => status,
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests;
