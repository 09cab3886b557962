//! Models in parts on several tasks: the same training as in one process.

use std::sync::Arc;

use downpour::layers::{Dense, Embedding};
use downpour::pipeline::PipelineSchedule;
use downpour::training::{Built, Hook, ModelParallel, Next, StepReport, Trainer};
use downpour::{
    DataType, Inputs, Metric, MixedPrecision, Optimizer, Output, Result, Session, Tensor, losses,
    regularizers,
};
use downpour_cluster::ClusterSpec;
use downpour_data::{Dataset, Remainder};
use parking_lot::Mutex;

use crate::ports::addresses;

const STEPS: i64 = 20;

/// A table of rows, layers with a short cut around two of them, and a loss that also keeps weights small.
fn model(inputs: &Inputs) -> Result<Built> {
    let graph = inputs.graph();
    let words = {
        let _scope = graph.variable_scope("words")?;
        Embedding::new(11, 8).build(inputs.get("word")?)?
    };
    let mut x = {
        let _scope = graph.variable_scope("tower")?;
        let mut x = Output::concat(&[words, inputs.get("x")?.clone()], 1)?;
        for _ in 0..4 {
            let layer = Dense::new(12).regularizer(regularizers::l2(0.01));
            x = layer.activation(downpour::layers::Activation::Tanh).build(&x)?;
        }
        x
    };
    let _scope = graph.variable_scope("head")?;
    let around = x.clone();
    for _ in 0..2 {
        x = Dense::new(12).relu().build(&x)?;
    }
    let guess = Dense::new(1).build(&(x + around)?)?;
    let error = (guess.squeeze(&[1])? - inputs.get("y")?)?.square()?;
    let loss = losses::regularized(&error.mean_all()?)?;
    Ok(Built::new(loss)
        .metric("squares", Metric::Mean(error.clone()))
        .metric("mean", Metric::Mean(error.mean_all()?)))
}

/// Batches of 9, 9 and 2 rows: neither three nor four parts are equal, and four parts of two rows are not
/// all there.
fn batches() -> Result<Dataset> {
    let numbers = |count: usize, step: f32| (0..count).map(|i| (i as f32 * step).sin()).collect();
    let words = Tensor::from_vec([20], (0..20).map(|i| i * 7 % 11).collect::<Vec<i64>>())?;
    let x = Tensor::from_vec([20, 3], numbers(60, 0.7))?;
    let y = Tensor::from_vec([20], numbers(20, 1.3))?;
    let rows = Dataset::from_tensors([("word", words), ("x", x), ("y", y)])?;
    Ok(rows.batch(9, Remainder::Keep)?.repeat())
}

fn trainer() -> Result<Trainer> {
    Ok(Trainer::new(model, batches()?)
        .optimizer(Optimizer::adam(0.01))
        .clip_gradients(1.0)
        .evaluate(batches()?.take(3), None)
        .seed(3)
        .threads(1)
        .steps(STEPS))
}

/// What a run has seen.
#[derive(Clone, Debug, Default)]
struct Seen {
    losses: Vec<f64>,
    variables: Vec<(String, String, Vec<f32>)>,
    evaluation: Vec<(String, f64)>,
}

struct Watch(Arc<Mutex<Seen>>);

impl Hook for Watch {
    fn stepped(&mut self, report: &StepReport<'_>) -> Result<Next> {
        self.0.lock().losses.push(report.loss);
        Ok(Next::Continue)
    }

    fn ended(&mut self, session: &Session, _step: i64) -> Result<()> {
        for variable in session.graph().variables() {
            if variable.dtype() == DataType::Float {
                let value = session.fetch(&[], &variable.value())?;
                let value = value.as_slice::<f32>()?.to_vec();
                let name = variable.name().to_string();
                self.0.lock().variables.push((name, variable.device(), value));
            }
        }
        Ok(())
    }
}

