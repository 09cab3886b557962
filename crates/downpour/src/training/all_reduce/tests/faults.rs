//! Workers that average gradients while connections are cut in the middle of buckets and workers die and come back, by
//! seed: they all end with the same values, to which every step was applied once.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use downpour_simulation::{FaultyProxy, Random, Seeds};

use super::*;

const SEEDS: u64 = 12;
const TOGETHER: usize = 3;
const WORKERS: usize = 3;
const STEPS: i64 = 8;
/// Of the large bucket, which most cuts go through.
const LARGE: usize = 20_000;
/// A step waits for others no longer than a step takes; this ends a test that hangs.
const HANGS: Duration = Duration::from_secs(300);

/// What a worker has: its step, and what was applied so far.
struct Values {
    step: i64,
    small: Tensor,
    large: Tensor,
}

impl Values {
    fn new() -> Values {
        Values { step: -1, small: floats(&[0.0; 3]), large: floats(&[0.0; LARGE]) }
    }

    fn apply(&mut self, small: &Tensor, large: &Tensor) {
        let sum = |value: &Tensor, more: &Tensor| {
            let pairs = value.as_slice::<f32>().unwrap().iter().zip(more.as_slice::<f32>().unwrap());
            floats(&pairs.map(|(a, b)| a + b).collect::<Vec<_>>())
        };
        (self.small, self.large) = (sum(&self.small, small), sum(&self.large, large));
        self.step += 1;
    }
}

/// What all of them share.
struct World {
    proxies: Vec<FaultyProxy>,
    doors: Vec<SocketAddr>,
    cluster: ClusterSpec,
    /// Workers that have all steps.
    done: AtomicUsize,
    deaths: AtomicUsize,
    failures: AtomicUsize,
    begun: Instant,
}

/// A worker's gradient; with three workers the average is a whole number.
fn gradient(worker: usize, step: i64, length: usize) -> Tensor {
    floats(&vec![((worker + 1) as i64 * (step + 1)) as f32; length])
}

/// One worker, until everybody has all steps.
fn work(world: &World, worker: usize, mut door: Door, mut random: Random) -> Result<Values> {
    let mut values = Values::new();
    // The first one begins the run.
    values.step = if worker == 0 { 0 } else { -1 };
    let mut is_done = false;
    while world.done.load(Ordering::SeqCst) < WORKERS {
        assert!(world.begun.elapsed() < HANGS, "worker {worker} hangs at step {}", values.step);
        match live(world, worker, &door, &mut values, &mut random) {
            Ok(Life::Died) => {
                world.deaths.fetch_add(1, Ordering::Relaxed);
                // What it had is gone; somebody else has it.
                values = Values::new();
                drop(door);
                door = Door::open(&world.doors[worker].to_string())?;
            }
            Ok(Life::HasAll) if !is_done => {
                is_done = true;
                world.done.fetch_add(1, Ordering::SeqCst);
            }
            Ok(Life::HasAll) => {}
            Err(_) => drop(world.failures.fetch_add(1, Ordering::Relaxed)),
        }
    }
    Ok(values)
}

enum Life {
    Died,
    HasAll,
}

