//! A function as a model, trained on MNIST in this process.
//!
//!     cargo run --release --example digits -- [STEPS]
//!
//! Checkpoints, event files for TensorBoard and a SavedModel are in `runs/digits` afterwards. Run again with more
//! steps, it goes on where it ended.

use downpour::data::{Dataset, Remainder};
use downpour::training::{Built, Inputs, Trainer};
use downpour::{DataType, Optimizer, Result, layers, losses, metrics};

// ANCHOR: data
/// Images with their labels, one by one.
fn images(part: &str) -> Result<Dataset> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/mnist");
    let images = Dataset::idx(&format!("{folder}/{part}-images-idx3-ubyte.gz"), "image")?;
    let labels = Dataset::idx(&format!("{folder}/{part}-labels-idx1-ubyte.gz"), "label")?;
    Ok(images.zip(&labels).cache())
}
// ANCHOR_END: data

// ANCHOR: model
/// Pixels to a hidden layer to ten numbers, the largest of which is the digit's.
fn digits(inputs: &Inputs) -> Result<Built> {
    let pixels = inputs.get("image")?.cast(DataType::Float)?.reshape(&[-1, 784])?;
    let hidden = layers::Dense::new(256).relu().build(&(pixels / 255.0)?)?;
    let logits = layers::Dense::new(10).build(&hidden)?;
    let labels = inputs.get("label")?.cast(DataType::Int64)?;
    let loss = losses::sparse_softmax_cross_entropy(&labels, &logits)?.mean()?;
    let accuracy = metrics::accuracy(&labels, &logits)?;
    Ok(Built::new(loss).metric("accuracy", accuracy).output("logits", &logits))
}
// ANCHOR_END: model

// ANCHOR: train
fn main() -> Result<()> {
    let steps = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let train = images("train")?.shuffle(10_000, 1)?.repeat();
    let train = train.batch(64, Remainder::Drop)?.prefetch(4);
    let test = images("t10k")?.batch(500, Remainder::Keep)?;
    let outcome = Trainer::new(digits, train)
        .evaluate(test, None)
        .optimizer(Optimizer::adam(1e-3))
        .folder("runs/digits")
        .steps(steps)
        .stop_on_signals()?
        .train()?;
    let measured = outcome.evaluation.unwrap_or_default();
    println!("step {}: {:?} ({})", outcome.step, measured.metrics, outcome.reason);
    Ok(())
}
// ANCHOR_END: train
