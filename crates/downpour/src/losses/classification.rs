//! Losses of classifiers.

use downpour_tensor::{Result, Status};

use super::{Loss, class_labels, flat, of_examples};
use crate::ops;
use crate::output::Output;

/// Cross entropy between the softmax of logits [batch, classes] and labels, which are distributions over the
/// classes [batch, classes] (a one at the right class and zeros elsewhere, or softer ones).
pub fn softmax_cross_entropy(labels: &Output, logits: &Output) -> Result<Loss> {
    let _scope = logits.graph().name_scope("softmax_cross_entropy")?;
    let labels = labels.cast(logits.dtype())?;
    if !logits.shape().is_compatible(&labels.shape()) || logits.shape().rank() != Some(2) {
        return Err(Status::invalid_argument(format!(
            "softmax_cross_entropy takes labels and logits of the same shape [batch, classes], but {} has the \
             shape {} and {} the shape {}; for labels that are numbers of classes use \
             sparse_softmax_cross_entropy",
            labels.name(),
            labels.shape(),
            logits.name(),
            logits.shape()
        )));
    }
    let (loss, _) = ops::softmax_cross_entropy_with_logits(logits, &labels).build()?;
    Ok(Loss(loss))
}

/// Cross entropy between the softmax of logits [batch, classes] and labels, which are numbers of classes.
pub fn sparse_softmax_cross_entropy(labels: &Output, logits: &Output) -> Result<Loss> {
    let _scope = logits.graph().name_scope("sparse_softmax_cross_entropy")?;
    let labels = class_labels("sparse_softmax_cross_entropy", labels)?;
    if logits.shape().rank().is_some_and(|rank| rank != 2) {
        return Err(Status::invalid_argument(format!(
            "sparse_softmax_cross_entropy takes logits [batch, classes], but {} has the shape {}",
            logits.name(),
            logits.shape()
        )));
    }
    let (loss, _) = ops::sparse_softmax_cross_entropy_with_logits(logits, &labels).build()?;
    Ok(Loss(loss))
}

/// Cross entropy between the sigmoid of each logit and its label, between 0 and 1. Of several logits per
/// example the mean counts.
pub fn sigmoid_cross_entropy(labels: &Output, logits: &Output) -> Result<Loss> {
    let _scope = logits.graph().name_scope("sigmoid_cross_entropy")?;
    let (logits, labels) = flat(logits, labels, "sigmoid_cross_entropy: a label")?;
    // Exponentials only of what is not positive; and choices instead of |x|, which has no slope at zero.
    let positive = logits.greater_equal(&logits.scalar_like(0.0)?)?;
    let above = positive.select(&logits, &logits.zeros_like()?)?;
    let minus_size = positive.select(&(-&logits)?, &logits)?;
    let loss = ((above - (&logits * &labels)?)? + minus_size.exp()?.log1p()?)?;
    Ok(Loss(of_examples(&loss)?))
}

/// Hinge loss: labels are 0 or 1, logits should be at least 1 away from zero on the right side.
pub fn hinge(labels: &Output, logits: &Output) -> Result<Loss> {
    let _scope = logits.graph().name_scope("hinge")?;
    let (logits, labels) = flat(logits, labels, "hinge: a label")?;
    let signs = ((labels * 2.0)? - 1.0)?;
    let loss = (1.0 - (signs * logits)?)?.relu()?;
    Ok(Loss(of_examples(&loss)?))
}
