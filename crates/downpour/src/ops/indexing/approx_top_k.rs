//! `ApproxTopK`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ApproxTopK(input) -> (values, indices)`.
///
/// * `input`: `T` (half, bfloat16, float)
/// * `k`: attribute, int, at least 0
/// * gives `values`: `T` (half, bfloat16, float)
/// * gives `indices`: int32
///
/// Has no gradient.
pub fn approx_top_k(input: &Output, k: i64) -> ApproxTopK {
    let mut node = NodeBuilder::new("ApproxTopK").input(input);
    node.set("k", k.into());
    ApproxTopK(node)
}

/// A `ApproxTopK` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApproxTopK(NodeBuilder);

impl ApproxTopK {
    /// The attribute `reduction_dimension`; `-1` unless set.
    pub fn reduction_dimension(mut self, value: i64) -> ApproxTopK {
        self.0.set("reduction_dimension", value.into());
        self
    }

    /// The attribute `recall_target`; `0.95` unless set.
    pub fn recall_target(mut self, value: f32) -> ApproxTopK {
        self.0.set("recall_target", value.into());
        self
    }

    /// The attribute `is_max_k`; `true` unless set.
    pub fn is_max_k(mut self, value: bool) -> ApproxTopK {
        self.0.set("is_max_k", value.into());
        self
    }

    /// The attribute `reduction_input_size_override`; `-1` unless set.
    pub fn reduction_input_size_override(mut self, value: i64) -> ApproxTopK {
        self.0.set("reduction_input_size_override", value.into());
        self
    }

    /// The attribute `aggregate_to_topk`; `true` unless set.
    pub fn aggregate_to_topk(mut self, value: bool) -> ApproxTopK {
        self.0.set("aggregate_to_topk", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApproxTopK {
        ApproxTopK(self.0.name(name))
    }

    /// Adds the node and gives (`values`, `indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
