//! `IteratorFromStringHandleV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IteratorFromStringHandleV2(string_handle) -> (resource_handle)`.
///
/// * `string_handle`: string
/// * gives `resource_handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn iterator_from_string_handle_v2(string_handle: &Output) -> IteratorFromStringHandleV2 {
    let node = NodeBuilder::new("IteratorFromStringHandleV2").input(string_handle);
    IteratorFromStringHandleV2(node)
}

/// A `IteratorFromStringHandleV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IteratorFromStringHandleV2(NodeBuilder);

impl IteratorFromStringHandleV2 {
    /// The attribute `output_types`; an empty list unless set.
    pub fn output_types(mut self, value: &[DataType]) -> IteratorFromStringHandleV2 {
        self.0.set("output_types", value.to_vec().into());
        self
    }

    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> IteratorFromStringHandleV2 {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IteratorFromStringHandleV2 {
        IteratorFromStringHandleV2(self.0.name(name))
    }

    /// Adds the node and gives `resource_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
