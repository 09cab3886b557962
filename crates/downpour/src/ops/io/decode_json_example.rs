//! `DecodeJSONExample`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeJSONExample(json_examples) -> (binary_examples)`.
///
/// * `json_examples`: string
/// * gives `binary_examples`: string
///
/// Gradients do not flow through it.
pub fn decode_json_example(json_examples: &Output) -> ForOutput {
    let node = NodeBuilder::new("DecodeJSONExample").input(json_examples);
    ForOutput(node)
}
