//! `FakeQuantWithMinMaxVars`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FakeQuantWithMinMaxVars(inputs, min, max) -> (outputs)`.
///
/// * `inputs`: float
/// * `min`: float
/// * `max`: float
/// * gives `outputs`: float
///
/// Differentiable.
pub fn fake_quant_with_min_max_vars(
    inputs: &Output,
    min: &Output,
    max: &Output,
) -> FakeQuantWithMinMaxVars {
    let node = NodeBuilder::new("FakeQuantWithMinMaxVars").input(inputs).input(min).input(max);
    FakeQuantWithMinMaxVars(node)
}

/// A `FakeQuantWithMinMaxVars` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxVars(NodeBuilder);

impl FakeQuantWithMinMaxVars {
    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxVars {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxVars {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxVars {
        FakeQuantWithMinMaxVars(self.0.name(name))
    }

    /// Adds the node and gives `outputs`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
