//! Layers: variables with a rule how values pass through them, by TensorFlow's names and formulas.
//!
//! A layer makes its variables once, under its name, and can be applied many times.
//!
//! ```
//! use downpour::layers::{Activation, Dense, Dropout, Layer, Sequential};
//! use downpour::{DataType, Graph};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let x = graph.placeholder("x", DataType::Float, [None, Some(784)])?;
//! let model = Sequential::new()
//!     .add(Dense::new(784, 128).activation(Activation::Relu).build(&graph, "hidden")?)
//!     .add(Dropout::new(0.4))
//!     .add(Dense::new(128, 10).build(&graph, "logits")?);
//! let logits = model.apply(&x, true)?;
//! assert_eq!(logits.shape().to_string(), "[?,10]");
//! let names: Vec<String> = graph.variables().iter().map(|v| v.name().to_string()).collect();
//! assert_eq!(names, ["hidden/kernel", "hidden/bias", "logits/kernel", "logits/bias"]);
//! # Ok(())
//! # }
//! ```

mod attention;
mod batch_norm;
mod conv;
mod dense;
mod dropout;
mod embedding;
mod pooling;
mod recurrent;
mod residual;

use downpour_tensor::{Result, Status};

use crate::node_builder::NodeBuilder;
use crate::output::Output;

pub use attention::{MultiHeadAttention, MultiHeadAttentionBuilder};
pub use batch_norm::{BatchNorm, BatchNormBuilder};
pub use conv::{Conv2d, Conv2dBuilder};
pub use dense::{Dense, DenseBuilder};
pub use dropout::Dropout;
pub use embedding::Embedding;
pub use pooling::{Flatten, GlobalAveragePool, Pool2d};
pub use recurrent::{Gru, Lstm, Recurrent};
pub use residual::ResidualBlock;

/// Something values pass through.
pub trait Layer {
    /// The value behind the layer; `training` where that makes a difference (dropout, batch statistics).
    fn apply(&self, input: &Output, training: bool) -> Result<Output>;
}

/// A function of each element (or of the last axis) behind a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// None.
    #[default]
    Linear,
    /// max(x, 0).
    Relu,
    /// min(max(x, 0), 6).
    Relu6,
    /// 1 / (1 + exp(-x)).
    Sigmoid,
    /// Hyperbolic tangent.
    Tanh,
    /// Exponential linear unit.
    Elu,
    /// x * Φ(x), with the error function.
    Gelu,
    /// x * sigmoid(x).
    Swish,
    /// log(1 + exp(x)).
    Softplus,
    /// Exponentials divided by their sum, along the last axis.
    Softmax,
}

impl Activation {
    /// The function's value.
    pub fn of(self, x: &Output) -> Result<Output> {
        match self {
            Activation::Linear => Ok(x.clone()),
            Activation::Relu => x.relu(),
            Activation::Relu6 => x.relu6(),
            Activation::Sigmoid => x.sigmoid(),
            Activation::Tanh => x.tanh(),
            Activation::Elu => x.elu(),
            Activation::Gelu => {
                let below = ((x * std::f64::consts::FRAC_1_SQRT_2)?.erf()? + 1.0)?;
                (x * 0.5)? * below
            }
            Activation::Swish => x * x.sigmoid()?,
            Activation::Softplus => x.softplus(),
            Activation::Softmax => x.softmax(),
        }
    }
}

impl Layer for Activation {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        self.of(input)
    }
}

/// Layers one after the other.
#[derive(Default)]
pub struct Sequential(Vec<Box<dyn Layer + Send + Sync>>);

impl Sequential {
    /// No layer yet.
    pub fn new() -> Sequential {
        Sequential::default()
    }

    /// With one more at the end.
    #[expect(clippy::should_implement_trait, reason = "the word for putting a layer on top")]
    pub fn add(mut self, layer: impl Layer + Send + Sync + 'static) -> Sequential {
        self.0.push(Box::new(layer));
        self
    }
}

impl Layer for Sequential {
    fn apply(&self, input: &Output, training: bool) -> Result<Output> {
        let mut value = input.clone();
        for layer in &self.0 {
            value = layer.apply(&value, training)?;
        }
        Ok(value)
    }
}

/// The size of the last axis must be what the layer was made for.
fn expect_last(layer: &str, input: &Output, size: usize) -> Result<()> {
    let shape = input.shape();
    let last = shape.dims().and_then(|dims| dims.last().copied().flatten());
    match last {
        Some(last) if last != size => Err(Status::invalid_argument(format!(
            "the layer '{layer}' takes values whose last axis has size {size}, and {} has the shape {shape}",
            input.name()
        ))),
        _ => Ok(()),
    }
}

/// Adds a bias and applies an activation.
fn finish(value: Output, bias: Option<&Output>, activation: Activation) -> Result<Output> {
    match bias {
        Some(bias) => activation.of(&value.bias_add(bias)?),
        None => activation.of(&value),
    }
}

/// How many there are along an axis, computed in the graph: an int32 scalar.
fn size_of(value: &Output, axis: i32) -> Result<Output> {
    let graph = value.graph();
    let (begin, end) = (graph.constant([axis])?, graph.constant([axis + 1])?);
    let node = NodeBuilder::new("StridedSlice").input(&value.shape_of()?);
    let node = node.input(&begin).input(&end).input(&graph.constant([1i32])?);
    node.attr("shrink_axis_mask", 1i64).output()
}
