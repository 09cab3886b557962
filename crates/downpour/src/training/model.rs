//! What a model is to the trainer: a function from a batch's values to a loss.

use downpour_tensor::{Result, Status};

use super::evaluation::Metric;
use crate::graph::Graph;
use crate::output::Output;

/// What a model is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Dropout drops, batch normalisation learns.
    Train,
    /// The model as it is used.
    Evaluate,
}

/// The values of a batch, by the names of the dataset's columns.
pub struct Inputs {
    graph: Graph,
    mode: Mode,
    values: Vec<(String, Output)>,
}

impl Inputs {
    /// A batch whose columns are these values of the graph.
    pub fn new(graph: &Graph, mode: Mode, values: Vec<(String, Output)>) -> Inputs {
        Inputs { graph: graph.clone(), mode, values }
    }

    /// The graph the model is built in.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What it is built for.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// True while training: what dropout and batch normalisation ask.
    pub fn is_training(&self) -> bool {
        self.mode == Mode::Train
    }

    /// A column of the batch.
    pub fn get(&self, name: &str) -> Result<&Output> {
        let found = self.values.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value).ok_or_else(|| {
            let names: Vec<&str> = self.names().collect();
            Status::not_found(format!(
                "the model asks for the column '{name}', but the data has {}",
                names.join(", ")
            ))
        })
    }

    /// The columns' names, in the data's order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| name.as_str())
    }

    /// The columns, in the data's order.
    pub fn columns(&self) -> &[(String, Output)] {
        &self.values
    }

    /// The columns' values, in the data's order.
    pub fn outputs(&self) -> impl Iterator<Item = &Output> {
        self.values.iter().map(|(_, value)| value)
    }
}

/// A model that was built for one kind of batch.
#[derive(Clone)]
pub struct Built {
    pub(crate) loss: Output,
    pub(crate) metrics: Vec<(String, Metric)>,
    pub(crate) outputs: Vec<(String, Output)>,
}

impl Built {
    /// A model that is trained to make `loss`, a scalar, small.
    pub fn new(loss: Output) -> Built {
        Built { loss, metrics: Vec::new(), outputs: Vec::new() }
    }

    /// What training makes small.
    pub fn loss(&self) -> &Output {
        &self.loss
    }

    /// What is measured besides, by name.
    pub fn metrics(&self) -> &[(String, Metric)] {
        &self.metrics
    }

    /// What users of the trained model get, by name.
    pub fn outputs(&self) -> &[(String, Output)] {
        &self.outputs
    }

    /// The output of this name.
    pub fn get_output(&self, name: &str) -> Result<&Output> {
        let found = self.outputs.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value).ok_or_else(|| {
            let names: Vec<&str> = self.outputs.iter().map(|(name, _)| name.as_str()).collect();
            Status::not_found(format!(
                "the model has no output '{name}'; it has {}",
                names.join(", ")
            ))
        })
    }

    /// Something to measure besides the loss.
    pub fn metric(mut self, name: &str, metric: Metric) -> Built {
        self.metrics.push((name.to_string(), metric));
        self
    }

    /// Something that users of the trained model get.
    pub fn output(mut self, name: &str, value: &Output) -> Built {
        self.outputs.push((name.to_string(), value.clone()));
        self
    }
}

/// Anything that can be built for a batch; closures are models.
pub trait Model: Send + Sync {
    /// Builds the model in the batch's graph. Called once for training and once for evaluation, when
    /// variables of the same names are the same variables.
    fn build(&self, inputs: &Inputs) -> Result<Built>;
}

impl<F: Fn(&Inputs) -> Result<Built> + Send + Sync> Model for F {
    fn build(&self, inputs: &Inputs) -> Result<Built> {
        self(inputs)
    }
}
