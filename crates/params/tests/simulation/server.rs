//! A server: a store, its connections, its snapshots on a disk that outlives it.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use downpour_params::{Compute, Limits, Mode, Snapshot, Store, keep_watch, serve};
use downpour_simulation::Random;
use downpour_tensor::Result;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::check;
use crate::process::Process;
use crate::trace::Trace;
use crate::values::{TracedValues, ids_of, position_of};
use crate::wire::End;

type Traced = Arc<Store<TracedValues>>;

pub struct Server {
    pub index: usize,
    pub mode: Mode,
    pub workers: u32,
    pub limits: Limits,
    pub snapshot_every: Duration,
    pub trace: Arc<Trace>,
    pub random: Mutex<Random>,
    pub disk: Mutex<Option<Vec<u8>>>,
    pub running: Mutex<Option<(Process, Traced)>>,
    pub starts: Mutex<u64>,
    /// Snapshots that were taken, and the newest that is on the disk.
    pub taken: Mutex<(u64, u64)>,
}

/// Computes after a while, whether or not the connection that has asked is still there.
struct Later {
    process: Process,
    random: Mutex<Random>,
}

impl Compute for Later {
    fn run(&self, work: Box<dyn FnOnce() + Send>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let time = self.random.lock().millis(0, 4);
        let (done, wait) = oneshot::channel::<()>();
        self.process.spawn(async move {
            tokio::time::sleep(time).await;
            work();
            drop(done);
        });
        Box::pin(async move { drop(wait.await) })
    }
}

impl Server {
    pub fn store(&self) -> Option<Traced> {
        self.running.lock().as_ref().map(|(_, store)| store.clone())
    }

    pub fn process(&self) -> Option<Process> {
        self.running.lock().as_ref().map(|(process, _)| process.clone())
    }

    /// Starts it with what is on its disk.
    pub fn start(self: &Arc<Server>) {
        let number = {
            let mut starts = self.starts.lock();
            *starts += 1;
            *starts
        };
        let process = Process::default();
        let values = TracedValues::new(self.index, number, self.mode, self.trace.clone());
        let store = Arc::new(Store::new(values, self.limits, number));
        drop(store.values().store.set(Arc::downgrade(&store)));
        let disk = self.disk.lock().clone();
        let restored = match disk.map(|file| Snapshot::read_from(&mut &file[..])) {
            None => {
                self.trace.with(|seen| seen.blank.insert((self.index, number)));
                Vec::new()
            }
            Some(Ok(snapshot)) => {
                let value = |name: &str| snapshot.values.iter().find(|(n, _)| n == name);
                let ids = ids_of(value("ids").map(|(_, value)| value));
                let last = |worker: u32| {
                    let position = ids_of(value(&position_of(worker)).map(|(_, value)| value));
                    (worker, position.get(1).copied().unwrap_or(-1))
                };
                let positions: Vec<(u32, i64)> = (0..self.workers).map(last).collect();
                check::restored(&self.trace, self.index, &ids, &positions);
                let mut known = ids.clone();
                known.extend(positions.iter().map(|(_, id)| *id));
                self.trace.with(|seen| {
                    seen.starts.entry((self.index, number)).or_default().restored = known;
                });
                self.trace.with(|seen| seen.restoring = true);
                if let Err(e) = store.restore(snapshot, Instant::now()) {
                    self.trace.violated(format!("a snapshot is refused: {e}"));
                }
                self.trace.with(|seen| seen.restoring = false);
                ids
            }
            Some(Err(e)) => {
                self.trace.violated(format!("a snapshot cannot be read: {e}"));
                Vec::new()
            }
        };
        self.trace.with(|seen| {
            let start = seen.starts.entry((self.index, number)).or_default();
            start.restored = restored.clone();
            start.began = Some(Instant::now());
        });
        self.trace.say(format!(
            "server {} start {number}: begins with {} pushes, ready: {}",
            self.index,
            restored.len(),
            store.is_ready()
        ));
        let server = Arc::downgrade(self);
        store.keep_with(Box::new(move |make| match server.upgrade() {
            Some(server) => server.keep_at_once(make),
            None => Ok(()),
        }));
        let compute = Arc::new(Later {
            process: process.clone(),
            random: Mutex::new(self.random.lock().fork()),
        });
        process.spawn(keep_watch(store.clone(), compute, Duration::from_millis(300)));
        process.spawn(self.clone().keep_snapshots(store.clone()));
        *self.running.lock() = Some((process, store));
    }

    async fn keep_snapshots(self: Arc<Server>, store: Traced) {
        loop {
            tokio::time::sleep(self.snapshot_every).await;
            let number = self.next_snapshot();
            let snapshot = match store.snapshot() {
                Ok(Some(snapshot)) => snapshot,
                Ok(None) => continue,
                Err(e) => return self.trace.violated(format!("no snapshot: {e}")),
            };
            let mut file = Vec::new();
            if let Err(e) = snapshot.write_to(&mut file) {
                return self.trace.violated(format!("a snapshot cannot be written: {e}"));
            }
            // It is whole on the disk after a while; until then the old one counts.
            let time = self.random.lock().millis(0, 200);
            tokio::time::sleep(time).await;
            self.trace.say(format!("server {}: snapshot {}", self.index, snapshot.version));
            self.write(number, file);
        }
    }

    fn next_snapshot(&self) -> u64 {
        let mut taken = self.taken.lock();
        taken.0 += 1;
        taken.0
    }

    /// An older one does not overwrite a newer one.
    fn write(&self, number: u64, file: Vec<u8>) {
        let mut taken = self.taken.lock();
        if number > taken.1 {
            taken.1 = number;
            *self.disk.lock() = Some(file);
        }
    }

    fn keep_at_once(&self, make: &dyn Fn() -> Result<Option<Snapshot>>) -> Result<()> {
        let number = self.next_snapshot();
        let Some(snapshot) = make()? else { return Ok(()) };
        let mut file = Vec::new();
        snapshot.write_to(&mut file)?;
        let (epoch, prepared) = (snapshot.placed.epoch, snapshot.prepared.map(|to_be| to_be.id));
        self.trace
            .say(format!("server {}: writes down {epoch}, prepared {prepared:?}", self.index));
        self.write(number, file);
        Ok(())
    }

    /// A connection has come; false if nobody is there.
    pub fn accept(&self, stream: End) -> bool {
        let Some((process, store)) = self.running.lock().clone() else { return false };
        let compute = Arc::new(Later {
            process: process.clone(),
            random: Mutex::new(self.random.lock().fork()),
        });
        process.spawn(async move { drop(serve(stream, store, compute).await) });
        true
    }

    pub fn kill(&self) {
        if let Some((process, _)) = self.running.lock().take() {
            process.kill();
        }
    }

    /// Writes down who is out, and who has come.
    pub fn look(&self) {
        let Some(store) = self.store() else { return };
        let start = store.values().start;
        let members = store.members();
        self.trace.with(|seen| {
            for member in members {
                let newest = seen.newest.entry((self.index, start, member.worker)).or_default();
                *newest = (*newest).max(member.incarnation);
                if member.gone {
                    seen.fenced.insert((self.index, start, member.worker, member.incarnation));
                }
            }
        });
    }
}
