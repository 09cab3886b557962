//! A coordinator and parameter servers, both of which die and come back.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use downpour_coordinator::message::{CreateDataset, DatasetSpec, Request, RequestKind, Response};
use downpour_coordinator::{Config, Coordinator, MemoryStorage};
use downpour_params::{
    Compute, Connect, CutFiles, Lead, Limits, Shard, Snapshot, Store, Stream, keep_watch, lead,
    serve,
};
use downpour_simulation::Random;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use tokio::io::duplex;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::values::{Counts, EXAMPLES};

pub const BATCH: u64 = 10;
pub const LIMITS: Limits =
    Limits { silence: Duration::from_secs(4), wait: Duration::from_millis(500) };

/// The coordinator, and what it has on disk.
pub struct Planner {
    storage: MemoryStorage,
    running: Mutex<Option<Coordinator>>,
    begin: Instant,
    random: Mutex<Random>,
    /// Of a thousand messages so many are lost.
    loss: u64,
}

impl Planner {
    pub fn new(mut random: Random) -> Planner {
        let loss = random.below(80);
        let (storage, running) = (MemoryStorage::new(), Mutex::new(None));
        Planner { storage, running, begin: Instant::now(), random: Mutex::new(random), loss }
    }

    pub fn now(&self) -> Duration {
        self.begin.elapsed()
    }

    pub fn start(&self) {
        let config = Config { lease: Duration::from_secs(6), ..Config::default() };
        let storage = Box::new(self.storage.clone());
        let mut coordinator = Coordinator::open(storage, config, self.now()).expect("opened");
        let spec = DatasetSpec {
            unit: 4 * BATCH,
            // As in training: nobody runs out of work while others wait for it.
            epochs_ahead: 2,
            ..DatasetSpec::new("examples", EXAMPLES, u32::MAX, BATCH)
        };
        let create = RequestKind::CreateDataset(CreateDataset { spec: Some(spec) });
        coordinator.handle(self.now(), &Request::new(1, create)).result().expect("created");
        *self.running.lock() = Some(coordinator);
    }

    pub fn kill(&self) {
        *self.running.lock() = None;
    }

    pub fn tick(&self) {
        if let Some(coordinator) = &mut *self.running.lock() {
            coordinator.tick(self.now()).expect("memory does not fail");
        }
    }

    /// An answer, if neither way loses it.
    pub async fn ask(&self, request: &Request) -> Option<Response> {
        self.travel().await?;
        let response = self.running.lock().as_mut()?.handle(self.now(), request);
        self.travel().await?;
        Some(response)
    }

    async fn travel(&self) -> Option<()> {
        let (time, lost) = {
            let mut random = self.random.lock();
            (random.millis(0, 20), random.chance(self.loss))
        };
        tokio::time::sleep(time).await;
        (!lost).then_some(())
    }
}

/// Computes after a while, so that others can die meanwhile.
struct Later(Mutex<Random>);

impl Compute for Later {
    fn run(&self, work: Box<dyn FnOnce() + Send>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let time = self.0.lock().millis(0, 12);
        Box::pin(async move {
            tokio::time::sleep(time).await;
            work();
        })
    }
}

/// A disk that outlives its server. Now and then the newest of its files cannot be read any more.
pub struct Disk {
    cuts: Mutex<BTreeMap<u64, Snapshot>>,
    unreadable: Mutex<BTreeSet<u64>>,
    random: Mutex<Random>,
}

/// Cuts that become unreadable, per thousand.
const UNREADABLE: u64 = 60;

impl Disk {
    fn new(random: Random) -> Arc<Disk> {
        let random = Mutex::new(random);
        Arc::new(Disk { cuts: Mutex::default(), unreadable: Mutex::default(), random })
    }
}

impl CutFiles for Disk {
    fn write(&self, number: u64, snapshot: &Snapshot) -> Result<()> {
        self.cuts.lock().insert(number, snapshot.clone());
        let mut unreadable = self.unreadable.lock();
        // The one before can be read, or nobody could go back.
        if number > 1
            && !unreadable.contains(&(number - 1))
            && self.random.lock().chance(UNREADABLE)
        {
            unreadable.insert(number);
        }
        Ok(())
    }

    fn list(&self) -> Result<Vec<u64>> {
        Ok(self.cuts.lock().keys().copied().collect())
    }

