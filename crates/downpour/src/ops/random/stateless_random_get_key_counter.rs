//! `StatelessRandomGetKeyCounter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomGetKeyCounter(seed) -> (key, counter)`.
///
/// * `seed`: `Tseed` (int32, int64)
/// * gives `key`: uint64
/// * gives `counter`: uint64
///
/// Gradients do not flow through it.
pub fn stateless_random_get_key_counter(seed: &Output) -> StatelessRandomGetKeyCounter {
    let node = NodeBuilder::new("StatelessRandomGetKeyCounter").input(seed);
    StatelessRandomGetKeyCounter(node)
}

/// A `StatelessRandomGetKeyCounter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomGetKeyCounter(NodeBuilder);

impl StatelessRandomGetKeyCounter {
    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomGetKeyCounter {
        StatelessRandomGetKeyCounter(self.0.name(name))
    }

    /// Adds the node and gives (`key`, `counter`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
