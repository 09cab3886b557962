//! `Cast`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Cast(x) -> (y)`.
///
/// * `x`: `SrcT` (any type)
/// * `DstT`: attribute, type
/// * gives `y`: `DstT` (any type)
///
/// Differentiable.
pub fn cast(x: &Output, dst_t: DataType) -> Cast {
    let mut node = NodeBuilder::new("Cast").input(x);
    node.set("DstT", dst_t.into());
    Cast(node)
}

/// A `Cast` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Cast(NodeBuilder);

impl Cast {
    /// The attribute `Truncate`; `false` unless set.
    pub fn truncate(mut self, value: bool) -> Cast {
        self.0.set("Truncate", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Cast {
        Cast(self.0.name(name))
    }

    /// Adds the node and gives `y`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
