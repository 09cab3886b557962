//! Losses of regressions.

use downpour_tensor::{Result, Status};

use super::{Loss, flat, of_examples};
use crate::output::Output;

/// The square of the difference. Of several values per example the mean counts.
pub fn mean_squared_error(labels: &Output, predictions: &Output) -> Result<Loss> {
    let _scope = predictions.graph().name_scope("mean_squared_error")?;
    let (predictions, labels) = flat(predictions, labels, "mean_squared_error: a label")?;
    Ok(Loss(of_examples(&predictions.squared_difference(&labels)?)?))
}

/// The size of the difference. Of several values per example the mean counts.
pub fn absolute_difference(labels: &Output, predictions: &Output) -> Result<Loss> {
    let _scope = predictions.graph().name_scope("absolute_difference")?;
    let (predictions, labels) = flat(predictions, labels, "absolute_difference: a label")?;
    Ok(Loss(of_examples(&(predictions - labels)?.abs()?)?))
}

/// Half the square of differences up to `delta`, linear beyond: outliers count less.
pub fn huber(labels: &Output, predictions: &Output, delta: f64) -> Result<Loss> {
    if delta.is_nan() || delta <= 0.0 {
        return Err(Status::invalid_argument(format!("huber: delta is {delta}, not positive")));
    }
    let _scope = predictions.graph().name_scope("huber_loss")?;
    let (predictions, labels) = flat(predictions, labels, "huber: a label")?;
    let error = (predictions - labels)?.abs()?;
    let small = error.minimum(&error.scalar_like(delta)?)?;
    let large = (&error - &small)?;
    let loss = ((small.square()? * 0.5)? + (large * delta)?)?;
    Ok(Loss(of_examples(&loss)?))
}
