//! What distinguishes one optimizer from another.

use downpour_tensor::Result;

use crate::into_tensor::number;
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};
use crate::variable::Variable;

/// How a gradient changes a variable and its slots.
pub trait UpdateRule: Send + Sync {
    /// TensorFlow's name of the optimizer: slots are named `variable/Name`, `variable/Name_1`, ...
    fn name(&self) -> &str;

    /// The first value of each slot, which has the variable's shape.
    fn slots(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Scalars that all variables share.
    fn shared(&self) -> Vec<SharedVariable> {
        Vec::new()
    }

    /// Changes a variable by a gradient of its shape.
    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation>;

    /// Changes some rows of a variable.
    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation>;

    /// Whether `sparse` is right for rows that occur twice; otherwise they are added before.
    fn takes_repeated_rows(&self) -> bool {
        false
    }

    /// Whether an element's change depends on no other element: then rows of a variable may be changed in several
    /// places. A rule that looks at all of a gradient, as at its norm, must not say so.
    fn is_elementwise(&self) -> bool {
        false
    }

    /// Changes the shared scalars, after all variables.
    fn finish(&self, _shared: &[Variable]) -> Result<Vec<Operation>> {
        Ok(Vec::new())
    }
}

/// A scalar that all variables share, by name and first value.
pub struct SharedVariable {
    /// Its name.
    pub name: &'static str,
    /// Its first value.
    pub initial: f64,
}

/// A variable to change, with what belongs to it.
pub struct Update<'a> {
    /// The variable.
    pub variable: &'a Variable,
    /// Its slots, in the order of the rule.
    pub slots: &'a [Variable],
    /// What all variables share.
    pub shared: &'a [Variable],
    pub(super) rate: &'a Output,
}

impl Update<'_> {
    /// The learning rate in the variable's type.
    pub fn rate(&self) -> Result<Output> {
        self.rate.cast(self.variable.dtype())
    }

    /// A number in the variable's type.
    pub fn number(&self, name: &str, value: f64) -> Result<Output> {
        self.variable.graph().named_constant(name, number(value, self.variable.dtype())?)
    }

    /// The value of a shared scalar in the variable's type.
    pub fn shared_value(&self, i: usize) -> Result<Output> {
        self.shared[i].value().cast(self.variable.dtype())
    }

    /// An operation whose first inputs are the handles of the variable and all its slots.
    pub fn apply(&self, op: &'static str) -> NodeBuilder {
        let start = NodeBuilder::new(op).input(&self.variable.handle());
        self.slots.iter().fold(start, |node, slot| node.input(&slot.handle()))
    }

    /// Adds rows to a variable or slot.
    pub fn scatter_add(&self, to: &Variable, indices: &Output, rows: &Output) -> Result<Operation> {
        let node = NodeBuilder::new("ResourceScatterAdd").input(&to.handle());
        node.input(indices).input(rows).operation()
    }
}
