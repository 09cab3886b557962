//! Ready-made models: descriptions that can be written in a job's file, and that the trainer builds.
//!
//! Each has an output `logits`, `probabilities` and `classes`, and measures its accuracy.
//!
//! ```
//! use downpour::{DataType, Graph, Inputs, Mode, Model, models::Mlp};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let image = graph.placeholder("image", DataType::UInt8, [None, Some(28), Some(28)])?;
//! let label = graph.placeholder("label", DataType::UInt8, [None])?;
//! let columns = vec![("image".to_string(), image), ("label".to_string(), label)];
//! let model = Mlp { hidden: vec![64], ..Mlp::default() };
//! let built = model.build(&Inputs::new(&graph, Mode::Train, columns))?;
//! assert_eq!(built.get_output("logits")?.shape().to_string(), "[?,10]");
//! # Ok(())
//! # }
//! ```

mod classifier;
mod cnn;
mod columns;
mod lstm;
mod mlp;
mod resnet;
mod wide_and_deep;

pub use cnn::Cnn;
pub use columns::{Categorical, Crossed, Numeric};
pub use lstm::Lstm;
pub use mlp::Mlp;
pub use resnet::ResNet;
pub use wide_and_deep::WideAndDeep;
