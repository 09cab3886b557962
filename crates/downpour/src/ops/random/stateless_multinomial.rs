//! `StatelessMultinomial`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessMultinomial(logits, num_samples, seed) -> (output)`.
///
/// * `logits`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `num_samples`: int32
/// * `seed`: `Tseed` (int32, int64)
/// * gives `output`: `output_dtype` (int32, int64)
///
/// Gradients do not flow through it.
pub fn stateless_multinomial(
    logits: &Output,
    num_samples: &Output,
    seed: &Output,
) -> StatelessMultinomial {
    let node =
        NodeBuilder::new("StatelessMultinomial").input(logits).input(num_samples).input(seed);
    StatelessMultinomial(node)
}

/// A `StatelessMultinomial` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessMultinomial(NodeBuilder);

impl StatelessMultinomial {
    /// The attribute `output_dtype`; int64 unless set.
    pub fn output_dtype(mut self, value: DataType) -> StatelessMultinomial {
        self.0.set("output_dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessMultinomial {
        StatelessMultinomial(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
