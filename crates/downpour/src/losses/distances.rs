//! Losses of embeddings, by the distances between them.

use downpour_tensor::{DataType, Result, Status};

use super::{Loss, class_labels, flat};
use crate::output::Output;

/// The square of the distance between rows of two values [batch, size].
fn squared_distance(a: &Output, b: &Output) -> Result<Output> {
    a.squared_difference(b)?.reduce_sum(&[-1], false)
}

/// An anchor should be nearer to its positive example than to its negative one, by `margin` of squared
/// distance. All are [batch, size].
pub fn triplet(
    anchors: &Output,
    positives: &Output,
    negatives: &Output,
    margin: f64,
) -> Result<Loss> {
    let _scope = anchors.graph().name_scope("triplet")?;
    let near = squared_distance(anchors, positives)?;
    let far = squared_distance(anchors, negatives)?;
    Ok(Loss(((near - far)? + margin)?.relu()?))
}

/// Pairs of embeddings [batch, size] with label 1 should be near each other, those with label 0 at least
/// `margin` apart.
pub fn contrastive(labels: &Output, left: &Output, right: &Output, margin: f64) -> Result<Loss> {
    let _scope = left.graph().name_scope("contrastive")?;
    let (square, labels) = flat(&squared_distance(left, right)?, labels, "contrastive: a label")?;
    // The root has no slope at zero.
    let distance = square.maximum(&square.scalar_like(1e-12)?)?.sqrt()?;
    let apart = (margin - distance)?.relu()?.square()?;
    let loss = ((&labels * &square)? + ((1.0 - &labels)? * apart)?)?;
    Ok(Loss(loss))
}

/// The squares of the distances between all pairs of rows of [batch, size]: [batch, batch].
pub fn pairwise_squared_distances(embeddings: &Output) -> Result<Output> {
    if embeddings.known_rank("pairwise_squared_distances")? != 2 {
        return Err(Status::invalid_argument(format!(
            "embeddings are [batch, size], but {} has the shape {}",
            embeddings.name(),
            embeddings.shape()
        )));
    }
    let squares = embeddings.square()?.reduce_sum(&[1], true)?;
    let products = embeddings.matmul_transposed(embeddings, false, true)?;
    let sums = (&squares + squares.transpose(&[1, 0])?)?;
    // Rounding must not make them negative.
    (sums - (products * 2.0)?)?.relu()
}

/// Triplets found within a batch (Schroff et al., 2015): for every pair of embeddings with the same label,
/// the nearest one with another label that is farther than the pair's distance, or the farthest one if
/// there is none. Gives a scalar: the mean over pairs.
pub fn triplet_semi_hard(labels: &Output, embeddings: &Output, margin: f64) -> Result<Output> {
    let _scope = embeddings.graph().name_scope("triplet_semi_hard")?;
    let labels = class_labels("triplet_semi_hard", labels)?;
    let dtype = embeddings.dtype();
    let distances = pairwise_squared_distances(embeddings)?;
    let same = labels.expand_dims(0)?.equal(&labels.expand_dims(1)?)?;
    let other = same.logical_not()?;
    // Axes: anchor, positive, negative.
    let near = distances.expand_dims(2)?;
    let far = distances.expand_dims(1)?;
    let farther = far.greater(&near)?.logical_and(&other.expand_dims(1)?)?;
    let any = farther.cast(DataType::Float)?.reduce_max(&[2], false)?;
    let any = any.greater(&any.scalar_like(0.0)?)?;
    let far = (&far + near.zeros_like()?)?;
    let beyond = distances.max_all()?;
    let outside = farther.select(&far, &beyond)?.reduce_min(&[2], false)?;
    let inside = other.select(&distances, &distances.zeros_like()?)?.reduce_max(&[1], true)?;
    let inside = (inside + distances.zeros_like()?)?;
    let chosen = any.select(&outside, &inside)?;
    let losses = ((&distances - chosen)? + margin)?.relu()?;
    // Pairs of different examples.
    let count = embeddings.shape_of()?.slice(&[0], &[1])?;
    let ones = crate::ops::fill(&count, &losses.scalar_like(1.0)?).build()?;
    let pairs = (same.cast(dtype)? - crate::ops::diag(&ones).build()?)?;
    let number = pairs.sum_all()?;
    let number = number.maximum(&number.scalar_like(1.0)?)?;
    (losses * pairs)?.sum_all()? / number
}
