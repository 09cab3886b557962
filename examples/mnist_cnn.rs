//! A convolutional network on MNIST in this process, and how fast it trains.
//!
//!     cargo run --release --example mnist_cnn -- --steps 2000 --batch 128 --threads 2
//!
//! Two convolutions (3x3, 32 and 64 filters) with max pools, a dense layer of 128, Adam: the network most
//! introductions begin with, so the numbers can be held against other systems'.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use downpour::data::{Dataset, Remainder};
use downpour::layers::{Conv2d, Dense, MaxPool2d, flatten};
use downpour::training::{Built, Hook, Inputs, Next, StepReport, Trainer};
use downpour::{DataType, Optimizer, Result, losses, metrics};

/// Images with their labels, unpacked once and kept in memory.
fn images(part: &str) -> Result<Dataset> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/mnist");
    let images = Dataset::idx(&format!("{folder}/{part}-images-idx3-ubyte.gz"), "image")?;
    let labels = Dataset::idx(&format!("{folder}/{part}-labels-idx1-ubyte.gz"), "label")?;
    Ok(images.zip(&labels).cache())
}

fn cnn(inputs: &Inputs) -> Result<Built> {
    // Bytes [batch, 28, 28] to numbers [batch, 28, 28, 1] between 0 and 1.
    let pixels = inputs.get("image")?.cast(DataType::Float)?.reshape(&[-1, 28, 28, 1])?;
    let x = Conv2d::new(32, 3).relu().build(&(pixels / 255.0)?)?;
    let x = MaxPool2d::new(2).build(&x)?;
    let x = Conv2d::new(64, 3).relu().build(&x)?;
    let x = MaxPool2d::new(2).build(&x)?;
    let x = Dense::new(128).relu().build(&flatten(&x)?)?;
    let logits = Dense::new(10).build(&x)?;
    let labels = inputs.get("label")?;
    let loss = losses::sparse_softmax_cross_entropy(labels, &logits)?.mean()?;
    Ok(Built::new(loss).metric("accuracy", metrics::accuracy(labels, &logits)?))
}

/// Examples per second once the first steps are over, which also prepare the graph and fill the data's buffers.
struct Speed {
    from: i64,
    begun: Instant,
    examples: usize,
    shown: Arc<Mutex<f64>>,
}

impl Hook for Speed {
    fn stepped(&mut self, report: &StepReport<'_>) -> Result<Next> {
        if report.step <= self.from {
            self.begun = Instant::now();
            return Ok(Next::Continue);
        }
        self.examples += report.examples;
        let rate = self.examples as f64 / self.begun.elapsed().as_secs_f64();
        *self.shown.lock().expect("nobody panics with it") = rate;
        Ok(Next::Continue)
    }
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, usual: usize| {
        let place = args.iter().position(|arg| arg == name);
        place.and_then(|place| args.get(place + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (steps, batch) = (number("--steps", 1000), number("--batch", 128));
    let test_examples = number("--test", 10_000) as u64;
    // 0 is a thread for every processor.
    let threads = number("--threads", 0);

    let train = images("train")?.shuffle(10_000, 1)?.repeat();
    let train = train.batch(batch, Remainder::Drop)?.prefetch(4);
    let test = images("t10k")?.take(test_examples).batch(500, Remainder::Keep)?;
    let shown = Arc::new(Mutex::new(0.0));
    let from = (steps as i64 / 2).min(50);
    let speed = Speed { from, begun: Instant::now(), examples: 0, shown: shown.clone() };
    let outcome = Trainer::new(cnn, train)
        .optimizer(Optimizer::adam(1e-3))
        .evaluate(test, None)
        .hook(speed)
        .threads(threads)
        .steps(steps as i64)
        .train()?;
    let rate = *shown.lock().expect("nobody panics with it");
    let accuracy = outcome.evaluation.unwrap_or_default().metrics["accuracy"];
    println!(
        "{} steps of {batch}: {rate:.0} examples/s, test accuracy {accuracy:.4}",
        outcome.steps
    );
    Ok(())
}
