//! `QuantizeAndDequantize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizeAndDequantize(input) -> (output)`.
///
/// * `input`: `T` (bfloat16, half, float, double)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn quantize_and_dequantize(input: &Output) -> QuantizeAndDequantize {
    let node = NodeBuilder::new("QuantizeAndDequantize").input(input);
    QuantizeAndDequantize(node)
}

/// A `QuantizeAndDequantize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeAndDequantize(NodeBuilder);

impl QuantizeAndDequantize {
    /// The attribute `signed_input`; `true` unless set.
    pub fn signed_input(mut self, value: bool) -> QuantizeAndDequantize {
        self.0.set("signed_input", value.into());
        self
    }

    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> QuantizeAndDequantize {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `range_given`; `false` unless set.
    pub fn range_given(mut self, value: bool) -> QuantizeAndDequantize {
        self.0.set("range_given", value.into());
        self
    }

    /// The attribute `input_min`; `0.0` unless set.
    pub fn input_min(mut self, value: f32) -> QuantizeAndDequantize {
        self.0.set("input_min", value.into());
        self
    }

    /// The attribute `input_max`; `0.0` unless set.
    pub fn input_max(mut self, value: f32) -> QuantizeAndDequantize {
        self.0.set("input_max", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeAndDequantize {
        QuantizeAndDequantize(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
