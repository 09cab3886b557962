//! How many requests a coordinator answers: `cargo run --release -p downpour-coordinator --example throughput [FOLDER]`.
//!
//! A thousand members go through three epochs of an ImageNet's worth of examples as quickly as they are answered, with
//! the log in memory and in a file; then through less, with a file that is synced before each answer.

use std::time::{Duration, Instant};

use downpour_coordinator::message::{
    Answer, Complete, CreateDataset, DatasetSpec, Heartbeat, Join, Lease, LeaseRequest, Request,
    RequestKind, UnitPosition,
};
use downpour_coordinator::{Config, Coordinator, FileStorage, MemoryStorage, Storage, SyncPolicy};
use downpour_tensor::Result;

const MEMBERS: u64 = 1000;

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).map_or_else(std::env::temp_dir, Into::into);
    let path = folder.join(format!("coordinator-{}.log", std::process::id()));
    let file =
        |policy| FileStorage::open(&path, policy).map(|file| Box::new(file) as Box<dyn Storage>);
    run("memory", Box::new(MemoryStorage::new()), 1_281_167)?;
    run("file", file(SyncPolicy::Never)?, 1_281_167)?;

    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    let start = Instant::now();
    Coordinator::open(file(SyncPolicy::Never)?, Config::default(), Duration::ZERO)?;
    println!("reopened a log of {bytes} bytes in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);

    for ending in ["", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{ending}", path.display()));
    }
    run("file, synced", file(SyncPolicy::Always)?, 10_000)?;
    for ending in ["", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{ending}", path.display()));
    }
    Ok(())
}

fn run(name: &str, storage: Box<dyn Storage>, examples: u64) -> Result<()> {
    let mut coordinator = Coordinator::open(storage, Config::default(), Duration::ZERO)?;
    let mut id = 0;
    let mut now = Duration::ZERO;
    let mut ask = |now, member: u64, kind| {
        id += 1;
        coordinator.handle(now, &Request::of_member(id, member, member, kind)).result()
    };
    let spec = DatasetSpec::new("imagenet", examples, 3, 32);
    ask(now, 0, RequestKind::CreateDataset(CreateDataset { spec: Some(spec) }))?;
    for member in 1..=MEMBERS {
        let join = Join { name: format!("worker/{member}"), process: member, ..Default::default() };
        ask(now, 0, RequestKind::Join(join))?;
    }

    let (mut units, mut beats) = (0u64, 0u64);
    let (mut lease_time, mut beat_time, mut complete_time) =
        (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut held: Vec<Option<Lease>> = vec![None; MEMBERS as usize + 1];
    let mut waiting = 0;
    'all: loop {
        for member in 1..=MEMBERS {
            now += Duration::from_millis(1);
            if let Some(Lease { dataset, unit, attempt, position, end, .. }) =
                held[member as usize].take()
            {
                let middle = position + (end - position) / 2;
                let said = UnitPosition { dataset, unit, attempt, position: middle, reached: 0 };
                let start = Instant::now();
                ask(
                    now,
                    member,
                    RequestKind::Heartbeat(Heartbeat {
                        positions: vec![said],
                        ..Default::default()
                    }),
                )?;
                beat_time += start.elapsed();
                beats += 1;
                let start = Instant::now();
                ask(now, member, RequestKind::Complete(Complete { dataset, unit, attempt }))?;
                complete_time += start.elapsed();
                units += 1;
            }
            let start = Instant::now();
            let answer =
                ask(now, member, RequestKind::Lease(LeaseRequest { dataset: 1, backup: false }))?;
            lease_time += start.elapsed();
            if let Answer::Lease(answer) = answer {
                held[member as usize] = answer.lease;
                waiting = if answer.lease.is_some() { 0 } else { waiting + 1 };
            }
            if waiting > MEMBERS {
                break 'all;
            }
        }
    }
    let micros = |time: Duration, count: u64| time.as_secs_f64() * 1e6 / count as f64;
    println!(
        "{name}: {units} units; a lease {:.1} us, a heartbeat with progress {:.1} us, a completion {:.1} us",
        micros(lease_time, units),
        micros(beat_time, beats),
        micros(complete_time, units)
    );
    Ok(())
}
