//! `MultiDeviceIteratorInit`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MultiDeviceIteratorInit(dataset, multi_device_iterator, max_buffer_size) -> (incarnation_id)`.
///
/// * `dataset`: variant
/// * `multi_device_iterator`: resource
/// * `max_buffer_size`: int64
/// * gives `incarnation_id`: int64
///
/// Has no gradient. Has state or effects.
pub fn multi_device_iterator_init(dataset: &Output, multi_device_iterator: &Output, max_buffer_size: &Output) -> ForOutput {
    let node = NodeBuilder::new("MultiDeviceIteratorInit").input(dataset).input(multi_device_iterator).input(max_buffer_size);
    ForOutput(node)
}
