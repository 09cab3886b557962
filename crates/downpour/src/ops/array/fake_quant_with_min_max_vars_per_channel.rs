//! `FakeQuantWithMinMaxVarsPerChannel`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FakeQuantWithMinMaxVarsPerChannel(inputs, min, max) -> (outputs)`.
///
/// * `inputs`: float
/// * `min`: float
/// * `max`: float
/// * gives `outputs`: float
///
/// Differentiable.
pub fn fake_quant_with_min_max_vars_per_channel(
    inputs: &Output,
    min: &Output,
    max: &Output,
) -> FakeQuantWithMinMaxVarsPerChannel {
    let node =
        NodeBuilder::new("FakeQuantWithMinMaxVarsPerChannel").input(inputs).input(min).input(max);
    FakeQuantWithMinMaxVarsPerChannel(node)
}

/// A `FakeQuantWithMinMaxVarsPerChannel` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxVarsPerChannel(NodeBuilder);

impl FakeQuantWithMinMaxVarsPerChannel {
    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxVarsPerChannel {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxVarsPerChannel {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxVarsPerChannel {
        FakeQuantWithMinMaxVarsPerChannel(self.0.name(name))
    }

    /// Adds the node and gives `outputs`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
