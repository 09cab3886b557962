//! What TensorBoard shows of a run: `RUN/events` for training, `RUN/events/evaluate` for evaluations.

use std::path::Path;

use downpour_formats::events::{EventLog, EventOptions};
use downpour_tensor::{DataType, Result, Tensor};

use super::evaluator::Evaluation;
use super::space::is_of_disk;
use crate::graph::Graph;
use crate::record::{Served, Traffic};

/// How many pictures of a batch are shown.
const PICTURES: usize = 4;

/// Values of a histogram of staleness.
const SHOWN: f64 = 10_000.0;

/// What has fewer rows or columns is a table of numbers, not a picture.
const SMALLEST_PICTURE: usize = 8;

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

    /// What a parameter server has counted: all of it, and the staleness since the last time.
    pub fn served(&self, served: &Served, stale: &[u64]) {
        let mut numbers = in_event_files(&served.traffic);
        let step = served.books.as_ref().map_or(0, |books| books.steps as i64);
        if let Some(books) = &served.books {
            let counts = [
                ("updates", books.updates),
                ("updates/repeated", books.repeated),
                ("updates/dropped", books.dropped),
                ("updates/lost", books.lost),
            ];
            numbers.extend(counts.map(|(name, count)| (name, count as f64)));
        }
        self.train.scalars(step, &numbers);
        let all = stale.iter().copied().fold(0, u64::saturating_add);
        // Some thousands show the shape as well as all of them.
        let share = (SHOWN / all.max(1) as f64).min(1.0);
        let ages = stale.iter().enumerate().flat_map(|(age, count)| {
            std::iter::repeat_n(age as f32, (*count as f64 * share).ceil() as usize)
        });
        let ages: Vec<f32> = ages.collect();
        if let Some(ages) = Tensor::vector(&ages).ok().filter(|_| all > 0) {
            self.train.histogram("staleness", step, &ages);
        }
    }

    /// The distribution of a variable's values.
    pub fn histogram(&self, name: &str, step: i64, value: &Tensor) {
        self.train.histogram(name, step, value);
    }

    /// The first pictures of a batch, as the model is fed with them.
    pub fn pictures(&self, step: i64, names: &[String], batch: &[Tensor]) {
        for (name, column) in names.iter().zip(batch) {
            if let Some(pictures) = first_pictures(column) {
                self.train.image(&format!("input/{name}"), step, &pictures);
            }
        }
    }

    pub fn evaluated(&self, step: i64, evaluation: &Evaluation) {
        if let Some(log) = &self.evaluate {
            let numbers: Vec<(&str, f64)> =
                evaluation.metrics.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            log.scalars(step, &numbers);
        }
    }

    /// Returns the error of a disk that takes no more. A value that cannot be shown is no such error.
    pub fn check(&self) -> Result<()> {
        let logs = std::iter::once(&self.train).chain(&self.evaluate);
        let failed = logs.filter_map(|log| log.status().err());
        match failed.into_iter().find(is_of_disk) {
            Some(status) => Err(status.context("an event file for TensorBoard")),
            None => Ok(()),
        }
    }

    /// Everything is in the files.
    pub fn close(self) -> Result<()> {
        self.train.close()?;
        self.evaluate.map_or(Ok(()), EventLog::close)
    }
}

/// Traffic as TensorBoard's numbers.
pub(crate) fn in_event_files(traffic: &Traffic) -> Vec<(&'static str, f64)> {
    let mut numbers =
        vec![("bytes/sent", traffic.sent as f64), ("bytes/received", traffic.received as f64)];
    numbers.extend(traffic.compression().map(|times| ("compression", times)));
    numbers
}

/// A few pictures in a column `[batch, height, width]` or `[batch, height, width, channels]` of bytes or
/// floats; none in a column that holds something else.
fn first_pictures(column: &Tensor) -> Option<Tensor> {
    if !matches!(column.dtype(), DataType::UInt8 | DataType::Float) {
        return None;
    }
    let (rows, height, width, channels) = match *column.dims() {
        [rows, height, width] => (rows, height, width, 1),
        [rows, height, width, channels @ (1 | 3 | 4)] => (rows, height, width, channels),
        _ => return None,
    };
    if height < SMALLEST_PICTURE || width < SMALLEST_PICTURE {
        return None;
    }
    let count = rows.min(PICTURES);
    column.rows(0, count).and_then(|few| few.reshaped([count, height, width, channels])).ok()
}
