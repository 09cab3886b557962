//! `SerializeManySparse`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SerializeManySparse(sparse_indices, sparse_values, sparse_shape) -> (serialized_sparse)`.
///
/// * `sparse_indices`: int64
/// * `sparse_values`: `T` (any type)
/// * `sparse_shape`: int64
/// * gives `serialized_sparse`: `out_type` (string, variant)
///
/// Gradients do not flow through it.
pub fn serialize_many_sparse(
    sparse_indices: &Output,
    sparse_values: &Output,
    sparse_shape: &Output,
) -> SerializeManySparse {
    let node = NodeBuilder::new("SerializeManySparse")
        .input(sparse_indices)
        .input(sparse_values)
        .input(sparse_shape);
    SerializeManySparse(node)
}

/// A `SerializeManySparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SerializeManySparse(NodeBuilder);

impl SerializeManySparse {
    /// The attribute `out_type`; string unless set.
    pub fn out_type(mut self, value: DataType) -> SerializeManySparse {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SerializeManySparse {
        SerializeManySparse(self.0.name(name))
    }

    /// Adds the node and gives `serialized_sparse`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
