//! Momentum: gradients add up in a slot that decays, and the variable follows the slot.

use downpour_tensor::Result;

use super::{Update, UpdateRule};
use crate::output::{Operation, Output};

/// `tf.compat.v1.train.MomentumOptimizer`.
#[derive(Clone, Copy, Debug)]
pub struct Momentum {
    /// What is kept of the slot at each step.
    pub momentum: f64,
    /// Looks ahead by the momentum (Nesterov, 1983).
    pub nesterov: bool,
}

impl UpdateRule for Momentum {
    fn name(&self) -> &str {
        "Momentum"
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn slots(&self) -> Vec<f64> {
        vec![0.0]
    }

    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation> {
        let node = update.apply("ResourceApplyMomentum").input(&update.rate()?).input(gradient);
        let node = node.input(&update.number("momentum", self.momentum)?);
        node.attr("use_nesterov", self.nesterov).operation()
    }

    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        let node = update.apply("ResourceSparseApplyMomentum").input(&update.rate()?);
        let node = node.input(rows).input(indices);
        let node = node.input(&update.number("momentum", self.momentum)?);
        node.attr("use_nesterov", self.nesterov).operation()
    }
}
