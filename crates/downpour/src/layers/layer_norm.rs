//! Layer normalisation.

use downpour_tensor::Result;

use super::support::{expect_real, expect_size, weight};
use crate::initializers;
use crate::output::Output;

/// Gives each example's last axis mean 0 and variance 1, then scales and shifts it (Ba et al., 2016), as
/// `tf.keras.layers.LayerNormalization`.
///
/// ```
/// use downpour::{Graph, Session, layers::LayerNorm};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let y = LayerNorm::new().epsilon(0.0).build(&graph.constant([[1.0f32, 3.0], [10.0, 30.0]])?)?;
/// let session = Session::local(&graph)?;
/// session.run(&[], &[&graph.initialize_variables()?])?;
/// assert_eq!(session.fetch(&[], &y)?.as_slice::<f32>()?, &[-1.0, 1.0, -1.0, 1.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct LayerNorm {
    name: Option<String>,
    epsilon: f64,
}

impl Default for LayerNorm {
    fn default() -> LayerNorm {
        LayerNorm::new()
    }
}

impl LayerNorm {
    /// With TensorFlow's default epsilon, 0.001.
    pub fn new() -> LayerNorm {
        LayerNorm { name: None, epsilon: 1e-3 }
    }

    /// The name of its variable scope, instead of the numbered default.
    pub fn name(mut self, name: &str) -> LayerNorm {
        self.name = Some(name.to_string());
        self
    }

    /// What is added to variances, so that they are not zero.
    pub fn epsilon(mut self, epsilon: f64) -> LayerNorm {
        self.epsilon = epsilon;
        self
    }

    /// Adds it.
    pub fn build(&self, x: &Output) -> Result<Output> {
        expect_real("LayerNorm", x)?;
        let size = expect_size("LayerNorm", x, -1)?;
        let _scope = x.graph().layer_scope(self.name.as_deref(), "layer_normalization")?;
        let gamma = weight(x, "gamma", [size], &initializers::ones(), None)?;
        let beta = weight(x, "beta", [size], &initializers::zeros(), None)?;
        let mean = x.reduce_mean(&[-1], true)?;
        let variance = x.squared_difference(&mean)?.reduce_mean(&[-1], true)?;
        let scaled = ((x - mean)? * (variance + self.epsilon)?.rsqrt()?)?;
        (scaled * gamma.value())? + beta.value()
    }
}
