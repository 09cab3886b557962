//! `ComputeAccidentalHits`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ComputeAccidentalHits(true_classes, sampled_candidates) -> (indices, ids, weights)`.
///
/// * `true_classes`: int64
/// * `sampled_candidates`: int64
/// * `num_true`: attribute, int
/// * gives `indices`: int32
/// * gives `ids`: int64
/// * gives `weights`: float
///
/// Gradients do not flow through it.
pub fn compute_accidental_hits(
    true_classes: &Output,
    sampled_candidates: &Output,
    num_true: i64,
) -> ComputeAccidentalHits {
    let mut node =
        NodeBuilder::new("ComputeAccidentalHits").input(true_classes).input(sampled_candidates);
    node.set("num_true", num_true.into());
    ComputeAccidentalHits(node)
}

/// A `ComputeAccidentalHits` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ComputeAccidentalHits(NodeBuilder);

impl ComputeAccidentalHits {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> ComputeAccidentalHits {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> ComputeAccidentalHits {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ComputeAccidentalHits {
        ComputeAccidentalHits(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `ids`, `weights`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
