//! Losses: how far predictions are from what was wanted, by the formulas of `tf.losses`.
//!
//! Each gives one loss per example (or per element); [`mean`] and [`weighted_mean`] make the scalar that
//! optimizers minimize.

use downpour_tensor::{DataType, Result, Status};

use crate::node_builder::NodeBuilder;
use crate::output::Output;

/// The mean of losses.
pub fn mean(losses: &Output) -> Result<Output> {
    losses.mean_all()
}

/// The weighted sum of losses divided by how many have a weight that is not zero, as `tf.losses` reduce.
/// Weights are of the losses' shape, or can be broadcast to it.
pub fn weighted_mean(losses: &Output, weights: &Output) -> Result<Output> {
    let _scope = losses.graph().name_scope("weighted_mean")?;
    let weights = weights.cast(losses.dtype())?;
    let weighted = (losses * &weights)?;
    let zero = weights.scalar_like(0.0)?;
    let present = weights.not_equal(&zero)?.cast(losses.dtype())?;
    let count = (losses.ones_like()? * present)?.sum_all()?;
    divide_no_nan(&weighted.sum_all()?, &count)
}

/// The quotient, zero where the divisor is zero.
pub(crate) fn divide_no_nan(a: &Output, b: &Output) -> Result<Output> {
    NodeBuilder::new("DivNoNan").input(a).input(b).output()
}

/// Cross entropy of softmax(logits) with probabilities (one-hot labels are such), one loss per row.
pub fn softmax_cross_entropy(logits: &Output, labels: &Output) -> Result<Output> {
    let labels = labels.cast(logits.dtype())?;
    let node = NodeBuilder::new("SoftmaxCrossEntropyWithLogits").input(logits).input(&labels);
    node.name("softmax_cross_entropy").output()
}

/// Cross entropy of softmax(logits) with classes by number, one loss per row.
pub fn sparse_softmax_cross_entropy(logits: &Output, labels: &Output) -> Result<Output> {
    let labels = match labels.dtype() {
        DataType::Int32 | DataType::Int64 => labels.clone(),
        dtype if dtype.is_integer() => labels.cast(DataType::Int32)?,
        dtype => {
            return Err(Status::invalid_argument(format!(
                "sparse_softmax_cross_entropy: labels are numbers of classes, and {} is of type {dtype}; for \
                 probabilities use softmax_cross_entropy",
                labels.name()
            )));
        }
    };
    let node = NodeBuilder::new("SparseSoftmaxCrossEntropyWithLogits").input(logits).input(&labels);
    node.name("sparse_softmax_cross_entropy").output()
}

/// Cross entropy of sigmoid(logits) with probabilities, one loss per element; exact for large logits.
pub fn sigmoid_cross_entropy(logits: &Output, labels: &Output) -> Result<Output> {
    let _scope = logits.graph().name_scope("sigmoid_cross_entropy")?;
    let labels = labels.cast(logits.dtype())?;
    let zeros = logits.zeros_like()?;
    let positive = logits.greater_equal(&zeros)?;
    let above = positive.select(logits, &zeros)?;
    let negative = positive.select(&(-logits)?, logits)?;
    (above - (logits * labels)?)? + negative.exp()?.log1p()?
}

/// Squared differences, one per element.
pub fn squared_error(predictions: &Output, labels: &Output) -> Result<Output> {
    predictions.squared_difference(&labels.cast(predictions.dtype())?)
}

/// Absolute differences, one per element.
pub fn absolute_error(predictions: &Output, labels: &Output) -> Result<Output> {
    (predictions - labels.cast(predictions.dtype())?)?.abs()
}

/// Zero for logits on the right side of ±1, growing beyond it; labels are 0 or 1.
pub fn hinge(logits: &Output, labels: &Output) -> Result<Output> {
    let _scope = logits.graph().name_scope("hinge_loss")?;
    let signs = ((labels.cast(logits.dtype())? * 2.0)? - 1.0)?;
    (1.0 - (signs * logits)?)?.relu()
}

/// Squares of small differences, multiples of large ones; `delta` is where it turns.
pub fn huber(predictions: &Output, labels: &Output, delta: f64) -> Result<Output> {
    let _scope = predictions.graph().name_scope("huber_loss")?;
    let error = absolute_error(predictions, labels)?;
    let quadratic = error.minimum(&error.scalar_like(delta)?)?;
    let linear = (&error - &quadratic)?;
    (0.5 * (&quadratic * &quadratic)?)? + (delta * linear)?
}

/// How much nearer (in squared distance) an example is to one of another class than, by `margin`, to one
/// of its own; one loss per row.
pub fn triplet(
    anchor: &Output,
    positive: &Output,
    negative: &Output,
    margin: f64,
) -> Result<Output> {
    let _scope = anchor.graph().name_scope("triplet_loss")?;
    let near = anchor.squared_difference(positive)?.reduce_sum(&[-1], false)?;
    let far = anchor.squared_difference(negative)?.reduce_sum(&[-1], false)?;
    ((near - far)? + margin)?.relu()
}

/// The squared distance of pairs that belong together (label 1), and for others (label 0) the square of what
/// is missing to `margin`.
pub fn contrastive(distances: &Output, labels: &Output, margin: f64) -> Result<Output> {
    let _scope = distances.graph().name_scope("contrastive_loss")?;
    let labels = labels.cast(distances.dtype())?;
    let together = (&labels * distances.square()?)?;
    let missing = (margin - distances)?.relu()?.square()?;
    together + ((1.0 - labels)? * missing)?
}

/// Half the sum of squares, times a factor: a penalty on large weights.
pub fn l2_penalty(weights: &Output, factor: f64) -> Result<Output> {
    NodeBuilder::new("L2Loss").input(weights).output()? * factor
}
