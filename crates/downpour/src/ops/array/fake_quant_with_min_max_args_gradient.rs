//! `FakeQuantWithMinMaxArgsGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FakeQuantWithMinMaxArgsGradient(gradients, inputs) -> (backprops)`.
///
/// * `gradients`: float
/// * `inputs`: float
/// * gives `backprops`: float
///
/// Gradients do not flow through it.
pub fn fake_quant_with_min_max_args_gradient(
    gradients: &Output,
    inputs: &Output,
) -> FakeQuantWithMinMaxArgsGradient {
    let node = NodeBuilder::new("FakeQuantWithMinMaxArgsGradient").input(gradients).input(inputs);
    FakeQuantWithMinMaxArgsGradient(node)
}

/// A `FakeQuantWithMinMaxArgsGradient` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxArgsGradient(NodeBuilder);

impl FakeQuantWithMinMaxArgsGradient {
    /// The attribute `min`; `-6.0` unless set.
    pub fn min(mut self, value: f32) -> FakeQuantWithMinMaxArgsGradient {
        self.0.set("min", value.into());
        self
    }

    /// The attribute `max`; `6.0` unless set.
    pub fn max(mut self, value: f32) -> FakeQuantWithMinMaxArgsGradient {
        self.0.set("max", value.into());
        self
    }

    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxArgsGradient {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxArgsGradient {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxArgsGradient {
        FakeQuantWithMinMaxArgsGradient(self.0.name(name))
    }

    /// Adds the node and gives `backprops`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
