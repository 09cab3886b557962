//! Mixed precision: products and convolutions in half or bfloat16, what needs range or sums in float32.
//!
//! As TensorFlow's automatic mixed precision, over the complete graph of a training step (forward,
//! gradients, update). `lists` says what is known of each operation's numerics, `paint` chooses the nodes
//! that compute in 16 bits so that values change their type seldom, `rewrite` changes them:
//!
//! - A node that is chosen computes under a name of its own (`dense/MatMul` as `dense/MatMul/bfloat16`),
//!   and the old name stands for its result in float32. So every value of the graph keeps its name and
//!   type, and may be fetched and built upon as before; what nobody asks for is never computed.
//! - Variables keep float32 (master weights): the cast comes after the read. Gradients reach optimizers
//!   in float32.
//! - A value is cast once for all who take it so. It is narrowed where it is made and widened where it is
//!   taken, so that 16 bits travel between devices.
//! - Only what the operation's definition and a kernel allow is changed. Inside loops (of Enter and Exit)
//!   and inside functions (functional loops, conditionals, calls) nothing is: they compute in float32.

mod lists;
mod paint;
mod rewrite;
#[cfg(test)]
mod tests;

pub use lists::{Numerics, PrecisionLists};

use downpour_tensor::{DataType, Result, Status};

use crate::graph::Graph;
use crate::node::{Node, NodeId};
use crate::registry::OpRegistry;

/// How a graph is to be rewritten.
pub struct MixedPrecision<'a> {
    /// The type of fast computations: half or bfloat16.
    pub compute: DataType,
    /// What is known of operations.
    pub lists: &'a PrecisionLists,
    /// Whether there is a kernel for a node as it would be.
    pub supports: &'a dyn Fn(&Node) -> bool,
}

/// What was rewritten.
#[derive(Clone, Debug, Default)]
pub struct MixedPrecisionReport {
    /// The nodes that have changed, by the numbers they had; the old names stand for float32 now.
    pub changed: Vec<NodeId>,
    /// The nodes that compute in 16 bits instead, in the same order.
    pub computing: Vec<NodeId>,
    /// How many casts there are at the borders, those under the names of rewritten nodes left out.
    pub casts: usize,
}

/// Rewrites a graph in place: numbers and names of its nodes keep their meaning and type.
pub fn mixed_precision(
    graph: &mut Graph,
    registry: &OpRegistry,
    wanted: &MixedPrecision<'_>,
) -> Result<MixedPrecisionReport> {
    if !matches!(wanted.compute, DataType::Half | DataType::BFloat16) {
        return Err(Status::invalid_argument(format!(
            "mixed precision computes in half or bfloat16, not in {}",
            wanted.compute
        )));
    }
    let painted = paint::paint(graph, wanted)?;
    rewrite::rewrite(graph, registry, wanted.compute, painted)
}