/// From one meeting of all workers to the next.
fn live(
    world: &World,
    worker: usize,
    door: &Door,
    values: &mut Values,
    random: &mut Random,
) -> Result<Life> {
    let place = Placement::of_workers(&world.cluster, "worker", worker as u32)?;
    let addresses: Vec<String> =
        world.proxies.iter().map(|proxy| proxy.address().to_string()).collect();
    let patience = Duration::from_secs(1);
    let mut wire = Wire::connect(door, addresses, &place, Compression::None, patience)?;
    let root = wire.furthest(values.step)?;
    // All or nothing, as a worker has it whose session is filled when everything is there.
    let mut step = Tensor::scalar(values.step);
    let (mut small, mut large) = (values.small.clone(), values.large.clone());
    wire.share("step", &mut step, root)?;
    wire.share("small", &mut small, root)?;
    wire.share("large", &mut large, root)?;
    *values = Values { step: step.to_scalar()?, small, large };
    let loads = [Load::Dense(vec!["small".into()]), Load::Dense(vec!["large".into()])];
    let wire = Arc::new(Mutex::new(wire));
    let courier = Courier::start(wire.clone(), loads.to_vec())?;
    while values.step < STEPS {
        wire.lock().tell(Intent::GoOn, b"somewhere")?;
        let hand = |bucket: usize| {
            let length = [3, LARGE][bucket];
            carry(&courier, bucket, vec![gradient(worker, values.step, length)])
        };
        // Only the last worker dies: somebody must have the values.
        let dies = worker == WORKERS - 1 && random.chance(60);
        let order = if random.chance(500) { [0, 1] } else { [1, 0] };
        let first = hand(order[0]);
        if dies {
            return Ok(Life::Died);
        }
        let second = hand(order[1]);
        let lost = |_| Status::internal("a bucket was dropped");
        let first = first.recv().map_err(lost)??;
        let second = second.recv().map_err(lost)??;
        let (small, large) = if order[0] == 0 { (first, second) } else { (second, first) };
        values.apply(&small[0], &large[0]);
    }
    Ok(Life::HasAll)
}

/// Returns how many connections were cut, how often a worker died, and how often one had to begin again.
fn run(seed: u64) -> [usize; 3] {
    let mut random = Random::new(seed);
    let doors: Vec<Door> = (0..WORKERS).map(|_| Door::open("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<SocketAddr> = doors.iter().map(Door::address).collect();
    let proxy = |address: &SocketAddr| {
        FaultyProxy::start(*address, random.fork(), 350, 1_500_000).unwrap()
    };
    let proxies: Vec<FaultyProxy> = addresses.iter().map(proxy).collect();
    let names: Vec<String> = addresses.iter().map(ToString::to_string).collect();
    let world = World {
        proxies,
        doors: addresses,
        cluster: ClusterSpec::from_json(&format!(r#"{{"worker": {names:?}}}"#)).unwrap(),
        done: AtomicUsize::new(0),
        deaths: AtomicUsize::new(0),
        failures: AtomicUsize::new(0),
        begun: Instant::now(),
    };
    let ended: Vec<Values> = std::thread::scope(|threads| {
        let world = &world;
        let mut workers = Vec::new();
        for (worker, door) in doors.into_iter().enumerate() {
            let random = random.fork();
            workers.push(threads.spawn(move || work(world, worker, door, random).unwrap()));
        }
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    // Of every step once: the average of 1, 2 and 3 times its number.
    let expected: f32 = (0..STEPS).map(|step| 2.0 * (step + 1) as f32).sum();
    for (worker, values) in ended.iter().enumerate() {
        assert_eq!(values.step, STEPS, "seed {seed}, worker {worker}");
        for value in [&values.small, &values.large] {
            let all = value.as_slice::<f32>().unwrap();
            let other = all.iter().find(|value| **value != expected);
            assert_eq!(other, None, "seed {seed}, worker {worker}: not {expected}");
        }
    }
    let cuts = world.proxies.iter().map(FaultyProxy::cuts).sum();
    [cuts, world.deaths.into_inner(), world.failures.into_inner()]
}

#[test]
fn every_step_is_applied_once_by_all() {
    let seeds = Seeds::from_environment(SEEDS);
    let mut all = [0; 3];
    seeds.run_together(TOGETHER, run, |_, seen| (0..3).for_each(|kind| all[kind] += seen[kind]));
    let [cuts, deaths, failures] = all;
    println!("{cuts} connections cut, {deaths} deaths, {failures} times a worker began again");
    if seeds.are_many() {
        assert!(cuts > 0 && deaths > 0 && failures > 0);
    }
}
