//! What classifiers share: images as numbers, loss, measures and outputs.

use downpour_tensor::{DataType, Result, Status};

use crate::losses;
use crate::metrics;
use crate::output::Output;
use crate::training::{Built, Inputs};

/// Numbers to compute with: bytes between 0 and 1, other numbers as they are. In float32, but for float64
/// columns, which are computed with in float64.
pub(super) fn real(x: &Output) -> Result<Output> {
    match x.dtype() {
        DataType::UInt8 => x.cast(DataType::Float)? * (1.0 / 255.0),
        DataType::Double => Ok(x.clone()),
        dtype if dtype.is_floating() || dtype.is_integer() => x.cast(DataType::Float),
        dtype => Err(Status::invalid_argument(format!(
            "the model computes with numbers, but the column {} is {dtype}",
            x.name()
        ))),
    }
}

/// Images [batch, height, width, channels] of real numbers; gray ones may come without channels.
pub(super) fn images(x: &Output) -> Result<Output> {
    let x = real(x)?;
    match x.known_rank("the model")? {
        4 => Ok(x),
        3 => x.expand_dims(-1),
        _ => Err(Status::invalid_argument(format!(
            "the model takes images [batch, height, width] or [batch, height, width, channels], but {} has the \
             shape {}",
            x.name(),
            x.shape()
        ))),
    }
}

/// A classifier with these logits [batch, classes]: loss, accuracy and outputs.
pub(super) fn classifier(inputs: &Inputs, label: &str, logits: &Output) -> Result<Built> {
    let labels = inputs.get(label)?;
    let loss = losses::sparse_softmax_cross_entropy(labels, logits)?.mean()?;
    Ok(Built::new(losses::regularized(&loss)?)
        .metric("accuracy", metrics::accuracy(labels, logits)?)
        .output("logits", logits)
        .output("probabilities", &logits.softmax()?)
        .output("classes", &logits.argmax(-1)?))
}

/// Refuses sizes that make no layer.
pub(super) fn expect_positive(model: &str, field: &str, sizes: &[usize]) -> Result<()> {
    match sizes.iter().all(|size| *size > 0) {
        true => Ok(()),
        false => Err(Status::invalid_argument(format!(
            "{model}: {field} has a size of 0; every size must be at least 1"
        ))),
    }
}
