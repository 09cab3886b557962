//! `UpperBound`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UpperBound(sorted_inputs, values) -> (output)`.
///
/// * `sorted_inputs`: `T` (any type)
/// * `values`: `T` (any type)
/// * gives `output`: `out_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn upper_bound(sorted_inputs: &Output, values: &Output) -> UpperBound {
    let node = NodeBuilder::new("UpperBound").input(sorted_inputs).input(values);
    UpperBound(node)
}

/// A `UpperBound` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UpperBound(NodeBuilder);

impl UpperBound {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> UpperBound {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UpperBound {
        UpperBound(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
