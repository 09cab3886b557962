//! `SerializeIterator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SerializeIterator(resource_handle) -> (serialized)`.
///
/// * `resource_handle`: resource
/// * gives `serialized`: variant
///
/// Has no gradient. Has state or effects.
pub fn serialize_iterator(resource_handle: &Output) -> SerializeIterator {
    let node = NodeBuilder::new("SerializeIterator").input(resource_handle);
    SerializeIterator(node)
}

/// A `SerializeIterator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SerializeIterator(NodeBuilder);

impl SerializeIterator {
    /// The attribute `external_state_policy`; `0` unless set.
    pub fn external_state_policy(mut self, value: i64) -> SerializeIterator {
        self.0.set("external_state_policy", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SerializeIterator {
        SerializeIterator(self.0.name(name))
    }

    /// Adds the node and gives `serialized`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
