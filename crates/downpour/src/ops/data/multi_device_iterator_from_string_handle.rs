//! `MultiDeviceIteratorFromStringHandle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MultiDeviceIteratorFromStringHandle(string_handle) -> (multi_device_iterator)`.
///
/// * `string_handle`: string
/// * gives `multi_device_iterator`: resource
///
/// Has no gradient. Has state or effects.
pub fn multi_device_iterator_from_string_handle(string_handle: &Output) -> MultiDeviceIteratorFromStringHandle {
    let node = NodeBuilder::new("MultiDeviceIteratorFromStringHandle").input(string_handle);
    MultiDeviceIteratorFromStringHandle(node)
}

/// A `MultiDeviceIteratorFromStringHandle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MultiDeviceIteratorFromStringHandle(NodeBuilder);

impl MultiDeviceIteratorFromStringHandle {
    /// The attribute `output_types`; an empty list unless set.
    pub fn output_types(mut self, value: &[DataType]) -> MultiDeviceIteratorFromStringHandle {
        self.0.set("output_types", value.to_vec().into());
        self
    }

    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> MultiDeviceIteratorFromStringHandle {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MultiDeviceIteratorFromStringHandle {
        MultiDeviceIteratorFromStringHandle(self.0.name(name))
    }

    /// Adds the node and gives `multi_device_iterator`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
