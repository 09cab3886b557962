//! `StatelessRandomNormal`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomNormal(shape, seed) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_random_normal(shape: &Output, seed: &Output) -> StatelessRandomNormal {
    let node = NodeBuilder::new("StatelessRandomNormal").input(shape).input(seed);
    StatelessRandomNormal(node)
}

/// A `StatelessRandomNormal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomNormal(NodeBuilder);

impl StatelessRandomNormal {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomNormal {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomNormal {
        StatelessRandomNormal(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
