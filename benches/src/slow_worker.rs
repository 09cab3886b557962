//! A task of a run whose steps mostly wait: `downpour-bench-worker STRATEGY BACKUPS FOLDER`, started by
//! `benches/slow_worker.py`.
//!
//! Four workers on two cores would measure how the cores are shared. So computing is simulated: the data has a stage
//! that sleeps for a time per example, in ticks of a millisecond; where data is leased, and so read ahead by position, a
//! hook sleeps after each step. A process that is stopped for three quarters of
//! the time gets through a quarter of its ticks, as one that computes would, and the others lose nothing to it.

use std::process::ExitCode;
use std::time::Duration;

use downpour::data::{Dataset, Element, MapFunction, Remainder, Schema};
use downpour::training::{
    Built, Downpour, Hook, Inputs, Next, ParameterServer, Positions, Sandblaster, Share, Source,
    StepReport, Strategy, Trainer,
};
use downpour::{Optimizer, Result, Status, Tensor, layers};

const EXAMPLES: usize = 6400;
/// Of a step's batch.
const BATCH: usize = 100;
/// Ticks per hundred examples: a step takes 40 ms and a bit, and so does a unit of Sandblaster's.
const TICKS: usize = 40;
const TICK: Duration = Duration::from_millis(1);

/// What takes the time that computing would.
struct Computing;

fn compute(examples: usize) {
    for _ in 0..(examples * TICKS).div_ceil(BATCH) {
        std::thread::sleep(TICK);
    }
}

impl Hook for Computing {
    fn stepped(&mut self, report: &StepReport<'_>) -> Result<Next> {
        compute(report.examples);
        Ok(Next::Continue)
    }
}

impl MapFunction for Computing {
    fn call(&self, batch: Element) -> Result<Element> {
        compute(batch[0].dims().first().copied().unwrap_or(0));
        Ok(batch)
    }

    fn schema(&self, input: Option<Schema>) -> Option<Schema> {
        input
    }
}

/// Two layers that learn a product.
fn model(inputs: &Inputs) -> Result<Built> {
    let hidden =
        layers::Dense::new(64).activation(layers::Activation::Tanh).build(inputs.get("x")?)?;
    let guess = layers::Dense::new(1).build(&hidden)?;
    Ok(Built::new((guess - inputs.get("y")?)?.square()?.mean_all()?))
}

fn data() -> Result<Dataset> {
    let numbers = |from: f32| (0..EXAMPLES).map(move |i| (i as f32 * from).sin());
    let xs = numbers(0.7).zip(numbers(1.3)).flat_map(|(a, b)| [a, b]).collect();
    let ys = numbers(0.7).zip(numbers(1.3)).map(|(a, b)| (9.0 * a * b).sin()).collect();
    Dataset::from_tensors([
        ("x", Tensor::from_vec([EXAMPLES, 2], xs)?),
        ("y", Tensor::from_vec([EXAMPLES, 1], ys)?),
    ])
}

fn run(strategy: &str, backups: u32, folder: &str) -> Result<()> {
    let (whole, leased) = (strategy == "sandblaster", strategy == "leased");
    let strategy = match strategy {
        "synchronous" => Strategy::from(ParameterServer::with_backups(backups)),
        "sandblaster" => Sandblaster::new().into(),
        "leased" => ParameterServer::downpour(Downpour::default()).leases(true).into(),
        other => return Err(Status::invalid_argument(format!("no strategy is '{other}'"))),
    };
    let batches = Source::new(move |share: Share| {
        let own = data()?.shard(share.count as u64, share.index as u64)?;
        let own = if whole { own } else { own.repeat() };
        let batches = own.batch(BATCH, Remainder::Keep)?;
        Ok(if leased { batches } else { batches.map(Computing) })
    });
    let batches = batches.with_positions(|| Positions::shuffled(&data()?, BATCH, Some(1)));
    let trainer = Trainer::new(model, batches)
        .strategy(strategy)
        .optimizer(Optimizer::gradient_descent(0.01))
        .folder(folder)
        .report_every(Duration::ZERO)
        .seed(1)
        .threads(1);
    let trainer = if leased { trainer.hook(Computing) } else { trainer };
    trainer.stop_on_signals()?.train().map(drop)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [strategy, backups, folder] = &words[..] else {
        eprintln!(
            "usage: downpour-bench-worker STRATEGY BACKUPS FOLDER (see benches/slow_worker.py)"
        );
        return ExitCode::FAILURE;
    };
    match run(strategy, backups.parse().unwrap_or(0), folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(status) => {
            eprintln!("error: {}", status.message());
            ExitCode::FAILURE
        }
    }
}
