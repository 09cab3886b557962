//! `ParseSequenceExampleV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParseSequenceExampleV2(serialized, debug_name, context_sparse_keys, context_dense_keys, context_ragged_keys, feature_list_sparse_keys, feature_list_dense_keys, feature_list_ragged_keys, feature_list_dense_missing_assumed_empty, context_dense_defaults) -> (context_sparse_indices, context_sparse_values, context_sparse_shapes, context_dense_values, context_ragged_values, context_ragged_row_splits, feature_list_sparse_indices, feature_list_sparse_values, feature_list_sparse_shapes, feature_list_dense_values, feature_list_dense_lengths, feature_list_ragged_values, feature_list_ragged_outer_splits, feature_list_ragged_inner_splits)`.
///
/// * `serialized`: string
/// * `debug_name`: string
/// * `context_sparse_keys`: string
/// * `context_dense_keys`: string
/// * `context_ragged_keys`: string
/// * `feature_list_sparse_keys`: string
/// * `feature_list_dense_keys`: string
/// * `feature_list_ragged_keys`: string
/// * `feature_list_dense_missing_assumed_empty`: bool
/// * `context_dense_defaults`: several, of types `Tcontext_dense`
/// * gives `context_sparse_indices`: `Ncontext_sparse` values of int64
/// * gives `context_sparse_values`: several, of types `context_sparse_types`
/// * gives `context_sparse_shapes`: `Ncontext_sparse` values of int64
/// * gives `context_dense_values`: several, of types `Tcontext_dense`
/// * gives `context_ragged_values`: several, of types `context_ragged_value_types`
/// * gives `context_ragged_row_splits`: several, of types `context_ragged_split_types`
/// * gives `feature_list_sparse_indices`: `Nfeature_list_sparse` values of int64
/// * gives `feature_list_sparse_values`: several, of types `feature_list_sparse_types`
/// * gives `feature_list_sparse_shapes`: `Nfeature_list_sparse` values of int64
/// * gives `feature_list_dense_values`: several, of types `feature_list_dense_types`
/// * gives `feature_list_dense_lengths`: `Nfeature_list_dense` values of int64
/// * gives `feature_list_ragged_values`: several, of types `feature_list_ragged_value_types`
/// * gives `feature_list_ragged_outer_splits`: several, of types `feature_list_ragged_split_types`
/// * gives `feature_list_ragged_inner_splits`: several, of types `feature_list_ragged_split_types`
///
/// Gradients do not flow through it.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn parse_sequence_example_v2(
    serialized: &Output,
    debug_name: &Output,
    context_sparse_keys: &Output,
    context_dense_keys: &Output,
    context_ragged_keys: &Output,
    feature_list_sparse_keys: &Output,
    feature_list_dense_keys: &Output,
    feature_list_ragged_keys: &Output,
    feature_list_dense_missing_assumed_empty: &Output,
    context_dense_defaults: &[Output],
) -> ParseSequenceExampleV2 {
    let node = NodeBuilder::new("ParseSequenceExampleV2")
        .input(serialized)
        .input(debug_name)
        .input(context_sparse_keys)
        .input(context_dense_keys)
        .input(context_ragged_keys)
        .input(feature_list_sparse_keys)
        .input(feature_list_dense_keys)
        .input(feature_list_ragged_keys)
        .input(feature_list_dense_missing_assumed_empty)
        .list(context_dense_defaults);
    ParseSequenceExampleV2(node)
}

/// The values of a `ParseSequenceExampleV2`.
pub struct ParseSequenceExampleV2Values {
    /// `context_sparse_indices`.
    pub context_sparse_indices: Vec<Output>,
    /// `context_sparse_values`.
    pub context_sparse_values: Vec<Output>,
    /// `context_sparse_shapes`.
    pub context_sparse_shapes: Vec<Output>,
    /// `context_dense_values`.
    pub context_dense_values: Vec<Output>,
    /// `context_ragged_values`.
    pub context_ragged_values: Vec<Output>,
    /// `context_ragged_row_splits`.
    pub context_ragged_row_splits: Vec<Output>,
    /// `feature_list_sparse_indices`.
    pub feature_list_sparse_indices: Vec<Output>,
    /// `feature_list_sparse_values`.
    pub feature_list_sparse_values: Vec<Output>,
    /// `feature_list_sparse_shapes`.
    pub feature_list_sparse_shapes: Vec<Output>,
    /// `feature_list_dense_values`.
    pub feature_list_dense_values: Vec<Output>,
    /// `feature_list_dense_lengths`.
    pub feature_list_dense_lengths: Vec<Output>,
    /// `feature_list_ragged_values`.
    pub feature_list_ragged_values: Vec<Output>,
    /// `feature_list_ragged_outer_splits`.
    pub feature_list_ragged_outer_splits: Vec<Output>,
    /// `feature_list_ragged_inner_splits`.
    pub feature_list_ragged_inner_splits: Vec<Output>,
}

