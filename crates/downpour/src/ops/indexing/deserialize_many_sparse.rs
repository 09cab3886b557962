//! `DeserializeManySparse`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeserializeManySparse(serialized_sparse) -> (sparse_indices, sparse_values, sparse_shape)`.
///
/// * `serialized_sparse`: string
/// * `dtype`: attribute, type
/// * gives `sparse_indices`: int64
/// * gives `sparse_values`: `dtype` (any type)
/// * gives `sparse_shape`: int64
///
/// Gradients do not flow through it.
pub fn deserialize_many_sparse(
    serialized_sparse: &Output,
    dtype: DataType,
) -> DeserializeManySparse {
    let mut node = NodeBuilder::new("DeserializeManySparse").input(serialized_sparse);
    node.set("dtype", dtype.into());
    DeserializeManySparse(node)
}

/// A `DeserializeManySparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DeserializeManySparse(NodeBuilder);

impl DeserializeManySparse {
    /// Names the node.
    pub fn name(self, name: &str) -> DeserializeManySparse {
        DeserializeManySparse(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
