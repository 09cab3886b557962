//! `AnonymousSeedGenerator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AnonymousSeedGenerator(seed, seed2, reshuffle) -> (handle, deleter)`.
///
/// * `seed`: int64
/// * `seed2`: int64
/// * `reshuffle`: bool
/// * gives `handle`: resource
/// * gives `deleter`: variant
///
/// Has no gradient. Has state or effects.
pub fn anonymous_seed_generator(seed: &Output, seed2: &Output, reshuffle: &Output) -> AnonymousSeedGenerator {
    let node = NodeBuilder::new("AnonymousSeedGenerator").input(seed).input(seed2).input(reshuffle);
    AnonymousSeedGenerator(node)
}

/// A `AnonymousSeedGenerator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AnonymousSeedGenerator(NodeBuilder);

impl AnonymousSeedGenerator {
    /// Names the node.
    pub fn name(self, name: &str) -> AnonymousSeedGenerator {
        AnonymousSeedGenerator(self.0.name(name))
    }

    /// Adds the node and gives (`handle`, `deleter`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
