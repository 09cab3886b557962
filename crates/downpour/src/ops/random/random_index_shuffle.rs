//! `RandomIndexShuffle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomIndexShuffle(index, seed, max_index) -> (output)`.
///
/// * `index`: `dtype` (int32, uint32, int64, uint64)
/// * `seed`: `Tseed` (int32, uint32, int64, uint64)
/// * `max_index`: `dtype` (int32, uint32, int64, uint64)
/// * gives `output`: `dtype` (int32, uint32, int64, uint64)
///
/// Gradients do not flow through it.
pub fn random_index_shuffle(
    index: &Output,
    seed: &Output,
    max_index: &Output,
) -> RandomIndexShuffle {
    let node = NodeBuilder::new("RandomIndexShuffle").input(index).input(seed).input(max_index);
    RandomIndexShuffle(node)
}

/// A `RandomIndexShuffle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomIndexShuffle(NodeBuilder);

impl RandomIndexShuffle {
    /// The attribute `rounds`; `4` unless set.
    pub fn rounds(mut self, value: i64) -> RandomIndexShuffle {
        self.0.set("rounds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomIndexShuffle {
        RandomIndexShuffle(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
