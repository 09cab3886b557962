//! `StatelessRandomUniform`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomUniform(shape, seed) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform(shape: &Output, seed: &Output) -> StatelessRandomUniform {
    let node = NodeBuilder::new("StatelessRandomUniform").input(shape).input(seed);
    StatelessRandomUniform(node)
}

/// A `StatelessRandomUniform` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomUniform(NodeBuilder);

impl StatelessRandomUniform {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomUniform {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomUniform {
        StatelessRandomUniform(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
