//! `Substr`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Substr(input, pos, len) -> (output)`.
///
/// * `input`: string
/// * `pos`: `T` (int32, int64)
/// * `len`: `T` (int32, int64)
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn substr(input: &Output, pos: &Output, len: &Output) -> Substr {
    let node = NodeBuilder::new("Substr").input(input).input(pos).input(len);
    Substr(node)
}

/// A `Substr` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Substr(NodeBuilder);

impl Substr {
    /// The attribute `unit`; `"BYTE"` unless set.
    pub fn unit(mut self, value: &str) -> Substr {
        self.0.set("unit", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Substr {
        Substr(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
