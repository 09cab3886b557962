//! Sessions over tasks and links while connections are refused, cut, stalled, delayed and damaged, while tasks die and come
//! back, and while sessions are made, stepped, cancelled and closed at the same time: by seed.
//!
//! Every call ends in its time, with the right value or with an error that names a task. When the network is well again a
//! new session works, and tasks hold nothing for those that are gone.

mod clock;
mod network;
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_simulation::{Random, Seeds};
use downpour_cluster::Network;
use downpour_tensor::Status;
use network::{FAULTS, Fault, FaultyNetwork};
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, timeout};
use world::{PATIENCE, TASKS, World, step};

const SEEDS: u64 = 48;
/// At the same time, each on a thread that mostly waits.
const TOGETHER: usize = 8;
/// Deadline of a step: links notice within 10 s that nothing is heard.
const LIMIT: Duration = Duration::from_secs(40);
/// No call takes longer than its own limit and this.
const SLACK: Duration = Duration::from_secs(10);
/// How a link begins.
const LINK: [u8; 8] = *b"downpour";

#[derive(Default)]
struct Seen {
    faults: BTreeMap<Fault, usize>,
    kills: usize,
    values: usize,
    errors: usize,
    cancelled: usize,
}

type Checked<T> = Result<T, String>;

/// An error must say who is the matter, or that the client itself has ended it.
fn names_somebody(status: &Status) -> bool {
    let text = status.message();
    let own = ["Session", "explicit call to"];
    text.contains("/job:") || own.iter().any(|own| text.contains(own))
}

/// What one client does.
async fn client(world: Arc<World>, mut random: Random) -> Checked<[usize; 3]> {
    let mut counts = [0; 3];
    for _ in 0..random.between(1, 3) {
        let Ok(made) = timeout(PATIENCE + SLACK, world.session()).await else {
            return Err("making a session hangs".to_string());
        };
        let session = match made {
            // There is no master.
            None => continue,
            Some(Ok(session)) => Arc::new(session),
            Some(Err(status)) => {
                counts[1] += 1;
                if !names_somebody(&status) {
                    return Err(format!("no session, and nobody is named: {status}"));
                }
                continue;
            }
        };
        for _ in 0..random.between(1, 5) {
            let value = random.between(1, 1000) as f32;
            let length = if random.chance(300) { 60_000 } else { random.between(1, 500) as usize };
            let (session, cancel) = (session.clone(), random.chance(200));
            let after = random.millis(0, 60);
            let begun = Instant::now();
            let running = async { step(&session, value, length, LIMIT).await };
            if cancel {
                if timeout(after, running).await.is_err() {
                    counts[2] += 1;
                }
                continue;
            }
            let Ok(result) = timeout(LIMIT + SLACK, running).await else {
                return Err("a step hangs".to_string());
            };
            match result {
                Ok(true) => counts[0] += 1,
                Ok(false) => return Err("a step gave a wrong value".to_string()),
                Err(status) => {
                    counts[1] += 1;
                    let after = begun.elapsed();
                    if !names_somebody(&status) {
                        return Err(format!("after {after:?} a step names nobody: {status}"));
                    }
                    // Links notice sooner.
                    if after >= LIMIT {
                        return Err(format!("only its deadline has ended a step: {status}"));
                    }
                }
            }
        }
        // Sometimes while another step runs.
        let last = match random.chance(300) {
            true => Some(tokio::spawn({
                let session = session.clone();
                async move { step(&session, 1.0, 1000, LIMIT).await }
            })),
            false => None,
        };
        tokio::time::sleep(random.millis(0, 5)).await;
        let _ = session.close().await;
        if let Some(last) = last
            && timeout(LIMIT + SLACK, last).await.is_err()
        {
            return Err("a step hangs whose session was closed".to_string());
        }
    }
    Ok(counts)
}

async fn kill_some(world: Arc<World>, mut random: Random) -> usize {
    let kills = random.below(3);
    for _ in 0..kills {
        tokio::time::sleep(random.millis(0, 4000)).await;
        let task = *random.choose(&TASKS);
        world.kill(task).await;
        tokio::time::sleep(random.millis(0, 3000)).await;
        world.start(task);
    }
    kills as usize
}

