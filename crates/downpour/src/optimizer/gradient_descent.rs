//! Gradient descent: variable -= rate * gradient.

use downpour_tensor::Result;

use super::{Update, UpdateRule};
use crate::output::{Operation, Output};

/// `tf.compat.v1.train.GradientDescentOptimizer`.
#[derive(Clone, Copy, Debug, Default)]
pub struct GradientDescent;

impl UpdateRule for GradientDescent {
    fn name(&self) -> &str {
        "GradientDescent"
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn dense(&self, update: &Update<'_>, gradient: &Output) -> Result<Operation> {
        let node = update.apply("ResourceApplyGradientDescent").input(&update.rate()?);
        node.input(gradient).operation()
    }

    fn sparse(&self, update: &Update<'_>, rows: &Output, indices: &Output) -> Result<Operation> {
        let change = ((-rows)? * update.rate()?)?;
        update.scatter_add(update.variable, indices, &change)
    }

    fn takes_repeated_rows(&self) -> bool {
        true
    }
}
