//! `ParseExampleV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParseExampleV2(serialized, names, sparse_keys, dense_keys, ragged_keys, dense_defaults) -> (sparse_indices, sparse_values, sparse_shapes, dense_values, ragged_values, ragged_row_splits)`.
///
/// * `serialized`: string
/// * `names`: string
/// * `sparse_keys`: string
/// * `dense_keys`: string
/// * `ragged_keys`: string
/// * `dense_defaults`: several, of types `Tdense`
/// * `num_sparse`: attribute, int, at least 0
/// * `sparse_types`: attribute, list(type), at least 0 long, one of float, int64, string
/// * `ragged_value_types`: attribute, list(type), at least 0 long, one of float, int64, string
/// * `ragged_split_types`: attribute, list(type), at least 0 long, one of int32, int64
/// * `dense_shapes`: attribute, list(shape), at least 0 long
/// * gives `sparse_indices`: `num_sparse` values of int64
/// * gives `sparse_values`: several, of types `sparse_types`
/// * gives `sparse_shapes`: `num_sparse` values of int64
/// * gives `dense_values`: several, of types `Tdense`
/// * gives `ragged_values`: several, of types `ragged_value_types`
/// * gives `ragged_row_splits`: several, of types `ragged_split_types`
///
/// Gradients do not flow through it.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn parse_example_v2(
    serialized: &Output,
    names: &Output,
    sparse_keys: &Output,
    dense_keys: &Output,
    ragged_keys: &Output,
    dense_defaults: &[Output],
    num_sparse: i64,
    sparse_types: &[DataType],
    ragged_value_types: &[DataType],
    ragged_split_types: &[DataType],
    dense_shapes: &[PartialShape],
) -> ParseExampleV2 {
    let mut node = NodeBuilder::new("ParseExampleV2")
        .input(serialized)
        .input(names)
        .input(sparse_keys)
        .input(dense_keys)
        .input(ragged_keys)
        .list(dense_defaults);
    node.set("num_sparse", num_sparse.into());
    node.set("sparse_types", sparse_types.to_vec().into());
    node.set("ragged_value_types", ragged_value_types.to_vec().into());
    node.set("ragged_split_types", ragged_split_types.to_vec().into());
    node.set("dense_shapes", dense_shapes.to_vec().into());
    ParseExampleV2(node)
}

/// The values of a `ParseExampleV2`.
pub struct ParseExampleV2Values {
    /// `sparse_indices`.
    pub sparse_indices: Vec<Output>,
    /// `sparse_values`.
    pub sparse_values: Vec<Output>,
    /// `sparse_shapes`.
    pub sparse_shapes: Vec<Output>,
    /// `dense_values`.
    pub dense_values: Vec<Output>,
    /// `ragged_values`.
    pub ragged_values: Vec<Output>,
    /// `ragged_row_splits`.
    pub ragged_row_splits: Vec<Output>,
}

/// A `ParseExampleV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParseExampleV2(NodeBuilder);

impl ParseExampleV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> ParseExampleV2 {
        ParseExampleV2(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_shapes`, `dense_values`, `ragged_values`, `ragged_row_splits`).
    pub fn build(self) -> Result<ParseExampleV2Values> {
        let operation = self.0.operation()?;
        Ok(ParseExampleV2Values {
            sparse_indices: operation.named_outputs("sparse_indices")?,
            sparse_values: operation.named_outputs("sparse_values")?,
            sparse_shapes: operation.named_outputs("sparse_shapes")?,
            dense_values: operation.named_outputs("dense_values")?,
            ragged_values: operation.named_outputs("ragged_values")?,
            ragged_row_splits: operation.named_outputs("ragged_row_splits")?,
        })
    }
}