/// Strangers who say something else than anybody expects, or nothing, or leave in the middle of it.
async fn strangers(world: Arc<World>, mut random: Random) {
    for _ in 0..random.between(1, 6) {
        tokio::time::sleep(random.millis(0, 1500)).await;
        let task = *random.choose(&TASKS);
        let Ok(mut stream) = world.network.inner().connect(task).await else { continue };
        // As a link begins, as HTTP/2 does, or as neither.
        let beginnings: [&[u8]; 3] = [&LINK, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &[]];
        let mut said = random.choose(&beginnings).to_vec();
        said.extend((0..random.below(200)).map(|_| random.next() as u8));
        let _ = timeout(Duration::from_secs(1), stream.write_all(&said)).await;
        if random.chance(500) {
            // It stays, and says nothing more.
            tokio::time::sleep(random.millis(0, 20_000)).await;
        }
    }
}

async fn play(seed: u64, pace: clock::Pace) -> Checked<Seen> {
    let mut random = Random::new(seed);
    let world = World::begin(FaultyNetwork::new(seed));
    let clients: Vec<_> = (0..random.between(1, 3))
        .map(|_| tokio::spawn(client(world.clone(), random.fork())))
        .collect();
    let strangers = tokio::spawn(strangers(world.clone(), random.fork()));
    let killing = tokio::spawn(kill_some(world.clone(), random.fork()));
    let mut seen = Seen { kills: killing.await.expect("kills end"), ..Seen::default() };
    for client in clients {
        let [values, errors, cancelled] = client.await.map_err(|e| e.to_string())??;
        seen.values += values;
        seen.errors += errors;
        seen.cancelled += cancelled;
    }
    strangers.await.map_err(|e| e.to_string())?;
    world.network.heal();
    well_again(&world).await?;
    // Nobody is in a hurry any more: the longest anybody waits for a master is ten minutes.
    pace.set(400);
    let begun = Instant::now();
    while world.held().values().any(|held| *held != Default::default()) {
        if begun.elapsed() > Duration::from_secs(900) {
            return Err(format!("held for nobody: {:?}", world.held()));
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    seen.faults = world.network.seen();
    Ok(seen)
}

/// A new session works; it may meet connections that broke before once or twice.
async fn well_again(world: &Arc<World>) -> Checked<()> {
    let mut last = String::new();
    for _ in 0..4 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let Ok(made) = timeout(PATIENCE + SLACK, world.session()).await else {
            return Err("making a session hangs on a network that is well".to_string());
        };
        let session = match made.ok_or("there is no master")? {
            Ok(session) => session,
            Err(status) => {
                last = status.to_string();
                continue;
            }
        };
        let result = timeout(LIMIT + SLACK, step(&session, 7.0, 60_000, LIMIT)).await;
        let _ = session.close().await;
        match result {
            Err(_) => return Err("a step hangs on a network that is well".to_string()),
            Ok(Ok(true)) => return Ok(()),
            Ok(Ok(false)) => return Err("a wrong value on a network that is well".to_string()),
            Ok(Err(status)) => last = status.to_string(),
        }
    }
    Err(format!("no session works on a network that is well: {last}"))
}

#[test]
fn every_call_ends_and_nothing_is_left() {
    let before = downpour_tensor::memory_use().in_use;
    let seeds = Seeds::from_environment(SEEDS);
    let (mut all, mut violations) = (Seen::default(), Vec::new());
    seeds.run_together(
        TOGETHER,
        |seed| clock::run(|pace| play(seed, pace)),
        |seed, seen| {
            let seen = match seen {
                Ok(seen) => seen,
                Err(e) => return violations.push(format!("seed {seed}: {e}")),
            };
            for (fault, count) in seen.faults {
                *all.faults.entry(fault).or_default() += count;
            }
            all.kills += seen.kills;
            all.values += seen.values;
            all.errors += seen.errors;
            all.cancelled += seen.cancelled;
        },
    );
    assert!(
        violations.is_empty(),
        "{}\nto see one again: DOWNPOUR_SEED=... cargo test -p downpour-cluster --test faults",
        violations.join("\n")
    );
    let Seen { faults, kills, values, errors, cancelled } = &all;
    println!(
        "{faults:?}, {kills} kills; steps: {values} values, {errors} errors, {cancelled} cancelled"
    );
    if seeds.are_many() {
        for fault in FAULTS {
            assert!(faults.contains_key(&fault), "{fault:?} has not occurred");
        }
        assert!([kills, values, errors, cancelled].into_iter().all(|count| *count > 0));
    }
    let after = downpour_tensor::memory_use().in_use;
    assert!(after <= before, "{before} bytes of tensors before, {after} after");
}
