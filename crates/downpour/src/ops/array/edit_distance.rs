//! `EditDistance`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EditDistance(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape) -> (output)`.
///
/// * `hypothesis_indices`: int64
/// * `hypothesis_values`: `T` (any type)
/// * `hypothesis_shape`: int64
/// * `truth_indices`: int64
/// * `truth_values`: `T` (any type)
/// * `truth_shape`: int64
/// * gives `output`: float
///
/// Gradients do not flow through it.
pub fn edit_distance(
    hypothesis_indices: &Output,
    hypothesis_values: &Output,
    hypothesis_shape: &Output,
    truth_indices: &Output,
    truth_values: &Output,
    truth_shape: &Output,
) -> EditDistance {
    let node = NodeBuilder::new("EditDistance")
        .input(hypothesis_indices)
        .input(hypothesis_values)
        .input(hypothesis_shape)
        .input(truth_indices)
        .input(truth_values)
        .input(truth_shape);
    EditDistance(node)
}

/// A `EditDistance` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct EditDistance(NodeBuilder);

impl EditDistance {
    /// The attribute `normalize`; `true` unless set.
    pub fn normalize(mut self, value: bool) -> EditDistance {
        self.0.set("normalize", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> EditDistance {
        EditDistance(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
