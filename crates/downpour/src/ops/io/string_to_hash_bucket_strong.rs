//! `StringToHashBucketStrong`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringToHashBucketStrong(input) -> (output)`.
///
/// * `input`: string
/// * `num_buckets`: attribute, int, at least 1
/// * `key`: attribute, list(int)
/// * gives `output`: int64
///
/// Gradients do not flow through it.
pub fn string_to_hash_bucket_strong(input: &Output, num_buckets: i64, key: &[i64]) -> ForOutput {
    let mut node = NodeBuilder::new("StringToHashBucketStrong").input(input);
    node.set("num_buckets", num_buckets.into());
    node.set("key", key.to_vec().into());
    ForOutput(node)
}
