//! `StatelessTruncatedNormalV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessTruncatedNormalV2(shape, key, counter, alg) -> (output)`.
///
/// * `shape`: `Tshape` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_truncated_normal_v2(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
) -> StatelessTruncatedNormalV2 {
    let node = NodeBuilder::new("StatelessTruncatedNormalV2")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg);
    StatelessTruncatedNormalV2(node)
}

/// A `StatelessTruncatedNormalV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessTruncatedNormalV2(NodeBuilder);

impl StatelessTruncatedNormalV2 {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessTruncatedNormalV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessTruncatedNormalV2 {
        StatelessTruncatedNormalV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
