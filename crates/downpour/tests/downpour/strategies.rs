//! Strategies that must give the same numbers do.

use std::sync::Arc;

use downpour::data::{Dataset, Remainder};
use downpour::training::{
    Built, ClusterSpec, Downpour, Hook, Inputs, Mirrored, MultiWorkerMirrored, ParameterServer,
    Share, Source, Strategy, Trainer,
};
use downpour::{DataType, Optimizer, Result, Session, Tensor, initializers};
use parking_lot::Mutex;

use crate::ports::addresses;

pub const EXAMPLES: usize = 96;
pub(crate) const STEPS: i64 = 30;

/// A dense layer and rows of a table, so that gradients of both kinds are exchanged.
pub(crate) fn model(inputs: &Inputs) -> Result<Built> {
    let graph = inputs.graph();
    let start = |scale| initializers::constant(scale);
    let table = graph.variable("table", [6, 4], DataType::Float, start(0.1))?;
    let w = graph.variable("w", [4, 3], DataType::Float, start(0.2))?;
    let b = graph.variable("b", [3], DataType::Float, start(0.0))?;
    let v = graph.variable("v", [3, 1], DataType::Float, start(0.3))?;
    let rows = table.gather(inputs.get("id")?)?;
    let hidden = (rows + inputs.get("x")?)?.matmul(&w.value())?;
    let hidden = (hidden + b.value())?.tanh()?;
    let guess = hidden.matmul(&v.value())?;
    Ok(Built::new((guess - inputs.get("y")?)?.square()?.mean_all()?))
}

pub fn examples() -> Result<Dataset> {
    let x = (0..EXAMPLES * 4).map(|i| number(i, 1)).collect();
    let y = (0..EXAMPLES).map(|i| number(i, 2)).collect();
    let id = (0..EXAMPLES).map(|i| (i * i % 6) as i32).collect();
    Dataset::from_tensors([
        ("x", Tensor::from_vec([EXAMPLES, 4], x)?),
        ("y", Tensor::from_vec([EXAMPLES, 1], y)?),
        ("id", Tensor::from_vec([EXAMPLES], id)?),
    ])
}

/// Numbers that look random.
pub(crate) fn number(i: usize, of: usize) -> f32 {
    ((i * 7 + of * 13) % 29) as f32 / 29.0 - 0.5
}

/// Every worker takes its examples out of each batch of all workers.
pub(crate) fn source(batch_of_all: usize) -> Source {
    Source::new(move |share: Share| {
        let own = examples()?.repeat().shard(share.count as u64, share.index as u64)?;
        own.batch(batch_of_all / share.count, Remainder::Drop)
    })
}

/// Variables by name.
pub(crate) type Values = Vec<(String, Vec<f32>)>;

/// All variables when training ends.
#[derive(Clone, Default)]
pub(crate) struct Ended(pub Arc<Mutex<Values>>);

impl Hook for Ended {
    fn ended(&mut self, session: &Session, _step: i64) -> Result<()> {
        for variable in session.graph().variables() {
            if variable.dtype() == DataType::Float {
                let value = session.fetch(&[], &variable.value())?;
                let value = value.as_slice::<f32>()?.to_vec();
                self.0.lock().push((variable.name().to_string(), value));
            }
        }
        self.0.lock().sort_by(|a, b| a.0.cmp(&b.0));
        Ok(())
    }
}

fn trainer(optimizer: fn() -> Optimizer, folder: &std::path::Path) -> Trainer {
    Trainer::new(model, source(24)).optimizer(optimizer()).threads(1).steps(STEPS).folder(folder)
}

pub(crate) fn alone(optimizer: fn() -> Optimizer) -> Result<Values> {
    let folder = tempfile::tempdir().unwrap();
    let ended = Ended::default();
    trainer(optimizer, folder.path()).hook(ended.clone()).train()?;
    let values = ended.0.lock().clone();
    Ok(values)
}

