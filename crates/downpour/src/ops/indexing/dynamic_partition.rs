//! `DynamicPartition`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DynamicPartition(data, partitions) -> (outputs)`.
///
/// * `data`: `T` (any type)
/// * `partitions`: int32
/// * `num_partitions`: attribute, int, at least 1
/// * gives `outputs`: `num_partitions` values of `T` (any type)
///
/// Differentiable.
pub fn dynamic_partition(data: &Output, partitions: &Output, num_partitions: i64) -> ForOutputs {
    let mut node = NodeBuilder::new("DynamicPartition").input(data).input(partitions);
    node.set("num_partitions", num_partitions.into());
    ForOutputs(node)
}
