//! `CSRSparseMatrixComponents`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CSRSparseMatrixComponents(csr_sparse_matrix, index) -> (row_ptrs, col_inds, values)`.
///
/// * `csr_sparse_matrix`: variant
/// * `index`: int32
/// * `type`: attribute, type, one of float, double, complex64, complex128
/// * gives `row_ptrs`: int32
/// * gives `col_inds`: int32
/// * gives `values`: `type` (float, double, complex64, complex128)
///
/// Has no gradient.
pub fn csr_sparse_matrix_components(csr_sparse_matrix: &Output, index: &Output, type_: DataType) -> CSRSparseMatrixComponents {
    let mut node = NodeBuilder::new("CSRSparseMatrixComponents").input(csr_sparse_matrix).input(index);
    node.set("type", type_.into());
    CSRSparseMatrixComponents(node)
}

/// A `CSRSparseMatrixComponents` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CSRSparseMatrixComponents(NodeBuilder);

impl CSRSparseMatrixComponents {
    /// Names the node.
    pub fn name(self, name: &str) -> CSRSparseMatrixComponents {
        CSRSparseMatrixComponents(self.0.name(name))
    }

    /// Adds the node and gives (`row_ptrs`, `col_inds`, `values`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
