//! One run: servers, workers, the network between them and the trouble, all of one seed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_params::{Limits, Mode, Patience, Statistics};
use downpour_simulation::Random;
use parking_lot::Mutex;

use crate::check;
use crate::faults::{self, Trouble};
use crate::moves;
use crate::net::{Link, Weather};
use crate::server::Server;
use crate::trace::{Fault, Trace};
use crate::worker::Worker;

/// Simulated time after which a run hangs.
const LONGEST: Duration = Duration::from_secs(900);
/// How long there is trouble.
const TROUBLE: Duration = Duration::from_secs(30);

pub struct Cluster {
    pub servers: Vec<Arc<Server>>,
    pub workers: Vec<Arc<Worker>>,
    pub trace: Arc<Trace>,
}

/// What a run was like.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub hash: u64,
    pub mode: Mode,
    pub faults: BTreeMap<Fault, u64>,
    pub violation: Option<String>,
    pub end: String,
    /// Simulated.
    pub time: Duration,
    pub pushes: usize,
    pub repeated: u64,
    pub dropped: u64,
    pub refused: u64,
    pub lost: u64,
}

impl Cluster {
    pub fn is_finished(&self) -> bool {
        self.trace
            .with(|seen| seen.violation.is_some() || seen.finished.len() == self.workers.len())
    }
}

/// A run is a function of its seed.
pub fn run(seed: u64) -> Outcome {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build().expect("a runtime can be made");
    runtime.block_on(simulate(seed))
}

fn mode_of(seed: u64, workers: u32, random: &mut Random) -> Mode {
    match seed % 4 {
        0 => Mode::AtOnce,
        1 => Mode::Together { workers, backups: 0 },
        2 => Mode::Together { workers, backups: random.below(u64::from(workers)) as u32 },
        _ => Mode::Bounded { workers, bound: random.between(0, 3) as u32 },
    }
}

async fn simulate(seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let trace = Arc::new(Trace::new());
    let workers = random.between(1, 4) as u32;
    let mode = mode_of(seed, workers, &mut random).checked().expect("it can make steps");
    // Some runs have none: what then holds must hold exactly.
    let calm = seed % 16 < 2;
    let trouble = if calm { Trouble::default() } else { Trouble::of(&mut random) };
    let weather = Weather {
        delay: random.between(1, 60),
        resets: if calm { 0 } else { random.below(200) },
        silences: if calm { 0 } else { random.below(60) },
    };
    let cluster = Arc::new(make(&mut random, trace.clone(), mode, workers, weather));
    trace.say(format!("seed {seed}: {mode:?}, {} servers, {trouble:?}", cluster.servers.len()));
    cluster.servers.iter().for_each(|server| server.start());
    cluster.workers.iter().for_each(|worker| worker.start());
    let trouble = faults::make(cluster.clone(), trouble, random.fork(), TROUBLE);
    let trouble = tokio::spawn(trouble);
    let moves = tokio::spawn(moves::make(cluster.clone(), random.fork(), calm));
    let begin = tokio::time::Instant::now();
    while !cluster.is_finished() {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cluster.servers.iter().for_each(|server| server.look());
        if begin.elapsed() > LONGEST {
            trace.violated(format!("not finished after {LONGEST:?}"));
        }
    }
    trouble.abort();
    moves.abort();
    let time = begin.elapsed();
    let outcome = outcome(&cluster, mode, time).await;
    if calm && outcome.violation.is_none() {
        check::calm(&cluster);
        return Outcome { violation: trace.with(|seen| seen.violation.clone()), ..outcome };
    }
    outcome
}

fn make(
    random: &mut Random,
    trace: Arc<Trace>,
    mode: Mode,
    workers: u32,
    weather: Weather,
) -> Cluster {
    let limits = Limits { silence: Duration::from_secs(3), wait: Duration::from_millis(500) };
    let server = |index: u64, random: &mut Random| {
        Arc::new(Server {
            index: index as usize,
            mode,
            workers,
            limits,
            snapshot_every: random.millis(200, 3000),
            trace: trace.clone(),
            random: Mutex::new(random.fork()),
            disk: Mutex::default(),
            running: Mutex::default(),
            starts: Mutex::default(),
            taken: Mutex::default(),
        })
    };
    let servers = random.between(1, 3);
    let servers: Vec<_> = (0..servers).map(|index| server(index, random)).collect();
    let target = random.between(5, 18) as i64;
    let worker = |index: u32, random: &mut Random| {
        let link = |server: &Arc<Server>| {
            let name = format!("between worker {index} and server {}", server.index);
            Link::new(name, random.fork(), weather, trace.clone())
        };
        let links = servers.iter().map(link).collect();
        Arc::new(Worker {
            index,
            workers,
            mode,
            target,
            compute: random.between(1, 600),
            beat_every: Duration::from_millis(700),
            patience: Patience {
                total: Duration::from_secs(20),
                answer: Duration::from_secs(2),
                first_pause: Duration::from_millis(20),
                longest_pause: Duration::from_secs(1),
                beat: Duration::from_secs(1),
            },
            trace: trace.clone(),
            random: Mutex::new(random.fork()),
            links,
            servers: servers.clone(),
            running: Mutex::default(),
            processes: Mutex::default(),
        })
    };
    let workers = (0..workers).map(|index| worker(index, random)).collect();
    Cluster { servers, workers, trace }
}

async fn outcome(cluster: &Cluster, mode: Mode, time: Duration) -> Outcome {
    let trace = &cluster.trace;
    // Those that were down come up again.
    tokio::time::sleep(Duration::from_secs(10)).await;
    let mut total = Statistics::default();
    for server in &cluster.servers {
        let Some(store) = server.store() else {
            trace.violated(format!("server {} has not come back", server.index));
            continue;
        };
        let seen = store.statistics();
        total.repeated += seen.repeated;
        total.dropped += seen.dropped;
        total.refused += seen.refused;
        total.lost += seen.lost;
        if trace.with(|seen| seen.violation.is_none()) {
            check::ended(trace, &store);
        }
    }
    let (hash, end) = (trace.hash(), trace.end());
    trace.with(|seen| Outcome {
        hash,
        mode,
        faults: seen.faults.clone(),
        violation: seen.violation.clone(),
        end,
        time,
        pushes: seen.made.len(),
        repeated: total.repeated,
        dropped: total.dropped,
        refused: total.refused,
        lost: total.lost,
    })
}
