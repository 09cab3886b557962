//! Learning rates: a number, a value of the graph, or a schedule computed from the step counter.

use std::f64::consts::PI;

use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::graph::Graph;
use crate::output::Output;

/// How fast variables follow their gradients.
#[derive(Clone, Debug)]
pub enum LearningRate {
    /// Always the same.
    Constant(f64),
    /// A scalar of the graph.
    Value(Output),
    /// By the graph's `global_step`.
    Schedule(Schedule),
}

impl From<f64> for LearningRate {
    fn from(rate: f64) -> LearningRate {
        LearningRate::Constant(rate)
    }
}

impl From<Output> for LearningRate {
    fn from(rate: Output) -> LearningRate {
        LearningRate::Value(rate)
    }
}

impl From<&Output> for LearningRate {
    fn from(rate: &Output) -> LearningRate {
        LearningRate::Value(rate.clone())
    }
}

impl From<Schedule> for LearningRate {
    fn from(schedule: Schedule) -> LearningRate {
        LearningRate::Schedule(schedule)
    }
}

impl LearningRate {
    /// The rate as a scalar of the graph.
    pub fn build(&self, graph: &Graph) -> Result<Output> {
        match self {
            LearningRate::Constant(rate) => graph.named_constant("learning_rate", *rate as f32),
            LearningRate::Value(rate) => {
                graph.expect_own(rate.graph(), &rate.name())?;
                let shape = rate.shape();
                if !shape.allows(&[]) || !rate.dtype().is_floating() {
                    return Err(Status::invalid_argument(format!(
                        "a learning rate is a scalar float, and {} is {} of shape {shape}",
                        rate.name(),
                        rate.dtype()
                    )));
                }
                Ok(rate.clone())
            }
            LearningRate::Schedule(schedule) => schedule.build(&graph.global_step()?.value()),
        }
    }
}

/// A learning rate that depends on the step, by TensorFlow's formulas.
#[derive(Clone, Debug)]
pub enum Schedule {
    /// `rate * decay_rate ^ (step / decay_steps)`, the exponent rounded down if `staircase`.
    Exponential {
        /// The rate at the start.
        rate: f64,
        /// The length of a decay in steps.
        decay_steps: f64,
        /// How strong the decay is.
        decay_rate: f64,
        /// Changes only at whole multiples of the length.
        staircase: bool,
    },
    /// `values[i]` up to and including step `boundaries[i]`, the last value after them.
    Piecewise {
        /// The last step of each value but the last, rising.
        boundaries: Vec<i64>,
        /// One value more than boundaries.
        values: Vec<f64>,
    },
    /// From `rate` to `end` in `decay_steps`, along a power of what is left; again and longer if `cycle`.
    Polynomial {
        /// The rate at the start.
        rate: f64,
        /// The length of a decay in steps.
        decay_steps: f64,
        /// The rate at the end.
        end: f64,
        /// 1 is a straight line.
        power: f64,
        /// Starts again, longer each time, instead of staying at the end.
        cycle: bool,
    },
    /// Along half a cosine from `rate` to `alpha * rate`.
    Cosine {
        /// The rate at the start.
        rate: f64,
        /// The length of a decay in steps.
        decay_steps: f64,
        /// The share of the rate that stays.
        alpha: f64,
    },
    /// Cosines one after the other, each `t_mul` times as long and `m_mul` times as high.
    CosineRestarts {
        /// The rate at the start.
        rate: f64,
        /// The length of the first round in steps.
        first_decay_steps: f64,
        /// How much longer each round is than the one before.
        t_mul: f64,
        /// How much higher each round starts than the one before.
        m_mul: f64,
        /// The share of the rate that stays.
        alpha: f64,
    },
    /// `rate / (1 + decay_rate * step / decay_steps)`, the quotient rounded down if `staircase`.
    InverseTime {
        /// The rate at the start.
        rate: f64,
        /// The length of a decay in steps.
        decay_steps: f64,
        /// How strong the decay is.
        decay_rate: f64,
        /// Changes only at whole multiples of the length.
        staircase: bool,
    },
    /// Rises in a straight line from zero for `steps` steps, then goes on with another schedule.
    WarmUp {
        /// How many steps it rises.
        steps: i64,
        /// What follows, and where it rises to.
        then: Box<LearningRate>,
    },
}

impl Schedule {
    /// Another learning rate after a warm-up.
    pub fn warm_up(steps: i64, then: impl Into<LearningRate>) -> Schedule {
        Schedule::WarmUp { steps, then: Box::new(then.into()) }
    }

