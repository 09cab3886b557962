//! `IteratorFromStringHandle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IteratorFromStringHandle(string_handle) -> (resource_handle)`.
///
/// * `string_handle`: string
/// * gives `resource_handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn iterator_from_string_handle(string_handle: &Output) -> IteratorFromStringHandle {
    let node = NodeBuilder::new("IteratorFromStringHandle").input(string_handle);
    IteratorFromStringHandle(node)
}

/// A `IteratorFromStringHandle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IteratorFromStringHandle(NodeBuilder);

impl IteratorFromStringHandle {
    /// The attribute `output_types`; an empty list unless set.
    pub fn output_types(mut self, value: &[DataType]) -> IteratorFromStringHandle {
        self.0.set("output_types", value.to_vec().into());
        self
    }

    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> IteratorFromStringHandle {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IteratorFromStringHandle {
        IteratorFromStringHandle(self.0.name(name))
    }

    /// Adds the node and gives `resource_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
