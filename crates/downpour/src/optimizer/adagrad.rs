//! Adagrad: each element's rate falls with the sum of its squared gradients (Duchi et al., 2011).

use downpour_tensor::Result;

use super::{Update, UpdateRule};
use crate::output::{Operation, Output};

/// `tf.compat.v1.train.AdagradOptimizer`.
#[derive(Clone, Copy, Debug)]
pub struct Adagrad {
    /// What the sum of squares starts with; 0.1 in TensorFlow.
    pub initial_accumulator: f64,
}

impl Default for Adagrad {
    fn default() -> Adagrad {
        Adagrad { initial_accumulator: 0.1 }
    }
}

impl UpdateRule for Adagrad {
    fn name(&self) -> &str {
        "Adagrad"
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn slots(&self) -> Vec<f64> {
        vec![self.initial_accumulator]
    }

    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation> {
        let node = update.apply("ResourceApplyAdagrad").input(&update.rate()?);
        node.input(gradient).operation()
    }

    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        let node = update.apply("ResourceSparseApplyAdagrad").input(&update.rate()?);
        node.input(rows).input(indices).operation()
    }
}
