//! `MultiDeviceIteratorGetNextFromShard`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MultiDeviceIteratorGetNextFromShard(multi_device_iterator, shard_num, incarnation_id) -> (components)`.
///
/// * `multi_device_iterator`: resource
/// * `shard_num`: int32
/// * `incarnation_id`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `components`: several, of types `output_types`
///
/// Has no gradient. Has state or effects.
pub fn multi_device_iterator_get_next_from_shard(multi_device_iterator: &Output, shard_num: &Output, incarnation_id: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutputs {
    let mut node = NodeBuilder::new("MultiDeviceIteratorGetNextFromShard").input(multi_device_iterator).input(shard_num).input(incarnation_id);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutputs(node)
}
