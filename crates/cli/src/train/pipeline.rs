//! A job's model in parts: what the cluster's table says of it.

use downpour::pipeline::PipelineSchedule;
use downpour::training::{ModelParallel, Strategy};
use downpour_tensor::Result;

use super::mistake::Text;
use super::strategy::{ClusterTable, StrategyName};

/// The parts of a batch and the order of a pipeline's work, if the job does not say.
const MICRO_BATCHES: usize = 4;
const SCHEDULE: PipelineSchedule = PipelineSchedule::OneForwardOneBackward;

impl ClusterTable {
    /// One model is spread over several processes.
    pub fn is_in_parts(&self) -> bool {
        matches!(self.strategy, StrategyName::ModelParallel | StrategyName::Pipeline)
    }

    /// Processes for one model.
    pub fn stages_wanted(&self) -> u32 {
        let named = self.parts.values().max().map(|last| last.saturating_add(1));
        let stages = self.stages.or(named).unwrap_or(2);
        u32::try_from(stages).unwrap_or(u32::MAX)
    }

    /// How many servers have the stages that are not on workers.
    pub fn servers_of_stages(&self) -> u32 {
        self.stages_wanted().saturating_sub(1).saturating_mul(self.workers)
    }

    /// What is wrong with the parts.
    pub fn check_parts(&self, place: &Text<'_>) -> Result<()> {
        if !self.is_in_parts() {
            let named = [("stages", self.stages.is_some()), ("parts", !self.parts.is_empty())];
            return match named.into_iter().find(|(_, given)| *given) {
                Some((key, _)) => Err(place.at_key(
                    key,
                    &format!(
                        "is a setting of the strategies 'model_parallel' and 'pipeline'; this job's is '{}'",
                        self.strategy.word()
                    ),
                )),
                None => Ok(()),
            };
        }
        // Every stage is a process.
        if !(2..=1000).contains(&self.stages_wanted()) {
            return Err(place.at_key("stages", "must be between 2 and 1000"));
        }
        if self.micro_batches == Some(0) {
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
        let strategy = strategy.stages(self.stages_wanted() as usize);
        match self.strategy {
            StrategyName::Pipeline => strategy
                .micro_batches(self.micro_batches.unwrap_or(MICRO_BATCHES))
                .schedule(self.schedule.unwrap_or(SCHEDULE))
                .into(),
            _ => strategy.into(),
        }
    }
}
