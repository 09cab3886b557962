//! What an optimization tells about itself.

use serde::{Deserialize, Serialize};

/// Why an optimization ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// The gradient is short enough: this is (close to) a minimum.
    GradientNorm,
    /// The last iteration lowered the loss by next to nothing.
    RelativeDecrease,
    /// The number of iterations that was allowed.
    Iterations,
    /// Not even straight downhill was a lower loss found: rounding, or a gradient that is not one.
    NoProgress,
}

/// One iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Counted from 1; 0 is the starting point.
    pub number: u64,
    /// The loss after it.
    pub loss: f64,
    /// The length of the gradient after it.
    pub gradient_norm: f64,
    /// The length of the step as a multiple of the direction.
    pub step: f64,
    /// Evaluations it took.
    pub evaluations: u32,
    /// True when the history was thrown away because its direction was of no use.
    pub restarted: bool,
    /// Why it was the last, if it was.
    pub stop: Option<Stop>,
}

/// How an optimization ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Why.
    pub stop: Stop,
    /// The loss at the end.
    pub loss: f64,
    /// The length of the gradient at the end.
    pub gradient_norm: f64,
    /// Iterations made since the very start, those before a resumption included.
    pub iterations: u64,
    /// Evaluations made since the very start.
    pub evaluations: u64,
}
