//! `RequantizationRange`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RequantizationRange(input, input_min, input_max) -> (output_min, output_max)`.
///
/// * `input`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `input_min`: float
/// * `input_max`: float
/// * gives `output_min`: float
/// * gives `output_max`: float
///
/// Has no gradient.
pub fn requantization_range(input: &Output, input_min: &Output, input_max: &Output) -> RequantizationRange {
    let node = NodeBuilder::new("RequantizationRange").input(input).input(input_min).input(input_max);
    RequantizationRange(node)
}

/// A `RequantizationRange` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RequantizationRange(NodeBuilder);

impl RequantizationRange {
    /// Names the node.
    pub fn name(self, name: &str) -> RequantizationRange {
        RequantizationRange(self.0.name(name))
    }

    /// Adds the node and gives (`output_min`, `output_max`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
