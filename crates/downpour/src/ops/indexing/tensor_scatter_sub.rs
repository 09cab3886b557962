//! `TensorScatterSub`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorScatterSub(tensor, indices, updates) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tensor_scatter_sub(tensor: &Output, indices: &Output, updates: &Output) -> TensorScatterSub {
    let node = NodeBuilder::new("TensorScatterSub").input(tensor).input(indices).input(updates);
    TensorScatterSub(node)
}

/// A `TensorScatterSub` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorScatterSub(NodeBuilder);

impl TensorScatterSub {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> TensorScatterSub {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorScatterSub {
        TensorScatterSub(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
