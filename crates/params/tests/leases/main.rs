//! Leases and parameter servers together: workers take their data from a coordinator and push what they made of it to
//! servers that know positions; everything dies and stands still by seed. No example counts twice; none is lost but
//! when servers have gone back to a cut, and then on all of them; and training comes to its end.
//!
//! `DOWNPOUR_SEED=17` runs one seed, `DOWNPOUR_SEEDS=10000` so many, from `DOWNPOUR_FIRST_SEED` on.

#[path = "../simulation/process.rs"]
mod process;
mod values;
mod world;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use downpour_coordinator::message::Lease;
use downpour_coordinator::{Extent, Member, MemberConfig, MemberEvent};
use downpour_params::{
    Client, CutFiles, Definition, Lead, Limits, Mode, Patience, Recovered, Update,
};
use downpour_simulation::Random;
use downpour_tensor::Result;
use parking_lot::Mutex;
use process::Process;
use world::{BATCH, LIMITS, Planner, Server};

/// In a normal run of the tests.
const SEEDS: u64 = 120;
const WORKERS: u32 = 3;
/// Of simulated time: whoever is not done then hangs.
const LATEST: Duration = Duration::from_secs(3600);

struct World {
    planner: Planner,
    servers: Vec<Arc<Server>>,
    /// Larger with every start of anybody.
    starts: AtomicU32,
    mode: Mode,
    /// Training ends when servers have so many updates.
    target: u64,
    finished: Mutex<BTreeSet<u32>>,
    /// Examples that every server has answered as used.
    answered: Mutex<BTreeSet<usize>>,
    /// Examples that were pushed, answered or not.
    pushed: Mutex<BTreeSet<usize>>,
    /// How long between two cuts.
    every: Duration,
    /// Of servers.
    kills: AtomicU64,
    recoveries: AtomicU64,
}

impl World {
    fn next(&self) -> u32 {
        self.starts.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Starts a server; the first of them leads all.
    fn start(self: &Arc<World>, server: &Arc<Server>) {
        let leads = Arc::ptr_eq(server, &self.servers[0]).then(|| {
            let world = self.clone();
            move |start: u64| {
                let (servers, every) =
                    (world.servers.iter().map(Server::shard).collect(), world.every);
                let world = world.clone();
                let tell = Arc::new(move |_: Recovered| {
                    world.recoveries.fetch_add(1, Ordering::Relaxed);
                    let pushed = world.pushed.lock().clone();
                    world.servers.iter().for_each(|server| server.went_back(&pushed));
                });
                Lead { servers, every, start, tell }
            }
        });
        server.start(leads);
    }

    /// What every server has answered as used is on all of them, or on none.
    fn is_of_one_age(&self) -> std::result::Result<(), String> {
        let counts: Option<Vec<Vec<f32>>> = self.servers.iter().map(|s| s.counts()).collect();
        let counts = counts.ok_or("a server is down")?;
        let of_one_age =
            |place: &&usize| counts.iter().all(|own| own[**place] == counts[0][**place]);
        match self.answered.lock().iter().find(|place| !of_one_age(place)) {
            Some(place) => Err(format!("{:?}: example {place} is on some servers only", self.mode)),
            None => Ok(()),
        }
    }

    fn client(&self, worker: u32) -> Client {
        let patience = Patience {
            answer: Duration::from_secs(2),
            longest_pause: Duration::from_millis(500),
            beat: Limits::beat(LIMITS.silence),
            ..Patience::default()
        };
        let shards = self.servers.iter().map(Server::shard).collect();
        Client::new(worker, self.next(), shards, patience)
    }
}

/// One process of a worker, from its start to the end of training.
struct Worker {
    world: Arc<World>,
    number: u32,
    client: Arc<Client>,
    member: Member,
    /// The unit it works on, and how far it is.
    working: Option<(Lease, u64)>,
    random: Random,
}

impl Worker {
    fn start(world: &Arc<World>, number: u32, random: Random) -> Process {
        let process = Process::default();
        let client = Arc::new(world.client(number));
        let mut member =
            Member::new(MemberConfig::new(format!("worker/{number}"), world.next().into()));
        member.work_on(1);
        let worker = Worker { world: world.clone(), number, client, member, working: None, random };
        let own = process.clone();
        process.spawn(async move { worker.live(&own).await });
        process
    }

