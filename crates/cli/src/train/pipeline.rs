//! A job's model in parts: what the cluster's table says of it.

use downpour::training::{ModelParallel, Strategy};
use downpour_tensor::Result;

use super::job::{ClusterTable, StrategyName};
use super::mistake::Text;

impl ClusterTable {
    /// One model is spread over several processes.
    pub fn is_in_parts(&self) -> bool {
        matches!(self.strategy, StrategyName::ModelParallel | StrategyName::Pipeline)
    }

    fn parts_wanted(&self) -> usize {
        let named = self.parts.values().max().map(|last| last.saturating_add(1));
        self.stages.or(named).unwrap_or(2)
    }

    /// How many servers there are for all workers.
    pub fn servers(&self) -> u32 {
        match self.is_in_parts() {
            true => (self.parts_wanted().saturating_sub(1) as u32).saturating_mul(self.workers),
            false => self.ps,
        }
    }

    /// What is wrong with the parts.
    pub fn check_parts(&self, place: &Text<'_>) -> Result<()> {
        if !self.is_in_parts() {
            return Ok(());
        }
        // Every stage is a process.
        if !(2..=1000).contains(&self.parts_wanted()) {
            return Err(place.at_key("stages", "must be between 2 and 1000"));
        }
        if self.micro_batches == 0 {
            return Err(place.at_key("micro_batches", "must be at least 1"));
        }
        if self.workers == 0 {
            return Err(place.at_key("workers", "must be at least 1"));
        }
        Ok(())
    }

    /// The strategy of a model in parts.
    pub fn in_parts(&self) -> Strategy {
        let strategy = match self.parts.is_empty() {
            true => ModelParallel::balanced(),
            false => ModelParallel::by_scope(self.parts.clone()),
        };
        let strategy = strategy.stages(self.parts_wanted()).schedule(self.schedule);
        match self.strategy {
            StrategyName::Pipeline => strategy.micro_batches(self.micro_batches).into(),
            _ => strategy.into(),
        }
    }
}