    /// The rate at a step (an integer scalar), as a float32 scalar.
    pub fn build(&self, step: &Output) -> Result<Output> {
        let graph = step.graph();
        let _scope = graph.name_scope("learning_rate")?;
        let now = step.cast(DataType::Float)?;
        match self {
            Schedule::Exponential { rate, decay_steps, decay_rate, staircase } => {
                let passed = passed(&now, *decay_steps, *staircase)?;
                *rate * now.scalar_like(*decay_rate)?.pow(&passed)?
            }
            Schedule::InverseTime { rate, decay_steps, decay_rate, staircase } => {
                let passed = passed(&now, *decay_steps, *staircase)?;
                *rate / ((*decay_rate * passed)? + 1.0)?
            }
            Schedule::Piecewise { boundaries, values } => piecewise(step, boundaries, values),
            Schedule::Polynomial { rate, decay_steps, end, power, cycle } => {
                let mut length = now.scalar_like(*decay_steps)?;
                let mut now = now;
                if *cycle {
                    let rounds = (&now / &length)?.ceil()?;
                    let first = now.equal(&now.scalar_like(0.0)?)?;
                    length = (first.select(&now.scalar_like(1.0)?, &rounds)? * length)?;
                } else {
                    now = now.minimum(&length)?;
                }
                let left = (1.0 - (now / length)?)?;
                ((*rate - *end) * left.pow(&left.scalar_like(*power)?)?)? + *end
            }
            Schedule::Cosine { rate, decay_steps, alpha } => {
                let length = now.scalar_like(*decay_steps)?;
                let done = (now.minimum(&length)? / length)?;
                let cosine = half_cosine(&done)?;
                *rate * (((1.0 - *alpha) * cosine)? + *alpha)?
            }
            Schedule::CosineRestarts { rate, first_decay_steps, t_mul, m_mul, alpha } => {
                let (round, done) = rounds((&now / *first_decay_steps)?, *t_mul)?;
                let height = now.scalar_like(*m_mul)?.pow(&round)?;
                let cosine = (height * half_cosine(&done)?)?;
                *rate * (((1.0 - *alpha) * cosine)? + *alpha)?
            }
            Schedule::WarmUp { steps, then } => {
                if *steps < 1 {
                    return Err(Status::invalid_argument(format!(
                        "a warm-up takes at least one step, not {steps}"
                    )));
                }
                let reached = step.scalar_like(*steps as f64)?;
                let at = |step: &Output| match &**then {
                    LearningRate::Schedule(schedule) => schedule.build(step),
                    other => other.build(graph)?.cast(DataType::Float),
                };
                let rising = (at(&reached)? * (&now / *steps as f64)?)?;
                step.less(&reached)?.select(&rising, &at(step)?)
            }
        }
    }
}

fn passed(now: &Output, steps: f64, staircase: bool) -> Result<Output> {
    let passed = (now / steps)?;
    if staircase { passed.floor() } else { Ok(passed) }
}

/// From 1 to 0 while `done` goes from 0 to 1.
fn half_cosine(done: &Output) -> Result<Output> {
    0.5 * ((PI * done)?.cos()? + 1.0)?
}

/// Which round it is, and how much of it is done, when each takes `longer` times the one before.
fn rounds(passed: Output, longer: f64) -> Result<(Output, Output)> {
    if longer == 1.0 {
        let round = passed.floor()?;
        let done = (passed - &round)?;
        return Ok((round, done));
    }
    let growth = passed.scalar_like(longer)?;
    let round = ((1.0 - (&passed * (1.0 - longer))?)?.log()? / growth.log()?)?.floor()?;
    let length = growth.pow(&round)?;
    let before = ((1.0 - &length)? / (1.0 - longer))?;
    let done = ((passed - before)? / length)?;
    Ok((round, done))
}

fn piecewise(step: &Output, boundaries: &[i64], values: &[f64]) -> Result<Output> {
    let graph = step.graph();
    let Some((last, earlier)) = values.split_last().filter(|(_, e)| e.len() == boundaries.len())
    else {
        return Err(Status::invalid_argument(format!(
            "a piecewise learning rate has one value more than boundaries, not {} for {}",
            values.len(),
            boundaries.len()
        )));
    };
    if !boundaries.is_sorted() {
        return Err(Status::invalid_argument(format!(
            "the boundaries of a piecewise learning rate must rise: {boundaries:?}"
        )));
    }
    let mut rate = graph.constant(*last as f32)?;
    for (boundary, value) in boundaries.iter().zip(earlier).rev() {
        let boundary = graph.constant(Tensor::scalar(*boundary))?.cast(step.dtype())?;
        let value = graph.constant(*value as f32)?;
        rate = step.less_equal(&boundary)?.select(&value, &rate)?;
    }
    Ok(rate)
}
