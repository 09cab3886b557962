//! Build, differentiate and train models as TensorFlow graphs, from Rust.
//!
//! A [`Graph`] is built call by call; every call checks types and shapes and says at once what does not
//! fit. What was built is TensorFlow's own graph language ([`Graph::to_graph_def`]), so TensorFlow can run
//! it too.
//!
//! ```
//! use downpour::{DataType, Graph, Session};
//!
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let x = graph.placeholder("x", DataType::Float, [None, Some(3)])?;
//! let w = graph.constant([[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
//! let y = ((x.matmul(&w)? * 2.0)? + 1.0)?.relu()?;
//! assert_eq!(y.shape().to_string(), "[?,2]");
//!
//! let session = Session::local(&graph)?;
//! let fed = downpour::tensor([[1.0f32, 0.0, -1.0]])?;
//! let values = session.run(&[(&x, fed)], &[&y])?;
//! assert_eq!(values[0].as_slice::<f32>()?, &[0.0, 0.0]);
//!
//! // Shapes that do not agree are refused where they meet.
//! let refused = w.matmul(&w).unwrap_err();
//! assert!(refused.message().contains("[3,2], [3,2]"), "{refused}");
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod advice;
mod amounts;
mod clip;
mod commands;
pub mod comparison;
mod control_flow;
mod gradients;
mod graph;
mod graph_map;
pub mod initializers;
mod into_tensor;
pub mod layers;
pub mod losses;
pub mod metrics;
pub mod models;
mod node_builder;
pub mod ops;
pub mod optimizer;
mod output;
pub mod pipeline;
mod precision;
pub mod progress;
pub mod record;
pub mod regularizers;
pub mod report;
mod schedule;
mod seed;
mod session;
pub mod training;
mod variable;

pub use clip::{clip_by_global_norm, clip_by_norm, clip_by_value, global_norm};
pub use control_flow::{cond, while_loop};
pub use gradients::{Gradient, GradientOptions, IndexedSlices, gradients, gradients_with};
pub use graph::{Graph, ScopeGuard};
pub use graph_map::GraphMap;
pub use into_tensor::{IntoTensor, number, tensor};
pub use node_builder::NodeBuilder;
pub use optimizer::Optimizer;
pub use output::{Operation, Output};
pub use precision::{LossScale, MixedPrecision, Numerics, PrecisionLists};
pub use schedule::{LearningRate, Schedule};
pub use session::{
    ByName, Fetch, LocalRunner, PreparedRun, PreparedStep, RunRequest, Runner, Session, StepOptions,
};
pub use training::{Built, Inputs, Metric, Mode, Model};
pub use variable::{Variable, VariableBuilder};

/// Datasets: sources, transformations, and iterators whose position is saved and resumed exactly.
pub use downpour_data as data;
/// Files: checkpoints, record files, event files, SavedModels and frozen graphs, safetensors.
pub use downpour_formats as formats;
pub use downpour_graph::{AttrValue, Function, PartialShape};
pub use downpour_tensor::{Code, DataType, Result, Shape, Status, Tensor};
/// TensorFlow's messages, as [`Graph::to_graph_def`] gives them.
pub use downpour_wire as wire;