/// Runs trainers of one worker after they were given a watch.
fn watched(trainer: Trainer) -> Result<Seen> {
    let seen: Arc<Mutex<Seen>> = Arc::default();
    let outcome = trainer.hook(Watch(seen.clone())).train()?;
    let mut seen = seen.lock().clone();
    seen.evaluation =
        outcome.evaluation.map(|e| e.metrics.into_iter().collect()).unwrap_or_default();
    Ok(seen)
}

/// A cluster of so many servers and workers on free ports.
fn cluster(servers: usize, workers: usize) -> Result<ClusterSpec> {
    let places = addresses(servers + workers);
    let (servers, workers) = places.split_at(servers);
    ClusterSpec::from_json(&format!(r#"{{"ps": {servers:?}, "worker": {workers:?}}}"#))
}

/// Trains on a cluster in this process; what each worker has seen.
fn in_parts(
    strategy: &ModelParallel,
    servers: usize,
    workers: usize,
    change: impl Fn(Trainer) -> Trainer,
) -> Result<Vec<Seen>> {
    let cluster = cluster(servers, workers)?;
    let task = |job: &str, task: usize| -> Result<Trainer> {
        let strategy = strategy.clone().task(cluster.clone(), job, task as u32);
        Ok(change(trainer()?).strategy(strategy))
    };
    std::thread::scope(|threads| {
        let mut stops = Vec::new();
        for server in 0..servers {
            let server = task("ps", server)?;
            stops.push(server.stop_flag());
            threads.spawn(move || server.train());
        }
        let mut running = Vec::new();
        for worker in 0..workers {
            let worker = task("worker", worker)?;
            running.push(threads.spawn(move || watched(worker)));
        }
        let ended: Vec<_> = running.into_iter().map(|worker| worker.join().unwrap()).collect();
        stops.iter().for_each(|stop| stop.stop());
        ended.into_iter().collect()
    })
}

fn assert_same(seen: &Seen, alone: &Seen, what: &str) {
    assert_eq!(seen.losses.len(), alone.losses.len(), "{what}");
    for (step, (own, expected)) in seen.losses.iter().zip(&alone.losses).enumerate() {
        assert!(
            (own - expected).abs() < 1e-5 * expected.abs(),
            "{what}: step {step}: {own}, {expected}"
        );
    }
    let named =
        |seen: &Seen| -> Vec<String> { seen.variables.iter().map(|v| v.0.clone()).collect() };
    assert_eq!(named(seen), named(alone), "{what}");
    for ((name, _, own), (_, _, expected)) in seen.variables.iter().zip(&alone.variables) {
        for (own, expected) in own.iter().zip(expected) {
            assert!((own - expected).abs() < 2e-5, "{what}: {name}: {own}, {expected}");
        }
    }
    for ((name, own), (_, expected)) in seen.evaluation.iter().zip(&alone.evaluation) {
        assert!(
            (own - expected).abs() < 1e-5 * expected.abs(),
            "{what}: {name}: {own}, {expected}"
        );
    }
}

#[test]
fn parts_by_scope_train_as_one() -> Result<()> {
    let alone = watched(trainer()?)?;
    assert!(alone.losses[17] < alone.losses[0], "{:?}", alone.losses);
    let strategy = ModelParallel::by_scope([("words", 0), ("tower", 1), ("head", 2)]);
    let seen = in_parts(&strategy, 2, 1, |trainer| trainer)?;
    assert_same(&seen[0], &alone, "by scope");
    for (name, device, _) in &seen[0].variables {
        let expected = match name.split('/').next() {
            Some("tower") => "/job:ps/task:0",
            Some("head") => "/job:ps/task:1",
            _ => "/job:worker/task:0",
        };
        // What an optimizer keeps is beside its variable; powers of Adam's betas are beside the first.
        if name.contains('/') {
            assert_eq!(device, expected, "{name}");
        }
    }
    Ok(())
}

#[test]
fn a_pipeline_trains_as_one_process() -> Result<()> {
    let alone = watched(trainer()?)?;
    let schedules = [PipelineSchedule::GPipe, PipelineSchedule::OneForwardOneBackward];
    for stages in [1, 2, 4] {
        for (micro_batches, schedule) in [
            (1, schedules[0]),
            (3, schedules[0]),
            (3, schedules[1]),
            (4, schedules[0]),
            (4, schedules[1]),
        ] {
            let strategy =
                ModelParallel::balanced().micro_batches(micro_batches).schedule(schedule);
            let seen = in_parts(&strategy, stages - 1, 1, |trainer| trainer)?;
            let what = format!("{stages} stages, {micro_batches} micro-batches, {schedule:?}");
            assert_same(&seen[0], &alone, &what);
            let mut devices: Vec<&String> = seen[0].variables.iter().map(|v| &v.1).collect();
            devices.sort();
            devices.dedup();
            assert_eq!(devices.len(), stages, "{what}: {devices:?}");
        }
    }
    Ok(())
}

#[test]
fn both_schedules_give_the_same_numbers() -> Result<()> {
    let run = |schedule| {
        let strategy = ModelParallel::balanced().micro_batches(4).schedule(schedule);
        in_parts(&strategy, 1, 1, |trainer| trainer)
    };
    let (first, second) =
        (run(PipelineSchedule::GPipe)?, run(PipelineSchedule::OneForwardOneBackward)?);
    assert_eq!(first[0].losses, second[0].losses);
    assert_eq!(first[0].variables, second[0].variables);
    Ok(())
}

#[test]
fn a_pipeline_computes_in_16_bits() -> Result<()> {
    let half = |trainer: Trainer| trainer.precision(MixedPrecision::bfloat16());
    let alone = watched(half(trainer()?))?;
    let strategy = ModelParallel::balanced()
        .micro_batches(3)
        .schedule(PipelineSchedule::OneForwardOneBackward);
    let seen = in_parts(&strategy, 1, 1, half)?;
    for (own, expected) in seen[0].losses.iter().zip(&alone.losses) {
        assert!((own - expected).abs() < 0.05 * expected.abs(), "{own}, {expected}");
    }
    Ok(())
}

#[test]
fn pipelines_share_their_variables() -> Result<()> {
    let strategy = ModelParallel::balanced().micro_batches(2);
    let steps = |trainer: Trainer| trainer.steps(60);
    let seen = in_parts(&strategy, 2, 2, steps)?;
    let all: usize = seen.iter().map(|seen| seen.losses.len()).sum();
    assert!((60..=61).contains(&all), "{all} steps");
    let ends = |seen: &Seen| (seen.losses[0], seen.losses[seen.losses.len() - 1]);
    assert!(seen.iter().any(|seen| ends(seen).1 < ends(seen).0), "{seen:?}");
    for (name, device, _) in &seen[0].variables {
        assert!(device.starts_with("/job:ps/"), "{name} is on {device}");
    }
    Ok(())
}

#[test]
fn mistakes_are_found_before_anything_runs() -> Result<()> {
    let check = |strategy: ModelParallel| {
        trainer().unwrap().strategy(strategy).check().unwrap_err().message().to_string()
    };
    let none = check(ModelParallel::by_scope([("sentences", 0)]));
    assert!(none.contains("nothing in the scope 'sentences'; its variables are words/"), "{none}");
    let many = check(ModelParallel::balanced().stages(20));
    assert!(many.contains("cannot be cut into 20 stages: it has 8 parts"), "{many}");
    let backwards = ModelParallel::by_scope([("words", 1), ("tower", 0), ("head", 1)]);
    let refused = check(backwards.clone().micro_batches(2));
    assert!(refused.contains("on stage 0 takes") && refused.contains("of stage 1"), "{refused}");
    trainer()?.strategy(backwards).check()
}
