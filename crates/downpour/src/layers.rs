//! Layers: parts of models that bring their own variables, with TensorFlow's names, formulas and defaults.
//!
//! A layer is described, then built on a value. Its variables stand in a variable scope of its name; without
//! a name it takes its default (`dense`, `dense_1`, ...). Built again while variables are reused, the same
//! layers find the same variables.
//!
//! ```
//! use downpour::{DataType, Graph, layers::{Conv2d, Dense, Dropout, MaxPool2d, flatten}};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let image = graph.placeholder("image", DataType::Float, [None, Some(28), Some(28), Some(1)])?;
//! let training = true;
//! let x = Conv2d::new(16, 5).relu().build(&image)?;
//! let x = MaxPool2d::new(2).build(&x)?;
//! let x = flatten(&x)?;
//! let x = Dense::new(64).relu().build(&x)?;
//! let x = Dropout::new(0.4).build(&x, training)?;
//! let logits = Dense::new(10).name("logits").build(&x)?;
//! assert_eq!(logits.shape().to_string(), "[?,10]");
//! let names: Vec<String> = graph.variables().iter().map(|v| v.name().to_string()).collect();
//! assert_eq!(names[..2], ["conv2d/kernel", "conv2d/bias"]);
//! assert_eq!(names[4..], ["logits/kernel", "logits/bias"]);
//! # Ok(())
//! # }
//! ```

mod activation;
mod attention;
mod batch_norm;
mod cells;
mod conv2d;
mod dense;
mod dropout;
mod embedding;
mod hash_embedding;
mod layer_norm;
mod pooling;
mod recurrent;
mod residual;
mod separable_conv2d;
mod support;
mod window;

pub use activation::Activation;
pub use attention::{MultiHeadAttention, scaled_dot_product_attention};
pub use batch_norm::BatchNorm;
pub use cells::{GruCell, LstmCell};
pub use conv2d::Conv2d;
pub use dense::Dense;
pub use dropout::Dropout;
pub use embedding::Embedding;
pub use hash_embedding::{HashEmbedding, HashStatistics};
pub use layer_norm::LayerNorm;
pub use pooling::{AveragePool2d, MaxPool2d, flatten, global_average_pool, global_max_pool};
pub use recurrent::{Cell, Recurrent, Sequence};
pub use residual::ResidualBlock;
pub use separable_conv2d::SeparableConv2d;
pub use window::{Padding, Window};
