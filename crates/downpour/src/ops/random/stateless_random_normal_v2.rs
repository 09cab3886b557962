//! `StatelessRandomNormalV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomNormalV2(shape, key, counter, alg) -> (output)`.
///
/// * `shape`: `Tshape` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_random_normal_v2(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
) -> StatelessRandomNormalV2 {
    let node = NodeBuilder::new("StatelessRandomNormalV2")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg);
    StatelessRandomNormalV2(node)
}

/// A `StatelessRandomNormalV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomNormalV2(NodeBuilder);

impl StatelessRandomNormalV2 {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomNormalV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomNormalV2 {
        StatelessRandomNormalV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
