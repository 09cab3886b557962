//! `QuantizeAndDequantizeV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizeAndDequantizeV3(input, input_min, input_max, num_bits) -> (output)`.
///
/// * `input`: `T` (bfloat16, half, float, double)
/// * `input_min`: `T` (bfloat16, half, float, double)
/// * `input_max`: `T` (bfloat16, half, float, double)
/// * `num_bits`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn quantize_and_dequantize_v3(
    input: &Output,
    input_min: &Output,
    input_max: &Output,
    num_bits: &Output,
) -> QuantizeAndDequantizeV3 {
    let node = NodeBuilder::new("QuantizeAndDequantizeV3")
        .input(input)
        .input(input_min)
        .input(input_max)
        .input(num_bits);
    QuantizeAndDequantizeV3(node)
}

/// A `QuantizeAndDequantizeV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeAndDequantizeV3(NodeBuilder);

impl QuantizeAndDequantizeV3 {
    /// The attribute `signed_input`; `true` unless set.
    pub fn signed_input(mut self, value: bool) -> QuantizeAndDequantizeV3 {
        self.0.set("signed_input", value.into());
        self
    }

    /// The attribute `range_given`; `true` unless set.
    pub fn range_given(mut self, value: bool) -> QuantizeAndDequantizeV3 {
        self.0.set("range_given", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> QuantizeAndDequantizeV3 {
        self.0.set("narrow_range", value.into());
        self
    }

    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> QuantizeAndDequantizeV3 {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeAndDequantizeV3 {
        QuantizeAndDequantizeV3(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
