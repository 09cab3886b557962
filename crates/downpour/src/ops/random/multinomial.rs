//! `Multinomial`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Multinomial(logits, num_samples) -> (output)`.
///
/// * `logits`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `num_samples`: int32
/// * gives `output`: `output_dtype` (int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn multinomial(logits: &Output, num_samples: &Output) -> Multinomial {
    let node = NodeBuilder::new("Multinomial").input(logits).input(num_samples);
    Multinomial(node)
}

/// A `Multinomial` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Multinomial(NodeBuilder);

impl Multinomial {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> Multinomial {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> Multinomial {
        self.0.set("seed2", value.into());
        self
    }

    /// The attribute `output_dtype`; int64 unless set.
    pub fn output_dtype(mut self, value: DataType) -> Multinomial {
        self.0.set("output_dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Multinomial {
        Multinomial(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
