//! `RestoreSlice`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RestoreSlice(file_pattern, tensor_name, shape_and_slice) -> (tensor)`.
///
/// * `file_pattern`: string
/// * `tensor_name`: string
/// * `shape_and_slice`: string
/// * `dt`: attribute, type
/// * gives `tensor`: `dt` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn restore_slice(
    file_pattern: &Output,
    tensor_name: &Output,
    shape_and_slice: &Output,
    dt: DataType,
) -> RestoreSlice {
    let mut node = NodeBuilder::new("RestoreSlice")
        .input(file_pattern)
        .input(tensor_name)
        .input(shape_and_slice);
    node.set("dt", dt.into());
    RestoreSlice(node)
}

/// A `RestoreSlice` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RestoreSlice(NodeBuilder);

impl RestoreSlice {
    /// The attribute `preferred_shard`; `-1` unless set.
    pub fn preferred_shard(mut self, value: i64) -> RestoreSlice {
        self.0.set("preferred_shard", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RestoreSlice {
        RestoreSlice(self.0.name(name))
    }

    /// Adds the node and gives `tensor`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
