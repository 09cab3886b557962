//! A typed function for every operation, by TensorFlow's names.
//!
//! What an operation needs are arguments; what it may be told besides are methods; `build` adds the node.
//!
//! ```
//! use downpour::{Graph, ops};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let a = graph.constant([[1.0f32, 2.0], [3.0, 4.0]])?;
//! let product = ops::mat_mul(&a, &a).transpose_b(true).name("product").build()?;
//! let (values, indices) = ops::top_kv2(&product, &graph.constant(1)?).build()?;
//! assert_eq!(values.shape().to_string(), "[2,1]");
//! assert_eq!(indices.dtype(), downpour::DataType::Int32);
//! # Ok(())
//! # }
//! ```
//!
//! The files are generated from the operations' definitions (`cargo xtask generate-ops`).

mod array;
mod collective;
mod conv;
mod elementwise;
mod flow;
mod indexing;
mod io;
mod math;
mod nn;
mod random;
mod state;
mod support;

pub use array::*;
pub use collective::*;
pub use conv::*;
pub use elementwise::*;
pub use flow::*;
pub use indexing::*;
pub use io::*;
pub use math::*;
pub use nn::*;
pub use random::*;
pub use state::*;
pub use support::{ForOperation, ForOutput, ForOutputs};
