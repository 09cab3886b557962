//! `NonDeterministicInts`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NonDeterministicInts(shape) -> (output)`.
///
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn non_deterministic_ints(shape: &Output) -> NonDeterministicInts {
    let node = NodeBuilder::new("NonDeterministicInts").input(shape);
    NonDeterministicInts(node)
}

/// A `NonDeterministicInts` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NonDeterministicInts(NodeBuilder);

impl NonDeterministicInts {
    /// The attribute `dtype`; int64 unless set.
    pub fn dtype(mut self, value: DataType) -> NonDeterministicInts {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NonDeterministicInts {
        NonDeterministicInts(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
