//! `QuantizeAndDequantizeV4Grad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizeAndDequantizeV4Grad(gradients, input, input_min, input_max) -> (input_backprop, input_min_backprop, input_max_backprop)`.
///
/// * `gradients`: `T` (bfloat16, half, float, double)
/// * `input`: `T` (bfloat16, half, float, double)
/// * `input_min`: `T` (bfloat16, half, float, double)
/// * `input_max`: `T` (bfloat16, half, float, double)
/// * gives `input_backprop`: `T` (bfloat16, half, float, double)
/// * gives `input_min_backprop`: `T` (bfloat16, half, float, double)
/// * gives `input_max_backprop`: `T` (bfloat16, half, float, double)
///
/// Has no gradient.
pub fn quantize_and_dequantize_v4_grad(
    gradients: &Output,
    input: &Output,
    input_min: &Output,
    input_max: &Output,
) -> QuantizeAndDequantizeV4Grad {
    let node = NodeBuilder::new("QuantizeAndDequantizeV4Grad")
        .input(gradients)
        .input(input)
        .input(input_min)
        .input(input_max);
    QuantizeAndDequantizeV4Grad(node)
}

/// A `QuantizeAndDequantizeV4Grad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeAndDequantizeV4Grad(NodeBuilder);

impl QuantizeAndDequantizeV4Grad {
    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> QuantizeAndDequantizeV4Grad {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeAndDequantizeV4Grad {
        QuantizeAndDequantizeV4Grad(self.0.name(name))
    }

    /// Adds the node and gives (`input_backprop`, `input_min_backprop`, `input_max_backprop`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
