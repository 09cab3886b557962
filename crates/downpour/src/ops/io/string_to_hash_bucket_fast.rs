//! `StringToHashBucketFast`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringToHashBucketFast(input) -> (output)`.
///
/// * `input`: string
/// * `num_buckets`: attribute, int, at least 1
/// * gives `output`: int64
///
/// Gradients do not flow through it.
pub fn string_to_hash_bucket_fast(input: &Output, num_buckets: i64) -> ForOutput {
    let mut node = NodeBuilder::new("StringToHashBucketFast").input(input);
    node.set("num_buckets", num_buckets.into());
    ForOutput(node)
}
