//! FTRL-Proximal: for sparse linear models, with penalties that make weights zero (McMahan et al., 2013).

use downpour_tensor::Result;

use super::{Update, UpdateRule};
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};

/// `tf.compat.v1.train.FtrlOptimizer`.
#[derive(Clone, Copy, Debug)]
pub struct Ftrl {
    /// By which power the rate falls; -0.5 in TensorFlow, not above zero.
    pub learning_rate_power: f64,
    /// What the sum of squares starts with; 0.1 in TensorFlow.
    pub initial_accumulator: f64,
    /// The penalty on absolute values.
    pub l1: f64,
    /// The penalty on squares.
    pub l2: f64,
    /// A penalty on squares that acts on the gradient, not on the optimum.
    pub l2_shrinkage: f64,
    /// The paper's beta.
    pub beta: f64,
}

impl Default for Ftrl {
    fn default() -> Ftrl {
        Ftrl {
            learning_rate_power: -0.5,
            initial_accumulator: 0.1,
            l1: 0.0,
            l2: 0.0,
            l2_shrinkage: 0.0,
            beta: 0.0,
        }
    }
}

impl Ftrl {
    /// The numbers behind the gradient.
    fn numbers(&self, update: &Update<'_>, node: NodeBuilder) -> Result<NodeBuilder> {
        let rate = update.rate()?;
        let mut l2 = update.number("l2", self.l2)?;
        if self.beta != 0.0 {
            let least = update.number("least_rate", 1e-36)?;
            let beta = update.number("beta", self.beta)?;
            l2 = (l2 + (beta / (rate.maximum(&least)? * 2.0)?)?)?;
        }
        let mut node = node.input(&rate).input(&update.number("l1", self.l1)?).input(&l2);
        if self.l2_shrinkage > 0.0 {
            node = node.input(&update.number("l2_shrinkage", self.l2_shrinkage)?);
        }
        Ok(node.input(&update.number("learning_rate_power", self.learning_rate_power)?))
    }

    fn one_of(&self, plain: &'static str, shrinking: &'static str) -> &'static str {
        if self.l2_shrinkage > 0.0 { shrinking } else { plain }
    }
}

impl UpdateRule for Ftrl {
    fn name(&self) -> &str {
        "Ftrl"
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn slots(&self) -> Vec<f64> {
        vec![self.initial_accumulator, 0.0]
    }

    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation> {
        let op = self.one_of("ResourceApplyFtrl", "ResourceApplyFtrlV2");
        self.numbers(update, update.apply(op).input(gradient))?.operation()
    }

    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        let op = self.one_of("ResourceSparseApplyFtrl", "ResourceSparseApplyFtrlV2");
        self.numbers(update, update.apply(op).input(rows).input(indices))?.operation()
    }
}