    async fn live(mut self, process: &Process) {
        self.join(process).await;
        while !self.world.finished.lock().contains(&self.number) {
            self.listen().await;
            match self.working {
                Some((lease, position)) => self.train(process, lease, position).await,
                None => {
                    let pause = self.member.next_wake().saturating_sub(self.world.planner.now());
                    let (least, most) = (Duration::from_millis(1), Duration::from_millis(50));
                    tokio::time::sleep(pause.clamp(least, most)).await;
                }
            }
        }
        while self.client.leave().await.is_err() {
            self.start_anew(process).await;
        }
    }

    async fn start_anew(&mut self, process: &Process) {
        self.client = Arc::new(self.client.next_start(self.world.next()));
        self.join(process).await;
    }

    async fn join(&mut self, process: &Process) {
        while self.client.join().await.is_err() {
            self.client = Arc::new(self.client.next_start(self.world.next()));
        }
        let client = self.client.clone();
        process.spawn(async move {
            loop {
                tokio::time::sleep(Limits::beat(LIMITS.silence)).await;
                if client.beat().await.is_err() {
                    return;
                }
            }
        });
    }

    /// Speaks with the coordinator.
    async fn listen(&mut self) {
        let planner = &self.world.planner;
        while let Some(request) = self.member.poll(planner.now()) {
            if let Some(response) = planner.ask(&request).await {
                self.member.receive(planner.now(), response);
            }
        }
        while let Some(event) = self.member.take_event() {
            match event {
                MemberEvent::Fenced => self.working = None,
                MemberEvent::Lost(lease) => {
                    self.working.take_if(|(working, _)| working.unit == lease.unit);
                }
                _ => {}
            }
        }
        if self.working.is_none() {
            self.working = self.member.take_lease().map(|lease| (lease, lease.position));
        }
    }

    /// A batch: its update, then that it is done, then the parameters of the next.
    async fn train(&mut self, process: &Process, lease: Lease, position: u64) {
        tokio::time::sleep(self.random.millis(1, 300)).await;
        let end = (position + BATCH).min(lease.end);
        let (dataset, data_epoch) = (lease.dataset, lease.data_epoch);
        let extent = Extent { dataset, data_epoch, start: position, end };
        match self.push(extent).await {
            Ok(true) => {
                self.world.answered.lock().extend(values::places(extent));
                self.member.progress(lease.unit, end);
                self.working = Some((lease, end)).filter(|_| end < lease.end);
                if end == lease.end {
                    self.member.complete(lease.unit);
                }
            }
            // It came too late for its step.
            Ok(false) => {}
            // Its start is over at a server: the next one tries the same batch again.
            Err(_) => return self.start_anew(process).await,
        }
        let names = vec![vec![values::COUNTS.to_string()]; self.world.servers.len()];
        match self.client.pull(&names).await {
            Ok(pulled) => {
                if pulled.iter().all(|server| server.version >= self.world.target) {
                    self.world.finished.lock().insert(self.number);
                }
            }
            Err(_) => self.start_anew(process).await,
        }
    }

