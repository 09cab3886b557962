//! A model of one's own: a type with settings, a layer that no library has, and its own loss.
//!
//!     cargo run --release --example own_model -- [STEPS [bfloat16|float16]]

use downpour::data::{Dataset, Remainder};
use downpour::layers::{Dense, Dropout};
use downpour::training::{Built, Inputs, Model, Trainer};
use downpour::{
    DataType, MixedPrecision, Optimizer, Output, Result, Tensor, initializers, losses, metrics,
};

// ANCHOR: layer
/// A highway layer: a gate decides how much of the input goes through unchanged. A layer is a function; what makes
/// it one is the scope, which keeps its variables apart from those of its neighbours.
fn highway(x: &Output, name: &str, size: usize) -> Result<Output> {
    let graph = x.graph();
    let _scope = graph.variable_scope(name)?;
    let kernel = graph.variable(
        "gate/kernel",
        [size, size],
        DataType::Float,
        initializers::glorot_uniform(),
    )?;
    let bias =
        graph.variable("gate/bias", [size], DataType::Float, initializers::constant(-1.0))?;
    let gate = x.matmul(&kernel.value())?.bias_add(&bias.value())?.sigmoid()?;
    let changed = Dense::new(size).relu().build(x)?;
    // x + gate * (changed - x)
    x + (&gate * (changed - x))
}
// ANCHOR_END: layer

// ANCHOR: model
/// The model's settings; `build` is called once for training and once for evaluation, with the same variables.
struct Rings {
    width: usize,
    layers: usize,
    dropout: f64,
}

impl Model for Rings {
    fn build(&self, inputs: &Inputs) -> Result<Built> {
        let mut x = Dense::new(self.width).relu().build(inputs.get("point")?)?;
        for number in 0..self.layers {
            x = highway(&x, &format!("highway_{number}"), self.width)?;
        }
        let x = Dropout::new(self.dropout).build(&x, inputs.is_training())?;
        let logits = Dense::new(3).name("logits").build(&x)?;
        let labels = inputs.get("ring")?;
        // Softened labels: the right class 0.95, the others share the rest.
        let wanted = labels.one_hot(3, DataType::Float)?;
        let wanted = ((wanted * 0.925)? + 0.025)?;
        let loss = losses::softmax_cross_entropy(&wanted, &logits)?.mean()?;
        Ok(Built::new(loss)
            .metric("accuracy", metrics::accuracy(labels, &logits)?)
            .output("logits", &logits))
    }
}
// ANCHOR_END: model

/// Points of the plane in three rings around its middle.
fn points(count: usize, first: usize) -> Result<Dataset> {
    let (mut points, mut rings) = (Vec::new(), Vec::new());
    for number in first..first + count {
        let angle = number as f32 * 2.4;
        let radius = 0.5 + (number % 3) as f32 + (number as f32 * 0.7).sin() * 0.35;
        points.extend([radius * angle.cos(), radius * angle.sin()]);
        rings.push((number % 3) as i64);
    }
    let points = Tensor::from_vec([count, 2], points)?;
    Dataset::from_tensors([("point", points), ("ring", Tensor::vector(&rings)?)])
}

fn main() -> Result<()> {
    let steps = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000);
    // ANCHOR: train
    let train = points(3_000, 0)?.shuffle(3_000, 1)?.repeat().batch(50, Remainder::Drop)?;
    let test = points(600, 3_000)?.batch(200, Remainder::Keep)?;
    let trainer = Trainer::new(Rings { width: 32, layers: 2, dropout: 0.1 }, train)
        .optimizer(Optimizer::adam(3e-3))
        .clip_gradients(1.0)
        .evaluate(test, Some(250))
        .seed(1)
        .steps(steps);
    // ANCHOR_END: train
    // ANCHOR: precision
    let trainer = match std::env::args().nth(2).as_deref() {
        Some("bfloat16") => trainer.precision(MixedPrecision::bfloat16()),
        Some("float16") => trainer.precision(MixedPrecision::float16()),
        _ => trainer,
    };
    // ANCHOR_END: precision
    let outcome = trainer.train()?;
    let measured = outcome.evaluation.unwrap_or_default();
    println!("step {}: test accuracy {:.3}", outcome.step, measured.metrics["accuracy"]);
    Ok(())
}
