//! Losses, by TensorFlow's formulas: of every example, and of the batch.
//!
//! ```
//! use downpour::{Graph, Session, losses};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let logits = graph.constant([[2.0f32, 0.0], [0.0, 0.0]])?;
//! let labels = graph.constant([0i32, 1])?;
//! let loss = losses::sparse_softmax_cross_entropy(&labels, &logits)?;
//! let each = loss.per_example().clone();
//! let mean = loss.mean()?;
//! let values = Session::local(&graph)?.run(&[], &[&each, &mean])?;
//! assert_eq!(values[0].dims(), &[2]);
//! assert!((values[1].to_scalar::<f32>()? - 0.41).abs() < 0.01);
//! # Ok(())
//! # }
//! ```

mod classification;
mod distances;
mod regression;

use downpour_tensor::{DataType, Result, Status};

use crate::output::Output;

pub use classification::{
    hinge, sigmoid_cross_entropy, softmax_cross_entropy, sparse_softmax_cross_entropy,
};
pub use distances::{contrastive, pairwise_squared_distances, triplet, triplet_semi_hard};
pub use regression::{absolute_difference, huber, mean_squared_error};

/// A loss of each example of a batch.
#[derive(Clone, Debug)]
pub struct Loss(Output);

impl Loss {
    /// A loss of one's own: one value per example.
    pub fn new(per_example: Output) -> Loss {
        Loss(per_example)
    }

    /// The loss of each example.
    pub fn per_example(&self) -> &Output {
        &self.0
    }

    /// The mean over the batch: what training usually makes small.
    pub fn mean(&self) -> Result<Output> {
        self.0.mean_all()
    }

    /// The sum over the batch.
    pub fn sum(&self) -> Result<Output> {
        self.0.sum_all()
    }

    /// Each example's loss times its weight.
    pub fn weighted(&self, weights: &Output) -> Result<Loss> {
        let (losses, weights) = flat(&self.0, weights, "a weight")?;
        Ok(Loss((losses * weights)?))
    }
}

/// The loss plus what regularizers have added to the graph.
pub fn regularized(loss: &Output) -> Result<Output> {
    let mut total = loss.clone();
    for part in loss.graph().regularization_losses() {
        total = (total + part.cast(loss.dtype())?)?;
    }
    Ok(total)
}

/// Half the sum of squares times a number, as `tf.nn.l2_loss`: a penalty on weights of one's choice.
pub fn l2(weights: &Output, scale: f64) -> Result<Output> {
    crate::ops::l2_loss(weights).build()? * scale
}

/// Labels that are numbers of classes, as a vector: int32 or int64, whatever integers they came as.
pub(crate) fn class_labels(what: &str, labels: &Output) -> Result<Output> {
    let dtype = labels.dtype();
    if !dtype.is_integer() && dtype != DataType::Bool {
        return Err(Status::invalid_argument(format!(
            "{what}: labels are numbers of classes, but {} is {dtype}",
            labels.name()
        )));
    }
    let labels = match labels.known_rank(what)? {
        1 => labels.clone(),
        2 if labels.shape().dim(1).is_none_or(|size| size == 1) => labels.reshape(&[-1])?,
        _ => {
            return Err(Status::invalid_argument(format!(
                "{what}: one label per example is needed, but {} has the shape {}",
                labels.name(),
                labels.shape()
            )));
        }
    };
    match dtype {
        DataType::Int32 | DataType::Int64 => Ok(labels),
        DataType::UInt32 | DataType::UInt64 => labels.cast(DataType::Int64),
        _ => labels.cast(DataType::Int32),
    }
}

/// Two values of the same shape, the second cast to the first's type; a last axis of one may be missing.
fn flat(first: &Output, second: &Output, what: &str) -> Result<(Output, Output)> {
    let second = second.cast(first.dtype())?;
    let (a, b) = (first.shape(), second.shape());
    let (mut first, mut second) = (first.clone(), second);
    match (a.rank(), b.rank()) {
        (Some(2), Some(1)) if a.dim(1) == Some(1) => first = first.squeeze(&[1])?,
        (Some(1), Some(2)) if b.dim(1) == Some(1) => second = second.squeeze(&[1])?,
        _ => {}
    }
    if first.shape().is_compatible(&second.shape()) {
        return Ok((first, second));
    }
    Err(Status::invalid_argument(format!(
        "{what} is needed for every value, but {} has the shape {a} and {} the shape {b}",
        first.name(),
        second.name()
    )))
}

/// The mean over all axes but the batch.
fn of_examples(values: &Output) -> Result<Output> {
    match values.known_rank("a loss")? {
        0 | 1 => Ok(values.clone()),
        rank => values.reduce_mean(&(1..rank as i32).collect::<Vec<i32>>(), false),
    }
}
