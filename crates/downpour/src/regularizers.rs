//! What keeps weights small: losses of variables, added up in the graph's regularization losses.
//!
//! ```
//! use downpour::{DataType, Graph, Session, layers::Dense, losses, regularizers};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let x = graph.constant([[1.0f32, 2.0]])?;
//! let layer = Dense::new(1).kernel_initializer(downpour::initializers::ones());
//! let y = layer.regularizer(regularizers::l2(0.5)).build(&x)?;
//! let loss = losses::regularized(&y.mean_all()?)?;
//!
//! let session = Session::local(&graph)?;
//! session.run(&[], &[&graph.initialize_variables()?])?;
//! assert_eq!(session.fetch(&[], &loss)?.to_scalar::<f32>()?, 3.0 + 0.5 * 2.0);
//! # Ok(())
//! # }
//! ```

use downpour_tensor::Result;

use crate::output::Output;

/// A loss of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Regularizer {
    l1: f64,
    l2: f64,
}

/// The sum of the weights' sizes times a number: makes many of them zero.
pub fn l1(scale: f64) -> Regularizer {
    Regularizer { l1: scale, l2: 0.0 }
}

/// The sum of the weights' squares times a number: keeps all of them small.
pub fn l2(scale: f64) -> Regularizer {
    Regularizer { l1: 0.0, l2: scale }
}

/// Both.
pub fn l1_l2(l1: f64, l2: f64) -> Regularizer {
    Regularizer { l1, l2 }
}

impl Regularizer {
    /// The loss of these weights, a scalar.
    pub fn apply(&self, weights: &Output) -> Result<Output> {
        let mut parts = Vec::new();
        if self.l1 != 0.0 {
            parts.push((weights.abs()?.sum_all()? * self.l1)?);
        }
        if self.l2 != 0.0 {
            parts.push((weights.square()?.sum_all()? * self.l2)?);
        }
        match parts.as_slice() {
            [] => weights.scalar_like(0.0),
            [one] => Ok(one.clone()),
            [first, second, ..] => first + second,
        }
    }
}
