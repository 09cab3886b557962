//! `StatelessRandomUniformFullIntV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomUniformFullIntV2(shape, key, counter, alg) -> (output)`.
///
/// * `shape`: `Tshape` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * gives `output`: `dtype` (int32, int64, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform_full_int_v2(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
) -> StatelessRandomUniformFullIntV2 {
    let node = NodeBuilder::new("StatelessRandomUniformFullIntV2")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg);
    StatelessRandomUniformFullIntV2(node)
}

/// A `StatelessRandomUniformFullIntV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomUniformFullIntV2(NodeBuilder);

impl StatelessRandomUniformFullIntV2 {
    /// The attribute `dtype`; uint64 unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomUniformFullIntV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomUniformFullIntV2 {
        StatelessRandomUniformFullIntV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
