//! `StringToHashBucket`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringToHashBucket(string_tensor) -> (output)`.
///
/// * `string_tensor`: string
/// * `num_buckets`: attribute, int, at least 1
/// * gives `output`: int64
///
/// Gradients do not flow through it.
pub fn string_to_hash_bucket(string_tensor: &Output, num_buckets: i64) -> ForOutput {
    let mut node = NodeBuilder::new("StringToHashBucket").input(string_tensor);
    node.set("num_buckets", num_buckets.into());
    ForOutput(node)
}
