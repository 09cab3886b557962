//! `ReverseSequence`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReverseSequence(input, seq_lengths) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `seq_lengths`: `Tlen` (int32, int64)
/// * `seq_dim`: attribute, int
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn reverse_sequence(input: &Output, seq_lengths: &Output, seq_dim: i64) -> ReverseSequence {
    let mut node = NodeBuilder::new("ReverseSequence").input(input).input(seq_lengths);
    node.set("seq_dim", seq_dim.into());
    ReverseSequence(node)
}

/// A `ReverseSequence` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ReverseSequence(NodeBuilder);

impl ReverseSequence {
    /// The attribute `batch_dim`; `0` unless set.
    pub fn batch_dim(mut self, value: i64) -> ReverseSequence {
        self.0.set("batch_dim", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ReverseSequence {
        ReverseSequence(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
