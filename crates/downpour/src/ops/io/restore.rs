//! `Restore`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Restore(file_pattern, tensor_name) -> (tensor)`.
///
/// * `file_pattern`: string
/// * `tensor_name`: string
/// * `dt`: attribute, type
/// * gives `tensor`: `dt` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn restore(file_pattern: &Output, tensor_name: &Output, dt: DataType) -> Restore {
    let mut node = NodeBuilder::new("Restore").input(file_pattern).input(tensor_name);
    node.set("dt", dt.into());
    Restore(node)
}

/// A `Restore` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Restore(NodeBuilder);

impl Restore {
    /// The attribute `preferred_shard`; `-1` unless set.
    pub fn preferred_shard(mut self, value: i64) -> Restore {
        self.0.set("preferred_shard", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Restore {
        Restore(self.0.name(name))
    }

    /// Adds the node and gives `tensor`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