/// Two servers and three workers of one process; the chief's variables at the end.
fn on_servers(strategy: &ParameterServer, optimizer: fn() -> Optimizer) -> Result<Values> {
    let places = addresses(5);
    let cluster = format!(r#"{{"ps": {:?}, "worker": {:?}}}"#, &places[..2], &places[2..]);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let folder = tempfile::tempdir().unwrap();
    let task = |job: &str, number: u32| {
        let strategy = strategy.clone().task(cluster.clone(), job, number);
        trainer(optimizer, folder.path()).strategy(Strategy::from(strategy))
    };
    let ended = Ended::default();
    std::thread::scope(|threads| {
        let mut stops = Vec::new();
        for number in 0..2 {
            let server = task("ps", number);
            stops.push(server.stop_flag());
            threads.spawn(move || server.train());
        }
        let followers: Vec<_> = (1..3)
            .map(|number| {
                let worker = task("worker", number);
                threads.spawn(move || worker.train())
            })
            .collect();
        let chief = task("worker", 0).hook(ended.clone()).train();
        let followers: Vec<_> = followers.into_iter().map(|f| f.join().unwrap()).collect();
        stops.iter().for_each(|stop| stop.stop());
        chief?;
        followers.into_iter().try_for_each(|follower| follower.map(drop))
    })?;
    let values = ended.0.lock().clone();
    Ok(values)
}

/// Three workers of one process without servers.
fn all_reduced(strategy: &MultiWorkerMirrored, optimizer: fn() -> Optimizer) -> Result<Values> {
    let cluster = format!(r#"{{"worker": {:?}}}"#, addresses(3));
    let cluster = ClusterSpec::from_json(&cluster)?;
    let folder = tempfile::tempdir().unwrap();
    let task = |number: u32| {
        let strategy = strategy.clone().task(cluster.clone(), "worker", number);
        trainer(optimizer, folder.path()).strategy(Strategy::from(strategy))
    };
    let ended = Ended::default();
    std::thread::scope(|threads| {
        let followers: Vec<_> = (1..3)
            .map(|number| {
                let worker = task(number);
                threads.spawn(move || worker.train())
            })
            .collect();
        let chief = task(0).hook(ended.clone()).train();
        let followers: Vec<_> = followers.into_iter().map(|f| f.join().unwrap()).collect();
        chief?;
        followers.into_iter().try_for_each(|follower| follower.map(drop))
    })?;
    let values = ended.0.lock().clone();
    Ok(values)
}

pub(crate) fn assert_alike(found: &Values, expected: &Values, limit: f32) {
    let names = |values: &Values| values.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(found), names(expected));
    for ((name, found), (_, expected)) in found.iter().zip(expected) {
        for (a, b) in found.iter().zip(expected) {
            assert!(
                (a - b).abs() <= limit * b.abs().max(1.0),
                "{name}: {found:?}, not {expected:?}"
            );
        }
    }
}

pub(crate) fn adam() -> Optimizer {
    Optimizer::adam(0.02)
}

pub(crate) fn adagrad() -> Optimizer {
    Optimizer::adagrad(0.05)
}

#[test]
fn synchronous_workers_are_one_process_with_their_batches_together() -> Result<()> {
    let expected = alone(adam)?;
    assert_alike(&on_servers(&ParameterServer::synchronous(), adam)?, &expected, 1e-5);
    Ok(())
}

#[test]
fn all_reduce_is_one_process_with_all_batches_together() -> Result<()> {
    let expected = alone(adam)?;
    assert_alike(&all_reduced(&MultiWorkerMirrored::new(), adam)?, &expected, 1e-5);
    for codec in ["top-k:1", "zstd"] {
        let everything = MultiWorkerMirrored::new().compression(codec.parse()?);
        assert_alike(&all_reduced(&everything, adam)?, &expected, 1e-5);
    }
    Ok(())
}

#[test]
fn replicas_of_one_process_are_one_with_the_whole_batch() -> Result<()> {
    let expected = alone(adam)?;
    // Of 24 examples: equal parts, parts that differ by one, and some that are empty.
    for replicas in [1, 2, 5, 30] {
        let (folder, ended) = (tempfile::tempdir().unwrap(), Ended::default());
        let trainer = trainer(adam, folder.path()).threads(2).hook(ended.clone());
        let outcome = trainer.strategy(Mirrored::new(replicas)).train()?;
        assert_eq!((outcome.step, outcome.examples), (STEPS, 24 * STEPS as u64));
        assert_alike(&ended.0.lock(), &expected, 1e-5);
    }
    let many = trainer(adam, tempfile::tempdir().unwrap().path()).strategy(Mirrored::new(100_000));
    assert!(many.train().unwrap_err().message().contains("100000 replicas"));
    Ok(())
}

/// Layers of several buckets, so that gradients of the last travel while those of the first are computed.
fn deep(inputs: &Inputs) -> Result<Built> {
    let mut x = inputs.get("x")?.clone();
    for (layer, (from, to)) in [(4, 300), (300, 300), (300, 300), (300, 1)].into_iter().enumerate()
    {
        let graph = inputs.graph();
        let start = initializers::constant(1.0 / from as f64);
        let w = graph.variable(&format!("w{layer}"), [from, to], DataType::Float, start)?;
        x = x.matmul(&w.value())?.tanh()?;
    }
    Ok(Built::new((x - inputs.get("y")?)?.square()?.mean_all()?))
}

#[test]
fn gradients_in_several_buckets_are_those_of_one_process() -> Result<()> {
    let trainer = |strategy: Strategy, hook: &Ended| {
        let trainer = Trainer::new(deep, source(24)).optimizer(adam()).threads(1).steps(5);
        trainer.strategy(strategy).hook(hook.clone())
    };
    let expected = Ended::default();
    trainer(Strategy::Local, &expected).train()?;
    let cluster = ClusterSpec::from_json(&format!(r#"{{"worker": {:?}}}"#, addresses(3)))?;
    let ended: Vec<Ended> = (0..3).map(|_| Ended::default()).collect();
    std::thread::scope(|threads| {
        let worker = |number: usize| {
            let task = MultiWorkerMirrored::new().task(cluster.clone(), "worker", number as u32);
            let worker = trainer(task.into(), &ended[number]);
            threads.spawn(move || worker.train())
        };
        let workers: Vec<_> = (0..3).map(worker).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap().map(drop))
    })?;
    assert_alike(&ended[0].0.lock(), &expected.0.lock(), 1e-5);
    // All stay equal to the bit.
    assert_eq!(*ended[0].0.lock(), *ended[1].0.lock());
    assert_eq!(*ended[0].0.lock(), *ended[2].0.lock());
    Ok(())
}

#[test]
fn codecs_that_lose_nothing_change_nothing() -> Result<()> {
    for codec in ["top-k:1", "lz4"] {
        let strategy = ParameterServer::synchronous().compression(codec.parse()?);
        assert_alike(&on_servers(&strategy, adam)?, &alone(adam)?, 1e-5);
    }
    Ok(())
}

#[test]
fn no_staleness_is_synchronous() -> Result<()> {
    assert_alike(&on_servers(&ParameterServer::bounded(0), adagrad)?, &alone(adagrad)?, 1e-5);
    Ok(())
}

#[test]
fn downpour_and_bounded_staleness_come_near() -> Result<()> {
    let start = model_loss(&first_values());
    let seldom = Downpour { fetch_every: 3, push_every: 2, ..Downpour::default() };
    let warm = Downpour { warm_start: 5, overlap: false, ..Downpour::default() };
    for strategy in [
        ParameterServer::downpour(Downpour::default()),
        ParameterServer::downpour(seldom),
        ParameterServer::downpour(warm),
        ParameterServer::bounded(2),
        ParameterServer::with_backups(1),
    ] {
        let values = on_servers(&strategy, adagrad)?;
        let moved = model_loss(&values);
        assert!(moved < start, "{strategy:?}: {moved} from {start}");
    }
    Ok(())
}

pub(crate) fn first_values() -> Values {
    vec![
        ("b".to_string(), vec![0.0; 3]),
        ("table".to_string(), vec![0.1; 24]),
        ("v".to_string(), vec![0.3; 3]),
        ("w".to_string(), vec![0.2; 12]),
    ]
}

/// The model's loss over all data, by hand.
pub(crate) fn model_loss(values: &Values) -> f32 {
    let get = |name: &str| &values.iter().find(|(known, _)| known == name).unwrap().1;
    let (table, w, b, v) = (get("table"), get("w"), get("b"), get("v"));
    let mut sum = 0.0;
    for example in 0..EXAMPLES {
        let id = example * example % 6;
        let mut guess = 0.0;
        for unit in 0..3 {
            let mut hidden = b[unit];
            for k in 0..4 {
                hidden += (table[id * 4 + k] + number(example * 4 + k, 1)) * w[k * 3 + unit];
            }
            guess += hidden.tanh() * v[unit];
        }
        sum += (guess - number(example, 2)).powi(2);
    }
    sum / EXAMPLES as f32
}
