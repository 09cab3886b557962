//! Activations by name.

use downpour_tensor::Result;
use serde::{Deserialize, Serialize};

use crate::ops;
use crate::output::Output;

/// What is applied to a layer's sums.
///
/// ```
/// use downpour::{Graph, Session, layers::Activation};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.constant([-1.0f32, 2.0])?;
/// let y = Activation::Relu.apply(&x)?;
/// assert_eq!(Session::local(&graph)?.fetch(&[], &y)?.as_slice::<f32>()?, &[0.0, 2.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// The sums as they are.
    #[default]
    Linear,
    /// The larger of the value and zero.
    Relu,
    /// Between zero and six.
    Relu6,
    /// Like relu, with a slope of 0.2 below zero.
    LeakyRelu,
    /// Exponential linear unit.
    Elu,
    /// Scaled exponential linear unit.
    Selu,
    /// The value times the normal distribution's probability of less than it.
    Gelu,
    /// The value times its sigmoid, also known as SiLU.
    Swish,
    /// 1 / (1 + exp(-x)).
    Sigmoid,
    /// Hyperbolic tangent.
    Tanh,
    /// log(1 + exp(x)).
    Softplus,
    /// Exponentials along the last axis, divided by their sum.
    Softmax,
}

impl Activation {
    /// Applies it to a value.
    pub fn apply(self, x: &Output) -> Result<Output> {
        match self {
            Activation::Linear => Ok(x.clone()),
            Activation::Relu => x.relu(),
            Activation::Relu6 => x.relu6(),
            Activation::LeakyRelu => ops::leaky_relu(x).build(),
            Activation::Elu => x.elu(),
            Activation::Selu => ops::selu(x).build(),
            Activation::Gelu => {
                let below = ((x * std::f64::consts::FRAC_1_SQRT_2)?.erf()? + 1.0)?;
                (x * 0.5)? * below
            }
            Activation::Swish => x * x.sigmoid()?,
            Activation::Sigmoid => x.sigmoid(),
            Activation::Tanh => x.tanh(),
            Activation::Softplus => x.softplus(),
            Activation::Softmax => x.softmax(),
        }
    }
}
