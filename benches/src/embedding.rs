//! A task that trains a large embedding: `downpour-bench-embedding STRATEGY DATA STEPS`, started by
//! `benches/embedding_against_tensorflow.py`.
//!
//! Which task it is stands in TF_CONFIG. DATA is the folder of what both sides train on: numbers of rows, labels and
//! the first weights, as plain arrays. The worker prints two lists, the losses of all steps and the seconds at which each
//! ended.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use downpour::data::{Dataset, Remainder};
use downpour::layers::{Dense, Embedding};
use downpour::training::{
    Built, Downpour, Hook, Inputs, Next, ParameterServer, StepReport, Strategy, Trainer,
};
use downpour::{
    DataType, Optimizer, Result, Session, Status, Tensor, initializers, losses, optimizer::Adagrad,
};

const ROWS: usize = 1_000_000;
const WIDTH: usize = 64;
const LOOKUPS: usize = 26;
const BATCH: usize = 512;
/// Small, so that a row's first gradients change it visibly: see the driver.
const INITIAL: f64 = 1e-8;

/// Keeps what the driver compares.
struct Steps {
    begun: Instant,
    losses: Vec<f64>,
    seconds: Vec<f64>,
}

impl Hook for Steps {
    fn stepped(&mut self, report: &StepReport<'_>) -> Result<Next> {
        self.losses.push(report.loss);
        self.seconds.push(self.begun.elapsed().as_secs_f64());
        Ok(Next::Continue)
    }

    fn ended(&mut self, _session: &Session, _step: i64) -> Result<()> {
        println!("{:?}\n{:?}", self.losses, self.seconds);
        Ok(())
    }
}

fn strategy(name: &str) -> Result<Strategy> {
    let unknown = || Status::invalid_argument(format!("no strategy is '{name}'"));
    Ok(Strategy::from(match name {
        "asynchronous" => ParameterServer::asynchronous(),
        "synchronous" => ParameterServer::synchronous(),
        "bounded" => ParameterServer::bounded(0),
        "hybrid" => ParameterServer::hybrid(),
        "downpour" => ParameterServer::downpour(Downpour::default()),
        "downpour-in-turns" => {
            ParameterServer::downpour(Downpour { overlap: false, ..Downpour::default() })
        }
        _ => return Err(unknown()),
    }))
}

fn array(folder: &Path, name: &str, dtype: DataType, inner: &[usize]) -> Result<Tensor> {
    let path = folder.join(name);
    let bytes =
        std::fs::read(&path).map_err(|e| Status::not_found(format!("{}: {e}", path.display())))?;
    let row = inner.iter().product::<usize>() * dtype.size();
    let dims: Vec<usize> =
        std::iter::once(bytes.len() / row).chain(inner.iter().copied()).collect();
    Tensor::from_bytes(dtype, dims, bytes.into())
}

fn run(name: &str, folder: &Path, steps: i64) -> Result<()> {
    let first = initializers::value(array(folder, "top", DataType::Float, &[1])?)?;
    let model = move |inputs: &Inputs| -> Result<Built> {
        let table = Embedding::new(ROWS, WIDTH).initializer(initializers::constant(0.1));
        let rows = table.build(inputs.get("ids")?)?.reshape(&[-1, (LOOKUPS * WIDTH) as i64])?;
        let logits = Dense::new(1).no_bias().kernel_initializer(first.clone()).build(&rows)?;
        Ok(Built::new(losses::sigmoid_cross_entropy(inputs.get("labels")?, &logits)?.mean()?))
    };
    let data = Dataset::from_tensors([
        ("ids", array(folder, "ids", DataType::Int64, &[LOOKUPS])?),
        ("labels", array(folder, "labels", DataType::Float, &[1])?),
    ])?;
    let seen = Steps { begun: Instant::now(), losses: Vec::new(), seconds: Vec::new() };
    let trainer = Trainer::new(model, data.repeat().batch(BATCH, Remainder::Drop)?)
        .strategy(strategy(name)?)
        .optimizer(Optimizer::new(0.01, Adagrad { initial_accumulator: INITIAL }))
        .steps(steps)
        .seed(1)
        .threads(1)
        .hook(seen);
    trainer.stop_on_signals()?.train().map(drop)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let asked = match &words[..] {
        [name, folder, steps] => steps.parse().ok().map(|steps| (name, Path::new(folder), steps)),
        _ => None,
    };
    let Some((name, folder, steps)) = asked else {
        eprintln!(
            "usage: downpour-bench-embedding STRATEGY DATA STEPS (see benches/embedding_against_tensorflow.py)"
        );
        return ExitCode::FAILURE;
    };
    match run(name, folder, steps) {
        Ok(()) => ExitCode::SUCCESS,
        Err(status) => {
            eprintln!("error: {}", status.message());
            ExitCode::FAILURE
        }
    }
}