    fn read(&self, number: u64) -> Result<Snapshot> {
        if self.unreadable.lock().contains(&number) {
            return Err(Status::unavailable("the disk cannot read that"));
        }
        let found = self.cuts.lock().get(&number).cloned();
        found.ok_or_else(|| Status::not_found(format!("there is no cut {number}")))
    }

    fn remove(&self, number: u64) -> Result<()> {
        self.cuts.lock().remove(&number);
        Ok(())
    }
}

/// A parameter server's address, and its disk.
pub struct Server {
    name: String,
    pub disk: Arc<Disk>,
    random: Mutex<Random>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    starts: u64,
    store: Option<Arc<Store<Counts>>>,
    tasks: Vec<AbortHandle>,
    /// Examples that may have been there when servers went back to a cut, and were not in it.
    lost: BTreeSet<usize>,
    /// How many examples were ever lost.
    losses: usize,
}

impl Server {
    pub fn new(index: usize, mut random: Random) -> Arc<Server> {
        Arc::new(Server {
            name: format!("ps/{index}"),
            disk: Disk::new(random.fork()),
            random: Mutex::new(random),
            state: Mutex::default(),
        })
    }

    pub fn start(self: &Arc<Server>, leads: Option<impl Fn(u64) -> Lead>) {
        let mut state = self.state.lock();
        state.starts += 1;
        let store = Arc::new(Store::new(Counts::default(), LIMITS, state.starts));
        store.recover_with(self.disk.clone()).expect("memory does not fail");
        let watch = keep_watch(store.clone(), self.compute(), Limits::watch(LIMITS.silence));
        state.tasks.push(tokio::spawn(watch).abort_handle());
        if let Some(leads) = leads {
            let start = state.starts << 32;
            state.tasks.push(tokio::spawn(lead(leads(start))).abort_handle());
        }
        state.store = Some(store);
    }

    fn compute(&self) -> Arc<dyn Compute> {
        Arc::new(Later(Mutex::new(self.random.lock().fork())))
    }

    pub fn is_up(&self) -> bool {
        self.state.lock().store.is_some()
    }

    pub fn kill(&self) {
        let mut state = self.state.lock();
        state.tasks.drain(..).for_each(|task| task.abort());
        state.store = None;
    }

    /// Servers have gone back: of `pushed`, what is not here may be lost.
    pub fn went_back(&self, pushed: &BTreeSet<usize>) {
        let mut state = self.state.lock();
        let Some(store) = &state.store else { return };
        let counts = store.values().counts();
        let here = |place: &usize| counts.get(*place).is_some_and(|count| *count > 0.0);
        let lost: Vec<usize> = pushed.iter().copied().filter(|place| !here(place)).collect();
        let before = state.lost.len();
        state.lost.extend(lost);
        state.losses += state.lost.len() - before;
    }

    /// How often each example counts.
    pub fn counts(&self) -> Option<Vec<f32>> {
        self.state.lock().store.as_ref().map(|store| store.values().counts())
    }

    /// These examples are pushed again: if they are answered they are here, unless servers go back once more.
    pub fn comes(&self, places: std::ops::Range<usize>) {
        self.state.lock().lost.retain(|place| !places.contains(place));
    }

    /// No example counts twice, and what workers were told is there counts, or was lost with what came after a
    /// cut.
    pub fn check(&self, answered: &BTreeSet<usize>) -> std::result::Result<(), String> {
        let Some(counts) = self.counts() else { return Err(format!("{} is down", self.name)) };
        let state = self.state.lock();
        for (place, count) in counts.into_iter().enumerate() {
            let missing = count == 0.0 && answered.contains(&place) && !state.lost.contains(&place);
            if count > 1.0 || missing {
                return Err(format!("{}: example {place} counts {count} times", self.name));
            }
        }
        Ok(())
    }

    pub fn lost(&self) -> usize {
        self.state.lock().losses
    }

    pub fn shard(self: &Arc<Server>) -> Shard {
        let own = self.clone();
        let connect: Connect = Arc::new(move || {
            let own = own.clone();
            Box::pin(async move {
                let (near, far) = duplex(1 << 12);
                let compute = own.compute();
                let mut state = own.state.lock();
                let store = state.store.clone().ok_or(io::ErrorKind::ConnectionRefused)?;
                let serving = tokio::spawn(serve(far, store, compute));
                state.tasks.push(serving.abort_handle());
                Ok(Box::new(near) as Box<dyn Stream>)
            }) as Pin<Box<dyn Future<Output = _> + Send>>
        });
        Shard { name: self.name.clone(), connect }
    }
}
