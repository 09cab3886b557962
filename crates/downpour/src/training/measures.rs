//! A model's metrics, gathered batch by batch.

use std::collections::BTreeMap;

use downpour_tensor::{Result, Tensor};

use super::evaluation::{Gathered, Metric};
use crate::output::Output;

/// Metrics with what was gathered of each.
pub(crate) struct Measures {
    metrics: Vec<(String, Metric)>,
    gathered: Vec<Gathered>,
}

impl Measures {
    pub fn new(metrics: Vec<(String, Metric)>) -> Measures {
        let gathered = start(&metrics);
        Measures { metrics, gathered }
    }

    /// What every batch is asked for, in the order [`Measures::add`] takes it.
    pub fn values(&self) -> Vec<Output> {
        self.metrics.iter().flat_map(|(_, metric)| metric.values()).collect()
    }

    /// Adds a batch of `examples`.
    pub fn add(&mut self, examples: usize, values: &[Tensor]) -> Result<()> {
        let mut rest = values;
        for ((_, metric), gathered) in self.metrics.iter().zip(&mut self.gathered) {
            let (own, later) = rest.split_at(metric.width().min(rest.len()));
            gathered.add(examples, own)?;
            rest = later;
        }
        Ok(())
    }

    /// The measures so far; gathering begins anew.
    pub fn take(&mut self) -> BTreeMap<String, f64> {
        let gathered = std::mem::replace(&mut self.gathered, start(&self.metrics));
        let names = self.metrics.iter().map(|(name, _)| name.clone());
        names.zip(gathered.iter().map(Gathered::result)).collect()
    }
}

fn start(metrics: &[(String, Metric)]) -> Vec<Gathered> {
    metrics.iter().map(|(_, metric)| metric.start()).collect()
}
