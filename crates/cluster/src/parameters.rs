//! The variable store's second door: the parameter service of a task.
//!
//! Workers push gradients and pull parameters here (see `downpour_params` for the protocol); graphs reach the
//! same variables through sessions. How gradients change variables is a graph too, which the workers send: the
//! optimizers of the library, with their slots and schedules, and no second set of formulas.

mod cuts;
mod program;
mod values;

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use downpour_coordinator::Ledger;
use downpour_params::{
    Compute, ConnectionLimits, Lead, Limits, Recovered, Shard, Statistics, Store, Stream, lead,
};
use downpour_runtime::{Device, Registry};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::network::{Connection, Dialer};
use cuts::FolderCuts;
pub use cuts::{Leader, Snapshots};
pub use program::{GradientInput, UpdateProgram};
use values::DeviceValues;

/// A task's parameter service.
pub struct Parameters {
    store: Arc<Store<DeviceValues>>,
    compute: Arc<dyn Compute>,
    /// Has the others take snapshots and go back, if this server leads them.
    leads: Mutex<Option<Lead>>,
    recovered: Arc<Mutex<Vec<Recovered>>>,
}

/// Updates wait for the compute threads that make them, so they wait on threads of their own.
struct Waiting;

impl Compute for Waiting {
    fn run(&self, work: Box<dyn FnOnce() + Send>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async {
            if let Err(e) = tokio::task::spawn_blocking(work).await {
                tracing::error!("an update has panicked: {e}");
            }
        })
    }
}

/// Tasks of the service that end when this is dropped.
pub(crate) struct Keeping(Vec<tokio::task::JoinHandle<()>>);

impl Drop for Keeping {
    fn drop(&mut self) {
        self.0.iter().for_each(|task| task.abort());
    }
}

impl Parameters {
    pub(crate) fn new(
        registry: Arc<Registry>,
        device: Arc<Device>,
        limits: Limits,
        snapshots: Option<Snapshots>,
        leads: Option<Vec<Shard>>,
    ) -> Result<Parameters> {
        let incarnation = device.incarnation();
        let values = DeviceValues::new(registry, device);
        let store = Arc::new(Store::new(values, limits, incarnation));
        let recovered = Arc::<Mutex<Vec<Recovered>>>::default();
        let mut lead = None;
        if let Some(Snapshots { file, leader }) = snapshots {
            let files = Arc::new(FolderCuts::new(&file));
            match leader {
                Leader::FirstServer { every } => {
                    store.recover_with(files)?;
                    let told = recovered.clone();
                    let tell = Arc::new(move |recovery| told.lock().push(recovery));
                    let start = incarnation;
                    lead = leads.map(|servers| Lead { servers, every, start, tell });
                }
                Leader::Coordinator => {
                    if let Some(version) = store.go_on_from(files, Instant::now())? {
                        tracing::info!("going on from a snapshot after {version} updates");
                    }
                }
            }
        }
        let (compute, leads) = (Arc::new(Waiting), Mutex::new(lead));
        Ok(Parameters { store, compute, leads, recovered })
    }

    /// Takes the recoveries that this server has led since the last call.
    pub fn take_recovered(&self) -> Vec<Recovered> {
        std::mem::take(&mut self.recovered.lock())
    }

    pub(crate) async fn serve(
        &self,
        stream: Connection,
        limits: &ConnectionLimits,
        greeted: impl FnOnce(),
    ) -> io::Result<()> {
        let (store, compute) = (self.store.clone(), self.compute.clone());
        downpour_params::serve_within(stream, store, compute, limits, greeted).await
    }

    /// What has happened so far; none before variables have values.
    pub fn statistics(&self) -> Option<Statistics> {
        self.store.is_ready().then(|| self.store.statistics())
    }

    /// The positions of leased data that are in the variables.
    pub fn positions(&self) -> Ledger {
        self.store.positions()
    }

    /// Starts the background tasks: the watch for silent workers, and the lead of the other servers.
    pub(crate) fn keep(&self) -> Keeping {
        let (store, compute) = (self.store.clone(), self.compute.clone());
        let every = Limits::watch(store.limits().silence);
        let mut tasks = vec![tokio::spawn(downpour_params::keep_watch(store, compute, every))];
        tasks.extend(self.leads.lock().take().map(|leads| tokio::spawn(lead(leads))));
        Keeping(tasks)
    }

    /// Why the last snapshot could not be written, if so.
    pub(crate) fn snapshot_error(&self) -> Option<Status> {
        self.store.cut_error()
    }
}

/// The way to the parameter service of a task.
pub fn parameter_server(dialer: &Arc<Dialer>, name: &str, address: &str) -> Shard {
    let (dialer, target) = (dialer.clone(), address.to_string());
    let connect = move || {
        let (dialer, target) = (dialer.clone(), target.clone());
        let connecting = async move {
            let stream = dialer.connect_link(&target).await?;
            Ok(Box::new(stream) as Box<dyn Stream>)
        };
        Box::pin(connecting) as Pin<Box<dyn Future<Output = _> + Send>>
    };
    Shard { name: format!("{name} at {address}"), connect: Arc::new(connect) }
}
