//! `DecodeBase64`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeBase64(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn decode_base64(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("DecodeBase64").input(input);
    ForOutput(node)
}
