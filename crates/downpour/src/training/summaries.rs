//! What TensorBoard shows of a run: `RUN/events` for training, `RUN/events/evaluate` for evaluations.

use std::path::Path;

use downpour_formats::events::{EventLog, EventOptions};
use downpour_tensor::Result;

use super::evaluator::Evaluation;
use crate::graph::Graph;

/// Event files of one task; of tasks other than the chief only the training curves.
pub(crate) struct Summaries {
    train: EventLog,
    evaluate: Option<EventLog>,
}

impl Summaries {
    pub fn create(run: &Path, task: &str, chief: Option<&Graph>) -> Result<Summaries> {
        let events = run.join("events");
        let task = task.replace('/', "-");
        let open =
            |folder: &Path| EventLog::create(&folder.join("events"), EventOptions::default());
        let Some(graph) = chief else {
            return Ok(Summaries { train: open(&events.join(task))?, evaluate: None });
        };
        let train = open(&events)?;
        train.graph(&graph.to_graph_def()?);
        Ok(Summaries { train, evaluate: Some(open(&events.join("evaluate"))?) })
    }

    /// Numbers of the training curve.
    pub fn progress(&self, step: i64, numbers: &[(&str, f64)]) {
        self.train.scalars(step, numbers);
    }

    /// The distribution of a variable's values.
    pub fn histogram(&self, name: &str, step: i64, value: &downpour_tensor::Tensor) {
        self.train.histogram(name, step, value);
    }

    pub fn evaluated(&self, step: i64, evaluation: &Evaluation) {
        if let Some(log) = &self.evaluate {
            let numbers: Vec<(&str, f64)> =
                evaluation.metrics.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            log.scalars(step, &numbers);
        }
    }

    /// Everything is in the files.
    pub fn close(self) -> Result<()> {
        self.train.close()?;
        self.evaluate.map_or(Ok(()), EventLog::close)
    }
}
