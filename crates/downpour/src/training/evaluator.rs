//! Runs a model over a whole dataset and measures it.

use std::collections::BTreeMap;

use downpour_data::Dataset;
use downpour_tensor::{Result, Status, Tensor};

use super::evaluation::{Metric, numbers};
use super::measures::Measures;
use super::program::Tower;
use crate::output::Output;
use crate::session::{Fetch, PreparedStep, Session};

/// An evaluation that can be repeated.
pub(crate) struct Evaluator {
    step: PreparedStep,
    names: Vec<String>,
    /// The loss first.
    metrics: Vec<(String, Metric)>,
    data: Dataset,
}

/// What an evaluation found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The measures by name, `loss` among them.
    pub metrics: BTreeMap<String, f64>,
    /// How many examples were looked at.
    pub examples: u64,
}

impl Evaluator {
    pub fn new(session: &Session, tower: &Tower, data: &Dataset) -> Result<Evaluator> {
        let mut metrics = vec![("loss".to_string(), Metric::Mean(tower.built.loss.clone()))];
        metrics.extend(tower.built.metrics.iter().cloned());
        let values = Measures::new(metrics.clone()).values();
        let inputs: Vec<&Output> = tower.inputs.iter().collect();
        let fetches: Vec<&dyn Fetch> = values.iter().map(|value| value as &dyn Fetch).collect();
        let step = session.prepare(&inputs, &fetches)?;
        Ok(Evaluator { step, names: tower.names.clone(), metrics, data: data.clone() })
    }

    /// Goes through all of the data once; CANCELLED if `is_over` says between two batches that there is no time left.
    pub fn run(&self, is_over: impl Fn() -> bool) -> Result<Evaluation> {
        let mut measures = Measures::new(self.metrics.clone());
        let mut examples = 0;
        let mut batches = self.data.iterate()?;
        while let Some(batch) = batches.next()? {
            if is_over() {
                return Err(Status::cancelled(format!(
                    "stopped by a signal while evaluating, after {examples} examples"
                )));
            }
            let feeds = columns(&batch, &self.names)?;
            let rows = rows_of(&feeds);
            measures.add(rows, &self.step.run(feeds)?)?;
            examples += rows as u64;
        }
        let metrics = measures.take();
        Ok(Evaluation { metrics, examples })
    }
}

/// A batch's tensors in the order of the model's inputs.
pub(crate) fn columns(batch: &downpour_data::Element, names: &[String]) -> Result<Vec<Tensor>> {
    names.iter().map(|name| batch.get(name).cloned()).collect()
}

/// How many examples a batch has.
pub(crate) fn rows_of(batch: &[Tensor]) -> usize {
    batch.iter().find_map(|tensor| tensor.dims().first().copied()).unwrap_or(1)
}

/// A loss that is one number.
pub(crate) fn scalar(tensor: &Tensor) -> Result<f64> {
    let value = numbers(tensor)?;
    match value.as_slice() {
        [value] => Ok(*value),
        _ => Err(Status::invalid_argument(format!(
            "the loss is to be one number but has the shape {}; take its mean",
            tensor.shape()
        ))),
    }
}
