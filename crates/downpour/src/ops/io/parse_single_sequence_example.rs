//! `ParseSingleSequenceExample`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParseSingleSequenceExample(serialized, feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys, context_dense_defaults, debug_name) -> (context_sparse_indices, context_sparse_values, context_sparse_shapes, context_dense_values, feature_list_sparse_indices, feature_list_sparse_values, feature_list_sparse_shapes, feature_list_dense_values)`.
///
/// * `serialized`: string
/// * `feature_list_dense_missing_assumed_empty`: string
/// * `context_sparse_keys`: `Ncontext_sparse` values of string
/// * `context_dense_keys`: `Ncontext_dense` values of string
/// * `feature_list_sparse_keys`: `Nfeature_list_sparse` values of string
/// * `feature_list_dense_keys`: `Nfeature_list_dense` values of string
/// * `context_dense_defaults`: several, of types `Tcontext_dense`
/// * `debug_name`: string
/// * gives `context_sparse_indices`: `Ncontext_sparse` values of int64
/// * gives `context_sparse_values`: several, of types `context_sparse_types`
/// * gives `context_sparse_shapes`: `Ncontext_sparse` values of int64
/// * gives `context_dense_values`: several, of types `Tcontext_dense`
/// * gives `feature_list_sparse_indices`: `Nfeature_list_sparse` values of int64
/// * gives `feature_list_sparse_values`: several, of types `feature_list_sparse_types`
/// * gives `feature_list_sparse_shapes`: `Nfeature_list_sparse` values of int64
/// * gives `feature_list_dense_values`: several, of types `feature_list_dense_types`
///
/// Gradients do not flow through it.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn parse_single_sequence_example(
    serialized: &Output,
    feature_list_dense_missing_assumed_empty: &Output,
    context_sparse_keys: &[Output],
    context_dense_keys: &[Output],
    feature_list_sparse_keys: &[Output],
    feature_list_dense_keys: &[Output],
    context_dense_defaults: &[Output],
    debug_name: &Output,
) -> ParseSingleSequenceExample {
    let node = NodeBuilder::new("ParseSingleSequenceExample")
        .input(serialized)
        .input(feature_list_dense_missing_assumed_empty)
        .list(context_sparse_keys)
        .list(context_dense_keys)
        .list(feature_list_sparse_keys)
        .list(feature_list_dense_keys)
        .list(context_dense_defaults)
        .input(debug_name);
    ParseSingleSequenceExample(node)
}

/// The values of a `ParseSingleSequenceExample`.
pub struct ParseSingleSequenceExampleValues {
    /// `context_sparse_indices`.
    pub context_sparse_indices: Vec<Output>,
    /// `context_sparse_values`.
    pub context_sparse_values: Vec<Output>,
    /// `context_sparse_shapes`.
    pub context_sparse_shapes: Vec<Output>,
    /// `context_dense_values`.
    pub context_dense_values: Vec<Output>,
    /// `feature_list_sparse_indices`.
    pub feature_list_sparse_indices: Vec<Output>,
    /// `feature_list_sparse_values`.
    pub feature_list_sparse_values: Vec<Output>,
    /// `feature_list_sparse_shapes`.
    pub feature_list_sparse_shapes: Vec<Output>,
    /// `feature_list_dense_values`.
    pub feature_list_dense_values: Vec<Output>,
}

/// A `ParseSingleSequenceExample` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParseSingleSequenceExample(NodeBuilder);

impl ParseSingleSequenceExample {
    /// The attribute `context_sparse_types`; an empty list unless set.
    pub fn context_sparse_types(mut self, value: &[DataType]) -> ParseSingleSequenceExample {
        self.0.set("context_sparse_types", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_dense_types`; an empty list unless set.
    pub fn feature_list_dense_types(mut self, value: &[DataType]) -> ParseSingleSequenceExample {
        self.0.set("feature_list_dense_types", value.to_vec().into());
        self
    }

    /// The attribute `context_dense_shapes`; an empty list unless set.
    pub fn context_dense_shapes(mut self, value: &[PartialShape]) -> ParseSingleSequenceExample {
        self.0.set("context_dense_shapes", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_sparse_types`; an empty list unless set.
    pub fn feature_list_sparse_types(mut self, value: &[DataType]) -> ParseSingleSequenceExample {
        self.0.set("feature_list_sparse_types", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_dense_shapes`; an empty list unless set.
    pub fn feature_list_dense_shapes(
        mut self,
        value: &[PartialShape],
    ) -> ParseSingleSequenceExample {
        self.0.set("feature_list_dense_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ParseSingleSequenceExample {
        ParseSingleSequenceExample(self.0.name(name))
    }

    /// Adds the node and gives (`context_sparse_indices`, `context_sparse_values`, `context_sparse_shapes`, `context_dense_values`, `feature_list_sparse_indices`, `feature_list_sparse_values`, `feature_list_sparse_shapes`, `feature_list_dense_values`).
    pub fn build(self) -> Result<ParseSingleSequenceExampleValues> {
        let operation = self.0.operation()?;
        Ok(ParseSingleSequenceExampleValues {
            context_sparse_indices: operation.named_outputs("context_sparse_indices")?,
            context_sparse_values: operation.named_outputs("context_sparse_values")?,
            context_sparse_shapes: operation.named_outputs("context_sparse_shapes")?,
            context_dense_values: operation.named_outputs("context_dense_values")?,
            feature_list_sparse_indices: operation.named_outputs("feature_list_sparse_indices")?,
            feature_list_sparse_values: operation.named_outputs("feature_list_sparse_values")?,
            feature_list_sparse_shapes: operation.named_outputs("feature_list_sparse_shapes")?,
            feature_list_dense_values: operation.named_outputs("feature_list_dense_values")?,
        })
    }
}
