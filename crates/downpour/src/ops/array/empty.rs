//! `Empty`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Empty(shape) -> (output)`.
///
/// * `shape`: int32
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn empty(shape: &Output, dtype: DataType) -> Empty {
    let mut node = NodeBuilder::new("Empty").input(shape);
    node.set("dtype", dtype.into());
    Empty(node)
}

/// A `Empty` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Empty(NodeBuilder);

impl Empty {
    /// The attribute `init`; `false` unless set.
    pub fn init(mut self, value: bool) -> Empty {
        self.0.set("init", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Empty {
        Empty(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