    /// Whether every server has used it.
    async fn push(&self, extent: Extent) -> Result<bool> {
        self.world.pushed.lock().extend(values::places(extent));
        self.world.servers.iter().for_each(|server| server.comes(values::places(extent)));
        let update = Update { gradients: values::gradient(extent), set: Vec::new() };
        let pack = |_| update.pack(None);
        let packed = self.world.servers.iter().map(pack).collect::<Result<Vec<_>>>()?;
        let pushed = self.client.push_made_of(packed, 1, Some(extent)).await?;
        Ok(pushed.iter().all(|server| server.used))
    }
}

/// Makes trouble until everybody is done, or for a while.
async fn trouble(world: &Arc<World>, workers: &mut [Process], random: &mut Random) {
    let mut chance = |most: u64| if random.chance(700) { random.below(most) } else { 0 };
    let (server, coordinator, kill, pause) = (chance(150), chance(100), chance(150), chance(150));
    for _ in 0..random.between(20, 120) {
        tokio::time::sleep(random.millis(20, 400)).await;
        let one = random.below(world.servers.len() as u64) as usize;
        let one = world.servers[one].clone();
        if random.chance(server) && one.is_up() {
            one.kill();
            world.kills.fetch_add(1, Ordering::Relaxed);
            let (down, world) = (random.millis(1, 9000), world.clone());
            tokio::spawn(async move {
                tokio::time::sleep(down).await;
                world.start(&one);
            });
        }
        if random.chance(coordinator) {
            world.planner.kill();
            tokio::time::sleep(random.millis(1, 12_000)).await;
            world.planner.start();
        }
        let number = random.below(u64::from(WORKERS)) as u32;
        if random.chance(kill) && !world.finished.lock().contains(&number) {
            workers[number as usize].kill();
            tokio::time::sleep(random.millis(1, 3000)).await;
            workers[number as usize] = Worker::start(world, number, random.fork());
        }
        if random.chance(pause) {
            let process = workers[number as usize].clone();
            let time = random.millis(10, 15_000);
            process.stop();
            tokio::spawn(async move {
                tokio::time::sleep(time).await;
                process.go_on();
            });
        }
    }
}

fn mode_of(seed: u64) -> Mode {
    match seed % 4 {
        0 => Mode::AtOnce,
        1 => Mode::Together { workers: WORKERS, backups: 0 },
        2 => Mode::Together { workers: WORKERS, backups: 1 },
        _ => Mode::Bounded { workers: WORKERS, bound: 2 },
    }
}

#[derive(Default)]
struct Outcome {
    /// Examples that were lost when servers went back.
    lost: usize,
    kills: u64,
    recoveries: u64,
}

/// An error says what must not be.
async fn run(seed: u64) -> std::result::Result<Outcome, String> {
    let mut random = Random::new(seed);
    let mode = mode_of(seed);
    let world = Arc::new(World {
        planner: Planner::new(random.fork()),
        servers: (0..2).map(|index| Server::new(index, random.fork())).collect(),
        starts: AtomicU32::new(0),
        mode,
        target: match mode {
            Mode::Together { .. } => 30,
            _ => 90,
        },
        finished: Mutex::default(),
        answered: Mutex::default(),
        pushed: Mutex::default(),
        every: random.millis(100, 2000),
        kills: AtomicU64::new(0),
        recoveries: AtomicU64::new(0),
    });
    world.planner.start();
    world.servers.iter().for_each(|server| world.start(server));
    let chief = world.client(WORKERS);
    let definition = Definition { program: Default::default(), mode: world.mode };
    chief.define(&[definition.clone(), definition]).await.expect("they are up");
    chief.join().await.expect("they are up");
    for server in 0..world.servers.len() {
        chief.put(server, &values::first(), true, 0).await.expect("they are up");
    }
    chief.leave().await.expect("they are up");
    // Nobody is there who could give values again.
    while world.servers.iter().any(|server| server.disk.list().is_ok_and(|cuts| cuts.is_empty())) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let ticking = world.clone();
    let ticks = tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(200)).await;
            ticking.planner.tick();
        }
    });
    let mut workers: Vec<Process> =
        (0..WORKERS).map(|number| Worker::start(&world, number, random.fork())).collect();
    trouble(&world, &mut workers, &mut random).await;
    while world.finished.lock().len() < WORKERS as usize {
        tokio::time::sleep(Duration::from_millis(200)).await;
        if world.planner.now() > LATEST {
            let finished = world.finished.lock().clone();
            return Err(format!("{:?}: only {finished:?} have come to the end", world.mode));
        }
    }
    // Servers that are down come back.
    tokio::time::sleep(Duration::from_secs(20)).await;
    ticks.abort();
    let answered = world.answered.lock().clone();
    world.servers.iter().try_for_each(|server| server.check(&answered))?;
    world.is_of_one_age()?;
    let (kills, recoveries) = (&world.kills, &world.recoveries);
    Ok(Outcome {
        lost: world.servers.iter().map(|server| server.lost()).sum(),
        kills: kills.load(Ordering::Relaxed),
        recoveries: recoveries.load(Ordering::Relaxed),
    })
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn no_example_counts_twice_and_none_is_lost_but_with_a_server() {
    let one = number("DOWNPOUR_SEED");
    let first = one.or_else(|| number("DOWNPOUR_FIRST_SEED")).unwrap_or(0);
    let count = if one.is_some() { 1 } else { number("DOWNPOUR_SEEDS").unwrap_or(SEEDS) };
    let mut total = Outcome::default();
    for seed in first..first + count {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .expect("a runtime without threads");
        let outcome = runtime.block_on(run(seed)).unwrap_or_else(|violation| {
            panic!(
                "seed {seed}: {violation}\nto see it again:\n    DOWNPOUR_SEED={seed} cargo test -p downpour-params \
                 --test leases"
            )
        });
        total.lost += outcome.lost;
        total.kills += outcome.kills;
        total.recoveries += outcome.recoveries;
    }
    let Outcome { lost, kills, recoveries } = total;
    println!(
        "{count} seeds from {first}: {kills} kills of servers, {recoveries} recoveries, {lost} examples lost with them; \
         none counts twice"
    );
    // A run begins with a recovery.
    assert!(count < SEEDS || lost > 0 && kills > count && recoveries > 2 * count);
}
