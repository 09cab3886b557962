//! Streaming metrics: counters that updates add to, and values computed from them.
//!
//! ```
//! use downpour::{DataType, Graph, Session, metrics, tensor};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let x = graph.placeholder("x", DataType::Float, [None])?;
//! let mean = metrics::mean("mean", &x)?;
//! let session = Session::local(&graph)?;
//! session.run(&[], &[&mean.reset])?;
//! for batch in [vec![1.0f32, 2.0], vec![6.0]] {
//!     session.run(&[(&x, tensor(batch)?)], &[&mean.update])?;
//! }
//! assert_eq!(session.fetch(&[], &mean.value)?.to_scalar::<f32>()?, 3.0);
//! # Ok(())
//! # }
//! ```

mod area;

use downpour_tensor::{DataType, Result, Shape};

use crate::graph::Graph;
use crate::initializers;
use crate::losses::divide_no_nan;
use crate::output::{Operation, Output};
use crate::variable::Variable;

pub use area::{Curve, auc};

/// A metric over many steps. Its counters are local variables.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Its value by the counters as they are.
    pub value: Output,
    /// Adds a step's examples to the counters.
    pub update: Operation,
    /// Sets the counters to zero, also at the start.
    pub reset: Operation,
    /// The counters.
    pub counters: Vec<Variable>,
}

/// Adds up counters under a scope.
struct Counters {
    graph: Graph,
    counters: Vec<Variable>,
    updates: Vec<Operation>,
}

impl Counters {
    fn new(graph: &Graph) -> Counters {
        Counters { graph: graph.clone(), counters: Vec::new(), updates: Vec::new() }
    }

    /// A counter to which `amount` is added at each update.
    fn add(&mut self, name: &str, amount: &Output, shape: Shape) -> Result<Output> {
        let zeros = initializers::zeros();
        let counter = self.graph.variable_builder(name, shape, amount.dtype(), zeros);
        let counter = counter.local().build()?;
        self.updates.push(counter.assign_add(amount)?);
        let value = counter.value();
        self.counters.push(counter);
        Ok(value)
    }

    fn metric(self, value: Output) -> Result<Metric> {
        let update = self.graph.group("update", &self.updates)?;
        let reset = self.graph.initialize("reset", &self.counters)?;
        Ok(Metric { value, update, reset, counters: self.counters })
    }
}

/// The mean of all elements seen.
pub fn mean(name: &str, values: &Output) -> Result<Metric> {
    ratio(name, &values.cast(DataType::Float)?, None)
}

/// The mean of all elements seen, each counted by its weight.
pub fn weighted_mean(name: &str, values: &Output, weights: &Output) -> Result<Metric> {
    ratio(name, &values.cast(DataType::Float)?, Some(&weights.cast(DataType::Float)?))
}

fn ratio(name: &str, values: &Output, weights: Option<&Output>) -> Result<Metric> {
    let graph = values.graph().clone();
    let _scope = graph.name_scope(name)?;
    let mut counters = Counters::new(&graph);
    let (total, count) = match weights {
        None => (values.sum_all()?, values.ones_like()?.sum_all()?),
        Some(weights) => {
            ((values * weights)?.sum_all()?, (values.ones_like()? * weights)?.sum_all()?)
        }
    };
    let total = counters.add("total", &total, Shape::scalar())?;
    let count = counters.add("count", &count, Shape::scalar())?;
    counters.metric(divide_no_nan(&total, &count)?)
}

/// How often predictions are the labels.
pub fn accuracy(name: &str, labels: &Output, predictions: &Output) -> Result<Metric> {
    let hits = predictions.equal(&labels.cast(predictions.dtype())?)?;
    mean(name, &hits)
}

/// How many of the positive predictions are right. Both are 0 or 1, or booleans.
pub fn precision(name: &str, labels: &Output, predictions: &Output) -> Result<Metric> {
    share(name, labels, predictions, "false_positives", |label, prediction| {
        label.logical_not()?.logical_and(prediction)
    })
}

/// How many of the positive labels were predicted. Both are 0 or 1, or booleans.
pub fn recall(name: &str, labels: &Output, predictions: &Output) -> Result<Metric> {
    share(name, labels, predictions, "false_negatives", |label, prediction| {
        label.logical_and(&prediction.logical_not()?)
    })
}

/// True positives among them and the wrong ones.
fn share(
    name: &str,
    labels: &Output,
    predictions: &Output,
    wrong_name: &str,
    wrong: impl Fn(&Output, &Output) -> Result<Output>,
) -> Result<Metric> {
    let graph = labels.graph().clone();
    let _scope = graph.name_scope(name)?;
    let (label, prediction) = (labels.cast(DataType::Bool)?, predictions.cast(DataType::Bool)?);
    let mut counters = Counters::new(&graph);
    let count = |hits: Output| hits.cast(DataType::Float)?.sum_all();
    let right = count(label.logical_and(&prediction)?)?;
    let right = counters.add("true_positives", &right, Shape::scalar())?;
    let wrong = counters.add(wrong_name, &count(wrong(&label, &prediction)?)?, Shape::scalar())?;
    let all = (&right + wrong)?;
    counters.metric(divide_no_nan(&right, &all)?)
}
