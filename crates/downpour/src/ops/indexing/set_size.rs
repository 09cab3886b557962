//! `SetSize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SetSize(set_indices, set_values, set_shape) -> (size)`.
///
/// * `set_indices`: int64
/// * `set_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set_shape`: int64
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn set_size(set_indices: &Output, set_values: &Output, set_shape: &Output) -> SetSize {
    let node = NodeBuilder::new("SetSize").input(set_indices).input(set_values).input(set_shape);
    SetSize(node)
}

/// A `SetSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SetSize(NodeBuilder);

impl SetSize {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> SetSize {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SetSize {
        SetSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
