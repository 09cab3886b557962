//! `FakeQuantWithMinMaxVarsGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FakeQuantWithMinMaxVarsGradient(gradients, inputs, min, max) -> (backprops_wrt_input, backprop_wrt_min, backprop_wrt_max)`.
///
/// * `gradients`: float
/// * `inputs`: float
/// * `min`: float
/// * `max`: float
/// * gives `backprops_wrt_input`: float
/// * gives `backprop_wrt_min`: float
/// * gives `backprop_wrt_max`: float
///
/// Gradients do not flow through it.
pub fn fake_quant_with_min_max_vars_gradient(
    gradients: &Output,
    inputs: &Output,
    min: &Output,
    max: &Output,
) -> FakeQuantWithMinMaxVarsGradient {
    let node = NodeBuilder::new("FakeQuantWithMinMaxVarsGradient")
        .input(gradients)
        .input(inputs)
        .input(min)
        .input(max);
    FakeQuantWithMinMaxVarsGradient(node)
}

/// A `FakeQuantWithMinMaxVarsGradient` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxVarsGradient(NodeBuilder);

impl FakeQuantWithMinMaxVarsGradient {
    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxVarsGradient {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxVarsGradient {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxVarsGradient {
        FakeQuantWithMinMaxVarsGradient(self.0.name(name))
    }

    /// Adds the node and gives (`backprops_wrt_input`, `backprop_wrt_min`, `backprop_wrt_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
