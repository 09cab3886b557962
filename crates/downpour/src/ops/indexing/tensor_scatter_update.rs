//! `TensorScatterUpdate`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorScatterUpdate(tensor, indices, updates) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `indices`: `Tindices` (int16, int32, int64, uint16)
/// * `updates`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tensor_scatter_update(
    tensor: &Output,
    indices: &Output,
    updates: &Output,
) -> TensorScatterUpdate {
    let node = NodeBuilder::new("TensorScatterUpdate").input(tensor).input(indices).input(updates);
    TensorScatterUpdate(node)
}

/// A `TensorScatterUpdate` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorScatterUpdate(NodeBuilder);

impl TensorScatterUpdate {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> TensorScatterUpdate {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorScatterUpdate {
        TensorScatterUpdate(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
