//! RMSProp: gradients divided by a running mean of their size (Hinton, 2012).

use downpour_tensor::Result;

use super::{Update, UpdateRule};
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};

/// `tf.compat.v1.train.RMSPropOptimizer`.
#[derive(Clone, Copy, Debug)]
pub struct RmsProp {
    /// What is kept of the running mean; 0.9 in TensorFlow.
    pub decay: f64,
    /// What is kept of the last change; 0 in TensorFlow.
    pub momentum: f64,
    /// Added to the mean square; 1e-10 in TensorFlow.
    pub epsilon: f64,
    /// Divides by the deviation of the gradients instead of their size.
    pub centered: bool,
}

impl Default for RmsProp {
    fn default() -> RmsProp {
        RmsProp { decay: 0.9, momentum: 0.0, epsilon: 1e-10, centered: false }
    }
}

impl RmsProp {
    /// The operation with everything before the gradient. Slots are made in the order mean square, mean
    /// gradient, momentum, and taken with the mean gradient first.
    fn node(
        &self,
        update: &Update<'_>,
        plain: &'static str,
        centered: &'static str,
    ) -> Result<NodeBuilder> {
        let node = NodeBuilder::new(if self.centered { centered } else { plain });
        let node = node.input(&update.variable.handle());
        let node = match update.slots {
            [square, mean, momentum] => {
                node.input(&mean.handle()).input(&square.handle()).input(&momentum.handle())
            }
            slots => slots.iter().fold(node, |node, slot| node.input(&slot.handle())),
        };
        Ok(node
            .input(&update.rate()?)
            .input(&update.number("decay", self.decay)?)
            .input(&update.number("momentum", self.momentum)?)
            .input(&update.number("epsilon", self.epsilon)?))
    }
}

impl UpdateRule for RmsProp {
    fn name(&self) -> &str {
        "RMSProp"
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn slots(&self) -> Vec<f64> {
        if self.centered { vec![1.0, 0.0, 0.0] } else { vec![1.0, 0.0] }
    }

    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation> {
        let node = self.node(update, "ResourceApplyRMSProp", "ResourceApplyCenteredRMSProp")?;
        node.input(gradient).operation()
    }

    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        let centered = "ResourceSparseApplyCenteredRMSProp";
        let node = self.node(update, "ResourceSparseApplyRMSProp", centered)?;
        node.input(rows).input(indices).operation()
    }
}
