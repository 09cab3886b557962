//! The distributions candidates are drawn from.

use std::collections::HashSet;

use downpour_runtime::CancellationToken;
use downpour_tensor::{Charge, CountedVec, Result, Status};
use parking_lot::Mutex;

use super::alias_table::AliasTable;
use super::weights::Weights;
use crate::philox::Singles;

pub(super) enum RangeSampler {
    Uniform {
        range: u64,
    },
    /// Class c with probability proportional to log((c + 2) / (c + 1)): Zipf's law.
    LogUniform {
        range: u64,
    },
    /// As often as the class was among the true ones so far, plus one.
    Learned(Mutex<Weights>),
    Fixed {
        weights: CountedVec<f32>,
        total: f32,
        table: AliasTable,
    },
    /// Every class once.
    All {
        range: u64,
    },
}

pub(super) struct Drawn {
    pub candidates: CountedVec<i64>,
    pub expected: CountedVec<f32>,
    pub true_expected: CountedVec<f32>,
}

impl RangeSampler {
    pub fn learned(range: u64) -> Result<RangeSampler> {
        Ok(RangeSampler::Learned(Mutex::new(Weights::ones(range)?)))
    }

    pub fn range(&self) -> u64 {
        match self {
            RangeSampler::Uniform { range }
            | RangeSampler::LogUniform { range }
            | RangeSampler::All { range } => *range,
            RangeSampler::Learned(weights) => weights.lock().len() as u64,
            RangeSampler::Fixed { weights, .. } => weights.len() as u64,
        }
    }

    /// Draws `count` candidates and estimates how often they and `classes` were to be expected.
    pub fn draw(
        &self,
        singles: &mut Singles,
        unique: bool,
        count: usize,
        classes: &[i64],
        cancellation: &CancellationToken,
    ) -> Result<Drawn> {
        match self {
            RangeSampler::All { .. } => Ok(Drawn {
                candidates: CountedVec::build(count, |i| Ok(i as i64))?,
                expected: CountedVec::filled(count, 1.0)?,
                true_expected: CountedVec::filled(classes.len(), 1.0)?,
            }),
            RangeSampler::Uniform { range } => {
                let probability = (1.0 / *range as f64) as f32;
                let sample = |s: &mut Singles| s.below64(*range) as i64;
                collect(singles, unique, count, classes, cancellation, sample, |_| probability)
            }
            RangeSampler::LogUniform { range } => {
                let log_range = (*range as f64).ln_1p();
                let sample = |s: &mut Singles| {
                    let value = (s.double() * log_range).exp() as i64 - 1;
                    value % *range as i64
                };
                let probability = |class: i64| {
                    let class = class as f64;
                    (((class + 2.0) / (class + 1.0)).ln() / log_range) as f32
                };
                collect(singles, unique, count, classes, cancellation, sample, probability)
            }
            RangeSampler::Learned(weights) => {
                let mut weights = weights.lock();
                let sample = |s: &mut Singles| weights.pick(s.below(weights.total())) as i64;
                let probability =
                    |class: i64| weights.get(class as usize) as f32 / weights.total() as f32;
                let drawn =
                    collect(singles, unique, count, classes, cancellation, sample, probability)?;
                // The sum of the weights stays within 31 bits.
                let room = i32::MAX as u32 - weights.total();
                for &class in classes.iter().take(room as usize) {
                    weights.increment(class as usize);
                }
                Ok(drawn)
            }
            RangeSampler::Fixed { weights, total, table } => {
                if unique && weights.iter().filter(|&&w| w > 0.0).count() < count {
                    return Err(Status::invalid_argument(format!(
                        "{count} unique candidates are asked for, but fewer classes have a \
                         weight above zero"
                    )));
                }
                let sample = |s: &mut Singles| table.sample(s) as i64;
                let probability = |class: i64| weights[class as usize] / total;
                collect(singles, unique, count, classes, cancellation, sample, probability)
            }
        }
    }
}

/// What a set takes for each value: twice as many places as values, and while it grows the old ones too.
const BYTES_PER_USED: usize = 3 * (size_of::<i64>() + 1);

/// Draws, again and again for values met before if they must be unique.
fn collect(
    singles: &mut Singles,
    unique: bool,
    count: usize,
    classes: &[i64],
    cancellation: &CancellationToken,
    sample: impl Fn(&mut Singles) -> i64,
    probability: impl Fn(i64) -> f32,
) -> Result<Drawn> {
    let mut candidates = CountedVec::with_capacity(count)?;
    let _used = Charge::new(if unique { count.saturating_mul(BYTES_PER_USED) } else { 0 })?;
    let mut tries = 0i32;
    let mut used = HashSet::new();
    while candidates.len() < count {
        tries = tries.checked_add(1).ok_or_else(|| {
            Status::invalid_argument("so many unique candidates could not be found in 2^31 draws")
        })?;
        if tries & 0xffff == 0 && cancellation.is_cancelled() {
            return Err(Status::cancelled("the step was cancelled while drawing candidates"));
        }
        let value = sample(singles);
        if !unique || used.insert(value) {
            candidates.push(value)?;
        }
    }
    // Taking the number of tries for given, a class is missed by each with probability 1 - p.
    let expected = |class: &i64| {
        let p = probability(*class);
        match tries as usize == count {
            true => p * count as f32,
            false => -(tries as f32 * (-p).ln_1p()).exp_m1(),
        }
    };
    let counts = CountedVec::build(count, |i| Ok(expected(&candidates[i])))?;
    let true_expected = CountedVec::build(classes.len(), |i| Ok(expected(&classes[i])))?;
    Ok(Drawn { candidates, expected: counts, true_expected })
}
