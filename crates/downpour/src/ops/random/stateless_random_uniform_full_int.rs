//! `StatelessRandomUniformFullInt`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomUniformFullInt(shape, seed) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64, uint32, uint64)
/// * gives `output`: `dtype` (int32, int64, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform_full_int(
    shape: &Output,
    seed: &Output,
) -> StatelessRandomUniformFullInt {
    let node = NodeBuilder::new("StatelessRandomUniformFullInt").input(shape).input(seed);
    StatelessRandomUniformFullInt(node)
}

/// A `StatelessRandomUniformFullInt` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomUniformFullInt(NodeBuilder);

impl StatelessRandomUniformFullInt {
    /// The attribute `dtype`; uint64 unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomUniformFullInt {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomUniformFullInt {
        StatelessRandomUniformFullInt(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
