//! `AddManySparseToTensorsMap`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AddManySparseToTensorsMap(sparse_indices, sparse_values, sparse_shape) -> (sparse_handles)`.
///
/// * `sparse_indices`: int64
/// * `sparse_values`: `T` (any type)
/// * `sparse_shape`: int64
/// * gives `sparse_handles`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn add_many_sparse_to_tensors_map(
    sparse_indices: &Output,
    sparse_values: &Output,
    sparse_shape: &Output,
) -> AddManySparseToTensorsMap {
    let node = NodeBuilder::new("AddManySparseToTensorsMap")
        .input(sparse_indices)
        .input(sparse_values)
        .input(sparse_shape);
    AddManySparseToTensorsMap(node)
}

/// A `AddManySparseToTensorsMap` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AddManySparseToTensorsMap(NodeBuilder);

impl AddManySparseToTensorsMap {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> AddManySparseToTensorsMap {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> AddManySparseToTensorsMap {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AddManySparseToTensorsMap {
        AddManySparseToTensorsMap(self.0.name(name))
    }

    /// Adds the node and gives `sparse_handles`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
