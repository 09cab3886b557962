//! Adam and its relatives: running means of gradients and of their squares (Kingma and Ba, 2015).

use downpour_tensor::Result;

use super::{SharedVariable, Update, UpdateRule};
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};
use crate::variable::Variable;

/// `tf.compat.v1.train.AdamOptimizer`.
#[derive(Clone, Copy, Debug)]
pub struct Adam {
    /// What is kept of the mean of gradients; 0.9 in TensorFlow.
    pub beta1: f64,
    /// What is kept of the mean of squares; 0.999 in TensorFlow.
    pub beta2: f64,
    /// Added to the root of the mean of squares; 1e-8 in TensorFlow.
    pub epsilon: f64,
}

impl Default for Adam {
    fn default() -> Adam {
        Adam { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }
    }
}

/// Adam with weights that shrink by `learning rate * weight_decay` at each step, apart from the gradient
/// (Loshchilov and Hutter, 2019). Of a table only the rows that a step uses shrink.
#[derive(Clone, Copy, Debug)]
pub struct AdamW {
    /// Adam's own numbers.
    pub adam: Adam,
    /// How fast weights shrink; 0.004 in Keras.
    pub weight_decay: f64,
}

impl Default for AdamW {
    fn default() -> AdamW {
        AdamW { adam: Adam::default(), weight_decay: 0.004 }
    }
}

/// Adam that divides by the largest mean of squares so far (Reddi et al., 2018).
#[derive(Clone, Copy, Debug, Default)]
pub struct AmsGrad {
    /// Adam's own numbers.
    pub adam: Adam,
}

impl Adam {
    fn shared(&self) -> Vec<SharedVariable> {
        vec![
            SharedVariable { name: "beta1_power", initial: self.beta1 },
            SharedVariable { name: "beta2_power", initial: self.beta2 },
        ]
    }

    fn dense(&self, update: &Update<'_>, op: &'static str, gradient: &Output) -> Result<Operation> {
        let node = update.apply(op);
        let node = node.input(&update.shared_value(0)?).input(&update.shared_value(1)?);
        let node = node
            .input(&update.rate()?)
            .input(&update.number("beta1", self.beta1)?)
            .input(&update.number("beta2", self.beta2)?)
            .input(&update.number("epsilon", self.epsilon)?);
        node.input(gradient).operation()
    }

    /// All means decay, whether their rows occur or not, as in TensorFlow.
    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        let graph = update.variable.graph();
        let rate = (update.rate()? * (1.0 - update.shared_value(1)?)?.sqrt()?)?;
        let rate = (rate / (1.0 - update.shared_value(0)?)?)?;
        let beta1 = update.number("beta1", self.beta1)?;
        let beta2 = update.number("beta2", self.beta2)?;
        let mean = decay_and_add(update, 0, &beta1, indices, &(rows * (1.0 - &beta1)?)?)?;
        let squares = ((rows * rows)? * (1.0 - &beta2)?)?;
        let mut square = decay_and_add(update, 1, &beta2, indices, &squares)?;
        if let Some(largest) = update.slots.get(2) {
            square = largest.read()?.maximum(&square)?;
            let kept = largest.assign(&square)?;
            let _after = graph.control_dependencies(&[&kept])?;
            square = square.identity()?;
        }
        let epsilon = update.number("epsilon", self.epsilon)?;
        let change = ((rate * mean)? / (square.sqrt()? + epsilon)?)?;
        update.variable.assign_sub(&change)
    }

    fn finish(&self, shared: &[Variable]) -> Result<Vec<Operation>> {
        let mut changes = Vec::with_capacity(shared.len());
        for (power, beta) in shared.iter().zip([self.beta1, self.beta2]) {
            let _beside = power.graph().colocate_with(&power.handle().op())?;
            changes.push(power.assign(&(power.read()? * beta)?)?);
        }
        Ok(changes)
    }
}

/// slot = slot * beta, then rows are added; its value after that.
fn decay_and_add(
    update: &Update<'_>,
    slot: usize,
    beta: &Output,
    indices: &Output,
    rows: &Output,
) -> Result<Output> {
    let slot = &update.slots[slot];
    let graph = slot.graph();
    let decayed = slot.assign(&(slot.read()? * beta)?)?;
    let added = {
        let _after = graph.control_dependencies(&[&decayed])?;
        update.scatter_add(slot, indices, rows)?
    };
    let _after = graph.control_dependencies(&[&added])?;
    slot.read()
}

impl UpdateRule for Adam {
    fn name(&self) -> &str {
        "Adam"
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn slots(&self) -> Vec<f64> {
        vec![0.0, 0.0]
    }

    fn shared(&self) -> Vec<SharedVariable> {
        self.shared()
    }

    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation> {
        self.dense(update, "ResourceApplyAdam", gradient)
    }

    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        self.sparse(update, rows, indices)
    }

    fn finish(&self, shared: &[Variable]) -> Result<Vec<Operation>> {
        self.finish(shared)
    }
}

impl UpdateRule for AmsGrad {
    fn name(&self) -> &str {
        "AMSGrad"
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn slots(&self) -> Vec<f64> {
        vec![0.0, 0.0, 0.0]
    }

    fn shared(&self) -> Vec<SharedVariable> {
        self.adam.shared()
    }

    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation> {
        self.adam.dense(update, "ResourceApplyAdamWithAmsgrad", gradient)
    }

    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        self.adam.sparse(update, rows, indices)
    }

    fn finish(&self, shared: &[Variable]) -> Result<Vec<Operation>> {
        self.adam.finish(shared)
    }
}

impl UpdateRule for AdamW {
    fn name(&self) -> &str {
        "AdamW"
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn slots(&self) -> Vec<f64> {
        vec![0.0, 0.0]
    }

    fn shared(&self) -> Vec<SharedVariable> {
        self.adam.shared()
    }

    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation> {
        let shrink = (update.rate()? * self.weight_decay)?;
        let variable = update.variable;
        let shrunk = {
            // The gradient is of the weights as they were.
            let _after = variable.graph().control_dependencies(&[&gradient.op()])?;
            variable.assign_sub(&(variable.read()? * shrink)?)?
        };
        let _after = variable.graph().control_dependencies(&[&shrunk])?;
        self.adam.dense(update, "ResourceApplyAdam", gradient)
    }

    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        let shrink = (update.rate()? * self.weight_decay)?;
        let variable = update.variable;
        let shrunk = {
            let _after = variable.graph().control_dependencies(&[&rows.op()])?;
            let change = (variable.gather(indices)? * shrink)?;
            let node = NodeBuilder::new("ResourceScatterSub").input(&variable.handle());
            node.input(indices).input(&change).operation()?
        };
        let _after = variable.graph().control_dependencies(&[&shrunk])?;
        self.adam.sparse(update, rows, indices)
    }

    fn finish(&self, shared: &[Variable]) -> Result<Vec<Operation>> {
        self.adam.finish(shared)
    }
}
