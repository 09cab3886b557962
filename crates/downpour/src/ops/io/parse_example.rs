//! `ParseExample`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParseExample(serialized, names, sparse_keys, dense_keys, dense_defaults) -> (sparse_indices, sparse_values, sparse_shapes, dense_values)`.
///
/// * `serialized`: string
/// * `names`: string
/// * `sparse_keys`: `Nsparse` values of string
/// * `dense_keys`: `Ndense` values of string
/// * `dense_defaults`: several, of types `Tdense`
/// * `sparse_types`: attribute, list(type), at least 0 long, one of float, int64, string
/// * `dense_shapes`: attribute, list(shape), at least 0 long
/// * gives `sparse_indices`: `Nsparse` values of int64
/// * gives `sparse_values`: several, of types `sparse_types`
/// * gives `sparse_shapes`: `Nsparse` values of int64
/// * gives `dense_values`: several, of types `Tdense`
///
/// Gradients do not flow through it.
pub fn parse_example(
    serialized: &Output,
    names: &Output,
    sparse_keys: &[Output],
    dense_keys: &[Output],
    dense_defaults: &[Output],
    sparse_types: &[DataType],
    dense_shapes: &[PartialShape],
) -> ParseExample {
    let mut node = NodeBuilder::new("ParseExample")
        .input(serialized)
        .input(names)
        .list(sparse_keys)
        .list(dense_keys)
        .list(dense_defaults);
    node.set("sparse_types", sparse_types.to_vec().into());
    node.set("dense_shapes", dense_shapes.to_vec().into());
    ParseExample(node)
}

/// The values of a `ParseExample`.
pub struct ParseExampleValues {
    /// `sparse_indices`.
    pub sparse_indices: Vec<Output>,
    /// `sparse_values`.
    pub sparse_values: Vec<Output>,
    /// `sparse_shapes`.
    pub sparse_shapes: Vec<Output>,
    /// `dense_values`.
    pub dense_values: Vec<Output>,
}

/// A `ParseExample` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParseExample(NodeBuilder);

impl ParseExample {
    /// Names the node.
    pub fn name(self, name: &str) -> ParseExample {
        ParseExample(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_shapes`, `dense_values`).
    pub fn build(self) -> Result<ParseExampleValues> {
        let operation = self.0.operation()?;
        Ok(ParseExampleValues {
            sparse_indices: operation.named_outputs("sparse_indices")?,
            sparse_values: operation.named_outputs("sparse_values")?,
            sparse_shapes: operation.named_outputs("sparse_shapes")?,
            dense_values: operation.named_outputs("dense_values")?,
        })
    }
}
