//! Adadelta: changes in proportion to earlier changes (Zeiler, 2012).

use downpour_tensor::Result;

use super::{Update, UpdateRule};
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};

/// `tf.compat.v1.train.AdadeltaOptimizer`.
#[derive(Clone, Copy, Debug)]
pub struct Adadelta {
    /// What is kept of the running means; 0.95 in TensorFlow.
    pub rho: f64,
    /// Added to the mean squares; 1e-8 in TensorFlow.
    pub epsilon: f64,
}

impl Default for Adadelta {
    fn default() -> Adadelta {
        Adadelta { rho: 0.95, epsilon: 1e-8 }
    }
}

impl Adadelta {
    fn node(&self, update: &Update<'_>, op: &'static str) -> Result<NodeBuilder> {
        Ok(update
            .apply(op)
            .input(&update.rate()?)
            .input(&update.number("rho", self.rho)?)
            .input(&update.number("epsilon", self.epsilon)?))
    }
}

impl UpdateRule for Adadelta {
    fn name(&self) -> &str {
        "Adadelta"
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn slots(&self) -> Vec<f64> {
        vec![0.0, 0.0]
    }

    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation> {
        self.node(update, "ResourceApplyAdadelta")?.input(gradient).operation()
    }

    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        let node = self.node(update, "ResourceSparseApplyAdadelta")?;
        node.input(rows).input(indices).operation()
    }
}
