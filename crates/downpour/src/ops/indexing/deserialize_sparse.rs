//! `DeserializeSparse`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeserializeSparse(serialized_sparse) -> (sparse_indices, sparse_values, sparse_shape)`.
///
/// * `serialized_sparse`: `Tserialized` (string, variant)
/// * `dtype`: attribute, type
/// * gives `sparse_indices`: int64
/// * gives `sparse_values`: `dtype` (any type)
/// * gives `sparse_shape`: int64
///
/// Gradients do not flow through it.
pub fn deserialize_sparse(serialized_sparse: &Output, dtype: DataType) -> DeserializeSparse {
    let mut node = NodeBuilder::new("DeserializeSparse").input(serialized_sparse);
    node.set("dtype", dtype.into());
    DeserializeSparse(node)
}

/// A `DeserializeSparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DeserializeSparse(NodeBuilder);

impl DeserializeSparse {
    /// Names the node.
    pub fn name(self, name: &str) -> DeserializeSparse {
        DeserializeSparse(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