/// A `ParseSequenceExampleV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParseSequenceExampleV2(NodeBuilder);

impl ParseSequenceExampleV2 {
    /// The attribute `Ncontext_sparse`; `0` unless set.
    pub fn ncontext_sparse(mut self, value: i64) -> ParseSequenceExampleV2 {
        self.0.set("Ncontext_sparse", value.into());
        self
    }

    /// The attribute `context_sparse_types`; an empty list unless set.
    pub fn context_sparse_types(mut self, value: &[DataType]) -> ParseSequenceExampleV2 {
        self.0.set("context_sparse_types", value.to_vec().into());
        self
    }

    /// The attribute `context_ragged_value_types`; an empty list unless set.
    pub fn context_ragged_value_types(mut self, value: &[DataType]) -> ParseSequenceExampleV2 {
        self.0.set("context_ragged_value_types", value.to_vec().into());
        self
    }

    /// The attribute `context_ragged_split_types`; an empty list unless set.
    pub fn context_ragged_split_types(mut self, value: &[DataType]) -> ParseSequenceExampleV2 {
        self.0.set("context_ragged_split_types", value.to_vec().into());
        self
    }

    /// The attribute `context_dense_shapes`; an empty list unless set.
    pub fn context_dense_shapes(mut self, value: &[PartialShape]) -> ParseSequenceExampleV2 {
        self.0.set("context_dense_shapes", value.to_vec().into());
        self
    }

    /// The attribute `Nfeature_list_sparse`; `0` unless set.
    pub fn nfeature_list_sparse(mut self, value: i64) -> ParseSequenceExampleV2 {
        self.0.set("Nfeature_list_sparse", value.into());
        self
    }

    /// The attribute `Nfeature_list_dense`; `0` unless set.
    pub fn nfeature_list_dense(mut self, value: i64) -> ParseSequenceExampleV2 {
        self.0.set("Nfeature_list_dense", value.into());
        self
    }

    /// The attribute `feature_list_dense_types`; an empty list unless set.
    pub fn feature_list_dense_types(mut self, value: &[DataType]) -> ParseSequenceExampleV2 {
        self.0.set("feature_list_dense_types", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_sparse_types`; an empty list unless set.
    pub fn feature_list_sparse_types(mut self, value: &[DataType]) -> ParseSequenceExampleV2 {
        self.0.set("feature_list_sparse_types", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_ragged_value_types`; an empty list unless set.
    pub fn feature_list_ragged_value_types(mut self, value: &[DataType]) -> ParseSequenceExampleV2 {
        self.0.set("feature_list_ragged_value_types", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_ragged_split_types`; an empty list unless set.
    pub fn feature_list_ragged_split_types(mut self, value: &[DataType]) -> ParseSequenceExampleV2 {
        self.0.set("feature_list_ragged_split_types", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_dense_shapes`; an empty list unless set.
    pub fn feature_list_dense_shapes(mut self, value: &[PartialShape]) -> ParseSequenceExampleV2 {
        self.0.set("feature_list_dense_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ParseSequenceExampleV2 {
        ParseSequenceExampleV2(self.0.name(name))
    }

    /// Adds the node and gives (`context_sparse_indices`, `context_sparse_values`, `context_sparse_shapes`, `context_dense_values`, `context_ragged_values`, `context_ragged_row_splits`, `feature_list_sparse_indices`, `feature_list_sparse_values`, `feature_list_sparse_shapes`, `feature_list_dense_values`, `feature_list_dense_lengths`, `feature_list_ragged_values`, `feature_list_ragged_outer_splits`, `feature_list_ragged_inner_splits`).
    pub fn build(self) -> Result<ParseSequenceExampleV2Values> {
        let operation = self.0.operation()?;
        Ok(ParseSequenceExampleV2Values {
            context_sparse_indices: operation.named_outputs("context_sparse_indices")?,
            context_sparse_values: operation.named_outputs("context_sparse_values")?,
            context_sparse_shapes: operation.named_outputs("context_sparse_shapes")?,
            context_dense_values: operation.named_outputs("context_dense_values")?,
            context_ragged_values: operation.named_outputs("context_ragged_values")?,
            context_ragged_row_splits: operation.named_outputs("context_ragged_row_splits")?,
            feature_list_sparse_indices: operation.named_outputs("feature_list_sparse_indices")?,
            feature_list_sparse_values: operation.named_outputs("feature_list_sparse_values")?,
            feature_list_sparse_shapes: operation.named_outputs("feature_list_sparse_shapes")?,
            feature_list_dense_values: operation.named_outputs("feature_list_dense_values")?,
            feature_list_dense_lengths: operation.named_outputs("feature_list_dense_lengths")?,
            feature_list_ragged_values: operation.named_outputs("feature_list_ragged_values")?,
            feature_list_ragged_outer_splits: operation
                .named_outputs("feature_list_ragged_outer_splits")?,
            feature_list_ragged_inner_splits: operation
                .named_outputs("feature_list_ragged_inner_splits")?,
        })
    }
}
