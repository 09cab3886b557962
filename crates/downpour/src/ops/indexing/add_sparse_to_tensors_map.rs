//! `AddSparseToTensorsMap`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AddSparseToTensorsMap(sparse_indices, sparse_values, sparse_shape) -> (sparse_handle)`.
///
/// * `sparse_indices`: int64
/// * `sparse_values`: `T` (any type)
/// * `sparse_shape`: int64
/// * gives `sparse_handle`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn add_sparse_to_tensors_map(
    sparse_indices: &Output,
    sparse_values: &Output,
    sparse_shape: &Output,
) -> AddSparseToTensorsMap {
    let node = NodeBuilder::new("AddSparseToTensorsMap")
        .input(sparse_indices)
        .input(sparse_values)
        .input(sparse_shape);
    AddSparseToTensorsMap(node)
}

/// A `AddSparseToTensorsMap` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AddSparseToTensorsMap(NodeBuilder);

impl AddSparseToTensorsMap {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> AddSparseToTensorsMap {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> AddSparseToTensorsMap {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AddSparseToTensorsMap {
        AddSparseToTensorsMap(self.0.name(name))
    }

    /// Adds the node and gives `sparse_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
