//! `TensorScatterMin`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorScatterMin(tensor, indices, updates) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tensor_scatter_min(tensor: &Output, indices: &Output, updates: &Output) -> TensorScatterMin {
    let node = NodeBuilder::new("TensorScatterMin").input(tensor).input(indices).input(updates);
    TensorScatterMin(node)
}

/// A `TensorScatterMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorScatterMin(NodeBuilder);

impl TensorScatterMin {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> TensorScatterMin {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorScatterMin {
        TensorScatterMin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
