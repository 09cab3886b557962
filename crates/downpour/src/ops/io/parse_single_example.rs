//! `ParseSingleExample`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParseSingleExample(serialized, dense_defaults) -> (sparse_indices, sparse_values, sparse_shapes, dense_values)`.
///
/// * `serialized`: string
/// * `dense_defaults`: several, of types `Tdense`
/// * `num_sparse`: attribute, int, at least 0
/// * `sparse_keys`: attribute, list(string), at least 0 long
/// * `dense_keys`: attribute, list(string), at least 0 long
/// * `sparse_types`: attribute, list(type), at least 0 long, one of float, int64, string
/// * `dense_shapes`: attribute, list(shape), at least 0 long
/// * gives `sparse_indices`: `num_sparse` values of int64
/// * gives `sparse_values`: several, of types `sparse_types`
/// * gives `sparse_shapes`: `num_sparse` values of int64
/// * gives `dense_values`: several, of types `Tdense`
///
/// Gradients do not flow through it.
pub fn parse_single_example(
    serialized: &Output,
    dense_defaults: &[Output],
    num_sparse: i64,
    sparse_keys: &[&str],
    dense_keys: &[&str],
    sparse_types: &[DataType],
    dense_shapes: &[PartialShape],
) -> ParseSingleExample {
    let mut node = NodeBuilder::new("ParseSingleExample").input(serialized).list(dense_defaults);
    node.set("num_sparse", num_sparse.into());
    node.set("sparse_keys", texts(sparse_keys));
    node.set("dense_keys", texts(dense_keys));
    node.set("sparse_types", sparse_types.to_vec().into());
    node.set("dense_shapes", dense_shapes.to_vec().into());
    ParseSingleExample(node)
}

/// The values of a `ParseSingleExample`.
pub struct ParseSingleExampleValues {
    /// `sparse_indices`.
    pub sparse_indices: Vec<Output>,
    /// `sparse_values`.
    pub sparse_values: Vec<Output>,
    /// `sparse_shapes`.
    pub sparse_shapes: Vec<Output>,
    /// `dense_values`.
    pub dense_values: Vec<Output>,
}

/// A `ParseSingleExample` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParseSingleExample(NodeBuilder);

impl ParseSingleExample {
    /// Names the node.
    pub fn name(self, name: &str) -> ParseSingleExample {
        ParseSingleExample(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_shapes`, `dense_values`).
    pub fn build(self) -> Result<ParseSingleExampleValues> {
        let operation = self.0.operation()?;
        Ok(ParseSingleExampleValues {
            sparse_indices: operation.named_outputs("sparse_indices")?,
            sparse_values: operation.named_outputs("sparse_values")?,
            sparse_shapes: operation.named_outputs("sparse_shapes")?,
            dense_values: operation.named_outputs("dense_values")?,
        })
    }
}
