//! `StatelessRandomGetKeyCounterAlg`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomGetKeyCounterAlg(seed) -> (key, counter, alg)`.
///
/// * `seed`: `Tseed` (int32, int64)
/// * gives `key`: uint64
/// * gives `counter`: uint64
/// * gives `alg`: int32
///
/// Gradients do not flow through it.
pub fn stateless_random_get_key_counter_alg(seed: &Output) -> StatelessRandomGetKeyCounterAlg {
    let node = NodeBuilder::new("StatelessRandomGetKeyCounterAlg").input(seed);
    StatelessRandomGetKeyCounterAlg(node)
}

/// A `StatelessRandomGetKeyCounterAlg` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomGetKeyCounterAlg(NodeBuilder);

impl StatelessRandomGetKeyCounterAlg {
    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomGetKeyCounterAlg {
        StatelessRandomGetKeyCounterAlg(self.0.name(name))
    }

    /// Adds the node and gives (`key`, `counter`, `alg`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
