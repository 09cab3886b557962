//! Sandblaster finds the minimum of all data, however it is read, and reads it once.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use downpour::Result;
use downpour::data::{Element, Remainder};
use downpour::training::{
    ClusterSpec, Outcome, Positions, Sandblaster, Share, Source, Strategy, Trainer,
};

use crate::ports::addresses;
use crate::strategies::{
    EXAMPLES, Ended, STEPS, Values, adam, alone, examples, model, model_loss, source,
};

const WORKERS: usize = 3;
const UNITS: usize = 4;

/// Data that ends, as Sandblaster wants it; counts the examples of units that are read.
fn finite(reads: &Arc<AtomicUsize>) -> Source {
    let reads = reads.clone();
    Source::new(move |share: Share| {
        let own = examples()?.shard(share.count as u64, share.index as u64)?;
        let (reads, is_unit) = (reads.clone(), share.count == WORKERS * UNITS);
        let counted = own.map(move |example: Element| {
            reads.fetch_add(usize::from(is_unit), Ordering::Relaxed);
            Ok(example)
        });
        counted.batch(8, Remainder::Keep)
    })
}

/// What came of a training on two servers and three workers of one process.
struct Trained {
    chief: Outcome,
    /// Examples that all of them have computed.
    examples: u64,
    values: Values,
}

fn train(data: &Source, steps: i64, folder: &Path) -> Result<Trained> {
    let places = addresses(2 + WORKERS);
    let cluster = format!(r#"{{"ps": {:?}, "worker": {:?}}}"#, &places[..2], &places[2..]);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let task = |job: &str, number: u32| {
        let strategy = Sandblaster::new().units_per_worker(UNITS as u32);
        let strategy = strategy.task(cluster.clone(), job, number);
        let trainer = Trainer::new(model, data.clone()).optimizer(adam()).threads(1).steps(steps);
        trainer.folder(folder).strategy(Strategy::from(strategy))
    };
    let ended = Ended::default();
    let (chief, others) = std::thread::scope(|threads| {
        let mut stops = Vec::new();
        for number in 0..2 {
            let server = task("ps", number);
            stops.push(server.stop_flag());
            threads.spawn(move || server.train());
        }
        let followers: Vec<_> = (1..WORKERS as u32)
            .map(|number| {
                let worker = task("worker", number);
                threads.spawn(move || worker.train())
            })
            .collect();
        let chief = task("worker", 0).hook(ended.clone()).train();
        let followers: Vec<_> = followers.into_iter().map(|f| f.join().unwrap()).collect();
        stops.iter().for_each(|stop| stop.stop());
        let computed: u64 = followers.into_iter().map(|f| f.map_or(0, |f| f.examples)).sum();
        chief.map(|chief| (chief, computed))
    })?;
    let values = ended.0.lock().clone();
    Ok(Trained { examples: chief.examples + others, chief, values })
}

#[test]
fn sandblaster_finds_the_minimum_of_all_data() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let reads = Arc::new(AtomicUsize::new(0));
    let trained = train(&finite(&reads), 40, folder.path())?;
    assert_eq!(trained.chief.step, 40);
    assert!(trained.examples >= 40 * EXAMPLES as u64, "{}", trained.examples);
    let loss = model_loss(&trained.values);
    // What the coordinator says is the loss of the variables it leaves.
    let said = trained.chief.loss as f32;
    assert!((loss - said).abs() < 1e-4, "{loss}, not {said}");
    let adam = model_loss(&alone(adam)?);
    assert!(loss < adam, "{loss} after 40 iterations, Adam has {adam} after {STEPS} steps");
    // It goes on from its checkpoint.
    let saved = folder.path().join("checkpoints/ckpt-40.index");
    assert!(saved.exists(), "{}", saved.display());
    // A worker reads a unit when it gets it for the first time.
    let reads = reads.load(Ordering::Relaxed);
    assert!((EXAMPLES..=WORKERS * EXAMPLES).contains(&reads), "{reads} examples were read");
    Ok(())
}

#[test]
fn data_by_position_gives_the_same() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let reads = Arc::new(AtomicUsize::new(0));
    let by_share = finite(&reads);
    let numbered = finite(&reads).with_positions(|| Positions::shuffled(&examples()?, 16, None));
    let one = train(&by_share, 4, &folder.path().join("one"))?;
    let read = reads.load(Ordering::Relaxed);
    let other = train(&numbered, 4, &folder.path().join("other"))?;
    assert_eq!(reads.load(Ordering::Relaxed), read, "shares were read though there are positions");
    for ((name, one), (_, other)) in one.values.iter().zip(&other.values) {
        for (one, other) in one.iter().zip(other) {
            assert!((one - other).abs() < 1e-4, "{name}: {one} and {other}");
        }
    }
    assert_eq!(one.values.len(), other.values.len());
    Ok(())
}

#[test]
fn sandblaster_refuses_data_without_an_end() -> Result<()> {
    let places = addresses(2);
    let cluster = format!(r#"{{"ps": {:?}, "worker": {:?}}}"#, &places[..1], &places[1..]);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let task = |job: &str| {
        let strategy = Sandblaster::new().task(cluster.clone(), job, 0);
        Trainer::new(model, source(24)).optimizer(adam()).threads(1).steps(2).strategy(strategy)
    };
    let server = task("ps");
    let stop = server.stop_flag();
    let server = std::thread::spawn(move || server.train());
    let refused = task("worker").train().unwrap_err();
    stop.stop();
    server.join().unwrap()?;
    assert!(refused.message().contains("the data must end"), "{refused}");
    Ok(())
}
