//! A coordinator and parameter servers, both of which die and come back.

use std::collections::BTreeSet;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use downpour_coordinator::message::{CreateDataset, DatasetSpec, Request, RequestKind, Response};
use downpour_coordinator::{Config, Coordinator, MemoryStorage};
use downpour_params::{Connect, Inline, Limits, Shard, Snapshot, Store, Stream, keep_watch, serve};
use parking_lot::Mutex;
use tokio::io::duplex;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::random::Random;
use super::values::{COUNTS, Counts, EXAMPLES};

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

/// A parameter server's address, and what it has on disk.
pub struct Server {
    name: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    starts: u64,
    store: Option<Arc<Store<Counts>>>,
    tasks: Vec<AbortHandle>,
    disk: Option<Snapshot>,
    /// Examples that may have been there when it died, and were not on its disk.
    lost: BTreeSet<usize>,
    /// How many examples were ever lost.
    losses: usize,
}

impl Server {
    pub fn new(index: usize) -> Arc<Server> {
        Arc::new(Server { name: format!("ps/{index}"), state: Mutex::default() })
    }

    pub fn start(self: &Arc<Server>) {
        let mut state = self.state.lock();
        state.starts += 1;
        let store = Arc::new(Store::new(Counts::default(), LIMITS, state.starts));
        if let Some(snapshot) = state.disk.clone() {
            store.restore(snapshot, Instant::now()).expect("it is whole");
        }
        let watch = keep_watch(store.clone(), Arc::new(Inline), Limits::watch(LIMITS.silence));
        state.tasks.push(tokio::spawn(watch).abort_handle());
        state.store = Some(store);
    }

    pub fn is_up(&self) -> bool {
        self.state.lock().store.is_some()
    }

    pub fn save(&self) {
        let mut state = self.state.lock();
        let snapshot = state.store.as_ref().and_then(|store| store.snapshot().expect("taken"));
        if snapshot.is_some() {
            state.disk = snapshot;
        }
    }

    /// It dies; of `pushed` it loses what is not on its disk.
    pub fn kill(&self, pushed: &BTreeSet<usize>) {
        let mut state = self.state.lock();
        state.tasks.drain(..).for_each(|task| task.abort());
        if state.store.take().is_none() {
            return;
        }
        let counts = state.disk.as_ref().map(|disk| {
            let counts = disk.values.iter().find(|(name, _)| name == COUNTS);
            counts.expect("it is saved").1.as_slice::<f32>().expect("numbers").to_vec()
        });
        let kept = |place: &usize| counts.as_ref().is_some_and(|counts| counts[*place] > 0.0);
        let before = state.lost.len();
        state.lost.extend(pushed.iter().copied().filter(|place| !kept(place)));
        state.losses += state.lost.len() - before;
    }

    /// These examples are pushed again: if they are answered they are here, unless it dies once more.
    pub fn comes(&self, places: std::ops::Range<usize>) {
        self.state.lock().lost.retain(|place| !places.contains(place));
    }

    /// No example counts twice, and what workers were told is there counts, or was lost with what came after a
    /// snapshot.
    pub fn check(&self, answered: &BTreeSet<usize>) -> Result<(), String> {
        let state = self.state.lock();
        let Some(store) = &state.store else { return Err(format!("{} is down", self.name)) };
        for (place, count) in store.values().counts().into_iter().enumerate() {
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
                let mut state = own.state.lock();
                let store = state.store.clone().ok_or(io::ErrorKind::ConnectionRefused)?;
                let serving = tokio::spawn(serve(far, store, Arc::new(Inline)));
                state.tasks.push(serving.abort_handle());
                Ok(Box::new(near) as Box<dyn Stream>)
            }) as Pin<Box<dyn Future<Output = _> + Send>>
        });
        Shard { name: self.name.clone(), connect }
    }
}
