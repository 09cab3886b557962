//! `Unpack`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Unpack(value) -> (output)`.
///
/// * `value`: `T` (any type)
/// * `num`: attribute, int, at least 0
/// * gives `output`: `num` values of `T` (any type)
///
/// Differentiable.
pub fn unpack(value: &Output, num: i64) -> Unpack {
    let mut node = NodeBuilder::new("Unpack").input(value);
    node.set("num", num.into());
    Unpack(node)
}

/// A `Unpack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Unpack(NodeBuilder);

impl Unpack {
    /// The attribute `axis`; `0` unless set.
    pub fn axis(mut self, value: i64) -> Unpack {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Unpack {
        Unpack(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
