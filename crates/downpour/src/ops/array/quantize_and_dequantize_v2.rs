//! `QuantizeAndDequantizeV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizeAndDequantizeV2(input, input_min, input_max) -> (output)`.
///
/// * `input`: `T` (bfloat16, half, float, double)
/// * `input_min`: `T` (bfloat16, half, float, double)
/// * `input_max`: `T` (bfloat16, half, float, double)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn quantize_and_dequantize_v2(
    input: &Output,
    input_min: &Output,
    input_max: &Output,
) -> QuantizeAndDequantizeV2 {
    let node =
        NodeBuilder::new("QuantizeAndDequantizeV2").input(input).input(input_min).input(input_max);
    QuantizeAndDequantizeV2(node)
}

/// A `QuantizeAndDequantizeV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeAndDequantizeV2(NodeBuilder);

impl QuantizeAndDequantizeV2 {
    /// The attribute `signed_input`; `true` unless set.
    pub fn signed_input(mut self, value: bool) -> QuantizeAndDequantizeV2 {
        self.0.set("signed_input", value.into());
        self
    }

    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> QuantizeAndDequantizeV2 {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `range_given`; `false` unless set.
    pub fn range_given(mut self, value: bool) -> QuantizeAndDequantizeV2 {
        self.0.set("range_given", value.into());
        self
    }

    /// The attribute `round_mode`; `"HALF_TO_EVEN"` unless set.
    pub fn round_mode(mut self, value: &str) -> QuantizeAndDequantizeV2 {
        self.0.set("round_mode", text(value));
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> QuantizeAndDequantizeV2 {
        self.0.set("narrow_range", value.into());
        self
    }

    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> QuantizeAndDequantizeV2 {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeAndDequantizeV2 {
        QuantizeAndDequantizeV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
