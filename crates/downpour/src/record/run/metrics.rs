//! Evaluations as curves: each metric against the step, with its best value.

use std::collections::BTreeMap;

use super::{Run, Sample};

/// Parts of names of metrics that are better when they are smaller.
const SMALLER_IS_BETTER: [&str; 9] =
    ["loss", "error", "entropy", "perplexity", "mse", "mae", "rmse", "divergence", "distance"];

/// A metric of the evaluations.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// In order of time; what a return to a checkpoint has undone is left out. Never empty.
    pub samples: Vec<Sample>,
    /// Whether it is to become small, by its name.
    pub smaller_is_better: bool,
}

impl Metric {
    /// The latest value.
    pub fn last(&self) -> Sample {
        self.samples[self.samples.len() - 1]
    }

    /// The best finite value, the earliest if there are several.
    pub fn best(&self) -> Option<Sample> {
        let finite = self.samples.iter().filter(|sample| sample.value.is_finite()).copied();
        finite.reduce(|best, sample| {
            let better = match self.smaller_is_better {
                true => sample.value < best.value,
                false => sample.value > best.value,
            };
            if better { sample } else { best }
        })
    }
}

impl Run {
    /// The evaluations' metrics: those that are better when larger first, losses last.
    pub fn metrics(&self) -> Vec<Metric> {
        let rewinds = self.rewinds();
        let mut curves: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
        for evaluated in self.tasks.iter().flat_map(|task| &task.evaluations) {
            let (time, step) = (evaluated.time, evaluated.step);
            if rewinds.iter().any(|rewind| rewind.undoes(time, step)) {
                continue;
            }
            for (name, value) in &evaluated.metrics {
                curves.entry(name.clone()).or_default().push(Sample { time, step, value: *value });
            }
        }
        let metric = |(name, mut samples): (String, Vec<Sample>)| {
            samples.sort_by(|left, right| left.time.total_cmp(&right.time));
            let lower = name.to_ascii_lowercase();
            let smaller_is_better = SMALLER_IS_BETTER.iter().any(|part| lower.contains(part));
            Metric { name, samples, smaller_is_better }
        };
        let mut metrics: Vec<Metric> = curves.into_iter().map(metric).collect();
        metrics.sort_by_key(|metric| metric.smaller_is_better);
        metrics
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn the_best_depends_on_the_metric_and_losses_come_last() {
        let mut run = Run::default();
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        for (time, step, accuracy, loss) in
            [(1.0, 100, 0.9, 0.3), (2.0, 200, 0.95, 0.2), (3.0, 300, 0.94, f64::NAN)]
        {
            let metrics = [("accuracy", accuracy), ("Average_Loss", loss)];
            run.take("worker-0", evaluated(time, step, &metrics));
        }
        let metrics = run.metrics();
        let best: Vec<_> =
            metrics.iter().map(|metric| metric.best().map(|best| best.step)).collect();
        assert_eq!((metrics[0].name.as_str(), best), ("accuracy", vec![Some(200), Some(200)]));
        assert_eq!(metrics[0].last().step, 300);
    }

    #[test]
    fn undone_evaluations_are_left_out() {
        let mut run = Run::default();
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        run.take("worker-0", progress(9.0, 520, 1, 1.0));
        run.take("worker-0", evaluated(9.5, 500, &[("accuracy", 0.99)]));
        run.take("worker-0", started("worker/0", 10.0, 400, 1));
        run.take("worker-0", evaluated(20.0, 500, &[("accuracy", 0.9)]));
        assert_eq!(run.metrics()[0].samples.len(), 1);
    }
}
