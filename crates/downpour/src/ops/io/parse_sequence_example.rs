//! `ParseSequenceExample`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParseSequenceExample(serialized, debug_name, context_dense_defaults) -> (context_sparse_indices, context_sparse_values, context_sparse_shapes, context_dense_values, feature_list_sparse_indices, feature_list_sparse_values, feature_list_sparse_shapes, feature_list_dense_values, feature_list_dense_lengths)`.
///
/// * `serialized`: string
/// * `debug_name`: string
/// * `context_dense_defaults`: several, of types `Tcontext_dense`
/// * `feature_list_dense_missing_assumed_empty`: attribute, list(string), at least 0 long
/// * `context_sparse_keys`: attribute, list(string), at least 0 long
/// * `context_dense_keys`: attribute, list(string), at least 0 long
/// * `feature_list_sparse_keys`: attribute, list(string), at least 0 long
/// * `feature_list_dense_keys`: attribute, list(string), at least 0 long
/// * gives `context_sparse_indices`: `Ncontext_sparse` values of int64
/// * gives `context_sparse_values`: several, of types `context_sparse_types`
/// * gives `context_sparse_shapes`: `Ncontext_sparse` values of int64
/// * gives `context_dense_values`: several, of types `Tcontext_dense`
/// * gives `feature_list_sparse_indices`: `Nfeature_list_sparse` values of int64
/// * gives `feature_list_sparse_values`: several, of types `feature_list_sparse_types`
/// * gives `feature_list_sparse_shapes`: `Nfeature_list_sparse` values of int64
/// * gives `feature_list_dense_values`: several, of types `feature_list_dense_types`
/// * gives `feature_list_dense_lengths`: `Nfeature_list_dense` values of int64
///
/// Gradients do not flow through it.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn parse_sequence_example(
    serialized: &Output,
    debug_name: &Output,
    context_dense_defaults: &[Output],
    feature_list_dense_missing_assumed_empty: &[&str],
    context_sparse_keys: &[&str],
    context_dense_keys: &[&str],
    feature_list_sparse_keys: &[&str],
    feature_list_dense_keys: &[&str],
) -> ParseSequenceExample {
    let mut node = NodeBuilder::new("ParseSequenceExample")
        .input(serialized)
        .input(debug_name)
        .list(context_dense_defaults);
    node.set(
        "feature_list_dense_missing_assumed_empty",
        texts(feature_list_dense_missing_assumed_empty),
    );
    node.set("context_sparse_keys", texts(context_sparse_keys));
    node.set("context_dense_keys", texts(context_dense_keys));
    node.set("feature_list_sparse_keys", texts(feature_list_sparse_keys));
    node.set("feature_list_dense_keys", texts(feature_list_dense_keys));
    ParseSequenceExample(node)
}

/// The values of a `ParseSequenceExample`.
pub struct ParseSequenceExampleValues {
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
    /// `feature_list_dense_lengths`.
    pub feature_list_dense_lengths: Vec<Output>,
}

/// A `ParseSequenceExample` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParseSequenceExample(NodeBuilder);

impl ParseSequenceExample {
    /// The attribute `Ncontext_sparse`; `0` unless set.
    pub fn ncontext_sparse(mut self, value: i64) -> ParseSequenceExample {
        self.0.set("Ncontext_sparse", value.into());
        self
    }

    /// The attribute `Ncontext_dense`; `0` unless set.
    pub fn ncontext_dense(mut self, value: i64) -> ParseSequenceExample {
        self.0.set("Ncontext_dense", value.into());
        self
    }

    /// The attribute `Nfeature_list_sparse`; `0` unless set.
    pub fn nfeature_list_sparse(mut self, value: i64) -> ParseSequenceExample {
        self.0.set("Nfeature_list_sparse", value.into());
        self
    }

    /// The attribute `Nfeature_list_dense`; `0` unless set.
    pub fn nfeature_list_dense(mut self, value: i64) -> ParseSequenceExample {
        self.0.set("Nfeature_list_dense", value.into());
        self
    }

    /// The attribute `context_sparse_types`; an empty list unless set.
    pub fn context_sparse_types(mut self, value: &[DataType]) -> ParseSequenceExample {
        self.0.set("context_sparse_types", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_dense_types`; an empty list unless set.
    pub fn feature_list_dense_types(mut self, value: &[DataType]) -> ParseSequenceExample {
        self.0.set("feature_list_dense_types", value.to_vec().into());
        self
    }

    /// The attribute `context_dense_shapes`; an empty list unless set.
    pub fn context_dense_shapes(mut self, value: &[PartialShape]) -> ParseSequenceExample {
        self.0.set("context_dense_shapes", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_sparse_types`; an empty list unless set.
    pub fn feature_list_sparse_types(mut self, value: &[DataType]) -> ParseSequenceExample {
        self.0.set("feature_list_sparse_types", value.to_vec().into());
        self
    }

    /// The attribute `feature_list_dense_shapes`; an empty list unless set.
    pub fn feature_list_dense_shapes(mut self, value: &[PartialShape]) -> ParseSequenceExample {
        self.0.set("feature_list_dense_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ParseSequenceExample {
        ParseSequenceExample(self.0.name(name))
    }

    /// Adds the node and gives (`context_sparse_indices`, `context_sparse_values`, `context_sparse_shapes`, `context_dense_values`, `feature_list_sparse_indices`, `feature_list_sparse_values`, `feature_list_sparse_shapes`, `feature_list_dense_values`, `feature_list_dense_lengths`).
    pub fn build(self) -> Result<ParseSequenceExampleValues> {
        let operation = self.0.operation()?;
        Ok(ParseSequenceExampleValues {
            context_sparse_indices: operation.named_outputs("context_sparse_indices")?,
            context_sparse_values: operation.named_outputs("context_sparse_values")?,
            context_sparse_shapes: operation.named_outputs("context_sparse_shapes")?,
            context_dense_values: operation.named_outputs("context_dense_values")?,
            feature_list_sparse_indices: operation.named_outputs("feature_list_sparse_indices")?,
            feature_list_sparse_values: operation.named_outputs("feature_list_sparse_values")?,
            feature_list_sparse_shapes: operation.named_outputs("feature_list_sparse_shapes")?,
            feature_list_dense_values: operation.named_outputs("feature_list_dense_values")?,
            feature_list_dense_lengths: operation.named_outputs("feature_list_dense_lengths")?,
        })
    }
}
