//! Code of one's own that runs along with training.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use downpour_tensor::{Result, Tensor};

use crate::output::Output;
use crate::session::Session;

/// What training is to do after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Go on.
    Continue,
    /// End well, for this reason. A checkpoint is saved first.
    Stop(String),
}

/// A step that was run.
pub struct StepReport<'a> {
    /// The global step after it.
    pub step: i64,
    /// The loss of its batch.
    pub loss: f64,
    /// How many examples the batch had.
    pub examples: usize,
    /// The values of [`Hook::fetches`], in their order.
    pub fetched: &'a [Tensor],
}

/// Something that watches training and may end it. All methods but the ones of interest may be left out.
///
/// ```
/// use downpour::Result;
/// use downpour::training::{Hook, Next, StepReport};
///
/// /// Ends training when the loss is small.
/// struct Enough(f64);
///
/// impl Hook for Enough {
///     fn stepped(&mut self, report: &StepReport<'_>) -> Result<Next> {
///         Ok(match report.loss < self.0 {
///             true => Next::Stop(format!("a loss of {} is enough", report.loss)),
///             false => Next::Continue,
///         })
///     }
/// }
/// ```
pub trait Hook: Send {
    /// Values to fetch with every step.
    fn fetches(&self) -> Vec<Output> {
        Vec::new()
    }

    /// The session is there and variables have their values, at first and after every recovery.
    fn started(&mut self, _session: &Session, _step: i64) -> Result<()> {
        Ok(())
    }

    /// After every step of this worker.
    fn stepped(&mut self, _report: &StepReport<'_>) -> Result<Next> {
        Ok(Next::Continue)
    }

    /// After every evaluation, on the chief.
    fn evaluated(&mut self, _step: i64, _metrics: &BTreeMap<String, f64>) -> Result<Next> {
        Ok(Next::Continue)
    }

    /// Training has ended well.
    fn ended(&mut self, _session: &Session, _step: i64) -> Result<()> {
        Ok(())
    }
}

/// Ends training at a global step.
pub(crate) struct StopAtStep(pub i64);

impl Hook for StopAtStep {
    fn stepped(&mut self, report: &StepReport<'_>) -> Result<Next> {
        Ok(match report.step >= self.0 {
            true => Next::Stop(format!("reached step {}", self.0)),
            false => Next::Continue,
        })
    }
}

/// Ends training after a time.
pub(crate) struct StopAfter {
    limit: Duration,
    begun: Instant,
}

impl StopAfter {
    pub fn new(limit: Duration) -> StopAfter {
        StopAfter { limit, begun: Instant::now() }
    }
}

impl Hook for StopAfter {
    fn stepped(&mut self, _: &StepReport<'_>) -> Result<Next> {
        Ok(match self.begun.elapsed() >= self.limit {
            true => Next::Stop(format!("trained for {} s", self.limit.as_secs_f64())),
            false => Next::Continue,
        })
    }
}

/// Ends training when a measure has not become better for a number of evaluations.
#[derive(Clone, Debug)]
pub struct EarlyStopping {
    metric: String,
    patience: u32,
    lower_is_better: bool,
    best: Option<f64>,
    worse: u32,
}

impl EarlyStopping {
    /// Waits `patience` evaluations for a better `metric`; a metric called `loss` is better when lower.
    pub fn new(metric: &str, patience: u32) -> EarlyStopping {
        EarlyStopping {
            metric: metric.to_string(),
            patience,
            lower_is_better: metric == "loss",
            best: None,
            worse: 0,
        }
    }

    /// For other measures that are better when lower.
    pub fn lower_is_better(mut self) -> EarlyStopping {
        self.lower_is_better = true;
        self
    }
}

impl Hook for EarlyStopping {
    fn evaluated(&mut self, _step: i64, metrics: &BTreeMap<String, f64>) -> Result<Next> {
        let value = metrics.get(&self.metric).copied().ok_or_else(|| {
            let known: Vec<&str> = metrics.keys().map(String::as_str).collect();
            downpour_tensor::Status::not_found(format!(
                "early stopping watches '{}', but evaluations measure {}",
                self.metric,
                known.join(", ")
            ))
        })?;
        let better = |best: f64| if self.lower_is_better { value < best } else { value > best };
        if self.best.is_none_or(better) {
            self.best = Some(value);
            self.worse = 0;
            return Ok(Next::Continue);
        }
        self.worse += 1;
        Ok(match self.worse >= self.patience {
            true => Next::Stop(format!(
                "{} has not become better in {} evaluations",
                self.metric, self.worse
            )),
            false => Next::Continue,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_when_nothing_becomes_better() {
        let mut stopping = EarlyStopping::new("accuracy", 2);
        let mut evaluate = |value: f64| {
            let metrics = BTreeMap::from([("accuracy".to_string(), value)]);
            stopping.evaluated(0, &metrics).unwrap()
        };
        for value in [0.5, 0.6, 0.59, 0.61, 0.6] {
            assert_eq!(evaluate(value), Next::Continue);
        }
        assert!(matches!(evaluate(f64::NAN), Next::Stop(_)), "two in a row were not better");
        let refused = stopping.evaluated(0, &BTreeMap::new()).unwrap_err();
        assert!(refused.message().contains("watches 'accuracy'"));
    }
}
