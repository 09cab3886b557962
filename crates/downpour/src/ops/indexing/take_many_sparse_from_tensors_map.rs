//! `TakeManySparseFromTensorsMap`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TakeManySparseFromTensorsMap(sparse_handles) -> (sparse_indices, sparse_values, sparse_shape)`.
///
/// * `sparse_handles`: int64
/// * `dtype`: attribute, type
/// * gives `sparse_indices`: int64
/// * gives `sparse_values`: `dtype` (any type)
/// * gives `sparse_shape`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn take_many_sparse_from_tensors_map(
    sparse_handles: &Output,
    dtype: DataType,
) -> TakeManySparseFromTensorsMap {
    let mut node = NodeBuilder::new("TakeManySparseFromTensorsMap").input(sparse_handles);
    node.set("dtype", dtype.into());
    TakeManySparseFromTensorsMap(node)
}

/// A `TakeManySparseFromTensorsMap` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TakeManySparseFromTensorsMap(NodeBuilder);

impl TakeManySparseFromTensorsMap {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> TakeManySparseFromTensorsMap {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> TakeManySparseFromTensorsMap {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TakeManySparseFromTensorsMap {
        TakeManySparseFromTensorsMap(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
