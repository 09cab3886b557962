//! What a run comes down to.

use super::{curve, final_loss, strategy};
use crate::record::{Books, Metric, Outcome, Run, Split, Staleness, Traffic};

/// The figures of one run.
#[derive(Clone, Debug)]
pub struct Figures {
    /// What it is called among the others.
    pub name: String,
    /// How it was trained, as its job says.
    pub strategy: String,
    /// Whether it came to its end.
    pub ended: bool,
    /// Workers that trained.
    pub workers: usize,
    /// Parameter servers.
    pub servers: usize,
    /// Global steps: updates of the model, as the strategy counts them.
    pub steps: i64,
    /// Examples trained on by all workers.
    pub examples: u64,
    /// Seconds from the first training step to the last.
    pub seconds: f64,
    /// Seconds from the first process's start to the last one's end.
    pub wall_seconds: f64,
    /// Examples per second of the time from the first step to the last.
    pub examples_per_second: Option<f64>,
    /// What evaluations measured last; those that are better when larger first.
    pub metrics: Vec<Metric>,
    /// The mean training loss of the last tenth of the examples.
    pub training_loss: Option<f64>,
    /// What went over the network; none if nobody counted.
    pub traffic: Option<Traffic>,
    /// How stale gradients were.
    pub staleness: Stale,
    /// What the parameter service counted.
    pub books: Option<Books>,
    /// Where the workers' time went.
    pub split: Split,
    /// Seconds workers exchanged and waited; none where that is part of the steps.
    pub exchange_seconds: Option<f64>,
    /// How often tasks were started again.
    pub restarts: u32,
}

/// How stale gradients were.
#[derive(Clone, Debug, PartialEq)]
pub enum Stale {
    /// As servers counted it.
    Counted(Staleness),
    /// Not at all: every update is of gradients of the parameters it changes.
    Never,
    /// Nobody can say: variables are read and changed inside of one graph.
    Unknown,
}

impl Figures {
    /// Of a run.
    pub fn of(run: &Run, name: String) -> Figures {
        let points = curve(run);
        let tasks = run.tasks();
        Figures {
            name,
            strategy: run.job().remove("strategy").unwrap_or_default(),
            ended: matches!(run.outcome(), Outcome::Ended { .. }),
            workers: run.workers().len(),
            servers: tasks.iter().filter(|task| task.serves()).count(),
            steps: run.step(),
            examples: run.examples(),
            seconds: points.last().map_or(0.0, |point| point.seconds),
            wall_seconds: run.clock().total(),
            examples_per_second: run.mean_examples_per_second(),
            metrics: run.metrics(),
            training_loss: final_loss(&points),
            traffic: run.traffic(),
            staleness: stale(run),
            books: run.books(),
            split: run.split(),
            exchange_seconds: run.exchange_seconds(),
            restarts: run.restarts(),
        }
    }

    /// The last value of a metric of the evaluations.
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|metric| metric.name == name).map(|metric| metric.last().value)
    }

    /// Every byte once.
    pub fn bytes(&self) -> Option<u64> {
        self.traffic.map(|traffic| traffic.sent)
    }

    /// Bytes moved for each example.
    pub fn bytes_per_example(&self) -> Option<f64> {
        self.bytes().filter(|_| self.examples > 0).map(|bytes| bytes as f64 / self.examples as f64)
    }

    /// The part of training (steps, exchanging, waiting for data) that was exchanging.
    pub fn waiting(&self) -> Option<f64> {
        let training = self.split.step + self.split.exchange + self.split.data;
        self.exchange_seconds.filter(|_| training > 0.0).map(|seconds| seconds / training)
    }
}

fn stale(run: &Run) -> Stale {
    if let Some(staleness) = run.staleness() {
        return match staleness.is_none() {
            true => Stale::Never,
            false => Stale::Counted(staleness),
        };
    }
    let alone = run.workers().len() < 2;
    match strategy(run).as_str() {
        "local" | "all_reduce" | "sandblaster" => Stale::Never,
        _ if alone => Stale::Never,
        _ => Stale::Unknown,
    }
}

impl Stale {
    /// In few words: `2.8, at most 6`, `0`, `unknown`.
    pub fn words(&self) -> String {
        match self {
            Stale::Never => "0".into(),
            Stale::Unknown => "unknown".into(),
            Stale::Counted(staleness) => {
                let beyond = if staleness.beyond() { "or more" } else { "at most" };
                let mean = crate::amounts::figures(staleness.mean(), 2);
                match staleness.beyond() {
                    true => format!("{mean}, {} {beyond}", staleness.largest()),
                    false => format!("{mean}, {beyond} {}", staleness.largest()),
                }
            }
        }
    }
}
