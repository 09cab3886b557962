//! `AnonymousRandomSeedGenerator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AnonymousRandomSeedGenerator(seed, seed2) -> (handle, deleter)`.
///
/// * `seed`: int64
/// * `seed2`: int64
/// * gives `handle`: resource
/// * gives `deleter`: variant
///
/// Has no gradient. Has state or effects.
pub fn anonymous_random_seed_generator(seed: &Output, seed2: &Output) -> AnonymousRandomSeedGenerator {
    let node = NodeBuilder::new("AnonymousRandomSeedGenerator").input(seed).input(seed2);
    AnonymousRandomSeedGenerator(node)
}

/// A `AnonymousRandomSeedGenerator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AnonymousRandomSeedGenerator(NodeBuilder);

impl AnonymousRandomSeedGenerator {
    /// Names the node.
    pub fn name(self, name: &str) -> AnonymousRandomSeedGenerator {
        AnonymousRandomSeedGenerator(self.0.name(name))
    }

    /// Adds the node and gives (`handle`, `deleter`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
