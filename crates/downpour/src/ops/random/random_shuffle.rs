//! `RandomShuffle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomShuffle(value) -> (output)`.
///
/// * `value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn random_shuffle(value: &Output) -> RandomShuffle {
    let node = NodeBuilder::new("RandomShuffle").input(value);
    RandomShuffle(node)
}

/// A `RandomShuffle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomShuffle(NodeBuilder);

impl RandomShuffle {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomShuffle {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomShuffle {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomShuffle {
        RandomShuffle(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
