//! `MultiDeviceIteratorToStringHandle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MultiDeviceIteratorToStringHandle(multi_device_iterator) -> (string_handle)`.
///
/// * `multi_device_iterator`: resource
/// * gives `string_handle`: string
///
/// Has no gradient. Has state or effects.
pub fn multi_device_iterator_to_string_handle(multi_device_iterator: &Output) -> ForOutput {
    let node = NodeBuilder::new("MultiDeviceIteratorToStringHandle").input(multi_device_iterator);
    ForOutput(node)
}
