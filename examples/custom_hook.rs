//! Hooks, checkpoints and going on: training that is watched, stopped early, and resumed.
//!
//!     cargo run --release --example custom_hook -- [STEPS]

use std::time::{Duration, Instant};

use downpour::data::{Dataset, Remainder};
use downpour::training::{Built, CheckpointPolicy, EarlyStopping, Hook, Inputs, Next};
use downpour::training::{Outcome, StepReport, Trainer};
use downpour::{Optimizer, Result, Session, Status, Tensor, layers, losses};

// ANCHOR: hook
/// Says now and then how training goes, and ends it when the loss is no number any more.
struct Watch {
    every: i64,
    since: Instant,
}

impl Hook for Watch {
    fn started(&mut self, _session: &Session, step: i64) -> Result<()> {
        println!("training begins at step {step}");
        self.since = Instant::now();
        Ok(())
    }

    fn stepped(&mut self, report: &StepReport<'_>) -> Result<Next> {
        if !report.loss.is_finite() {
            return Ok(Next::Stop(format!("the loss is {}", report.loss)));
        }
        if report.step % self.every == 0 {
            let spent = self.since.elapsed().as_millis();
            println!("step {}: loss {:.4} after {spent} ms", report.step, report.loss);
        }
        Ok(Next::Continue)
    }
}
// ANCHOR_END: hook

/// A curve that a small network is to learn.
fn curve(inputs: &Inputs) -> Result<Built> {
    let hidden =
        layers::Dense::new(32).activation(layers::Activation::Tanh).build(inputs.get("x")?)?;
    let guess = layers::Dense::new(1).build(&hidden)?;
    let loss = losses::mean_squared_error(inputs.get("y")?, &guess)?.mean()?;
    Ok(Built::new(loss).output("y", &guess))
}

fn points(count: usize) -> Result<Dataset> {
    let xs: Vec<f32> = (0..count).map(|i| 6.0 * i as f32 / count as f32 - 3.0).collect();
    let ys: Vec<f32> = xs.iter().map(|x| x.sin()).collect();
    Dataset::from_tensors([
        ("x", Tensor::from_vec([count, 1], xs)?),
        ("y", Tensor::from_vec([count, 1], ys)?),
    ])
}

fn train(folder: &std::path::Path, steps: i64) -> Result<Outcome> {
    let batches = points(600)?.shuffle(600, 1)?.repeat().batch(30, Remainder::Drop)?;
    let test = points(77)?.batch(77, Remainder::Keep)?;
    // ANCHOR: trainer
    Trainer::new(curve, batches)
        .optimizer(Optimizer::adam(0.01))
        .evaluate(test, Some(50))
        // Ends when the loss over the test data was not better five times in a row.
        .hook(EarlyStopping::new("loss", 5))
        .hook(Watch { every: 50, since: Instant::now() })
        .folder(folder)
        .checkpoints(CheckpointPolicy {
            every_steps: Some(100),
            every: Some(Duration::from_secs(60)),
            keep: 3,
            // The best one stays too, however old it is; lower is better.
            keep_best: Some(("loss".to_string(), true)),
        })
        .steps(steps)
        .train()
    // ANCHOR_END: trainer
}

fn main() -> Result<()> {
    let steps = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(400);
    let folder = tempfile::tempdir().map_err(|e| Status::internal(e.to_string()))?;
    let outcome = train(folder.path(), steps)?;
    println!("ended at step {}: {}", outcome.step, outcome.reason);
    // ANCHOR: resume
    // The folder has a checkpoint now: the same program goes on from it, variables and data where they were.
    let outcome = train(folder.path(), outcome.step + 100)?;
    println!("ended at step {}: {}", outcome.step, outcome.reason);
    // ANCHOR_END: resume
    Ok(())
}
