//! `QuantizeDownAndShrinkRange`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizeDownAndShrinkRange(input, input_min, input_max) -> (output, output_min, output_max)`.
///
/// * `input`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `input_min`: float
/// * `input_max`: float
/// * `out_type`: attribute, type, one of qint8, quint8, qint32, qint16, quint16
/// * gives `output`: `out_type` (qint8, quint8, qint32, qint16, quint16)
/// * gives `output_min`: float
/// * gives `output_max`: float
///
/// Has no gradient.
pub fn quantize_down_and_shrink_range(input: &Output, input_min: &Output, input_max: &Output, out_type: DataType) -> QuantizeDownAndShrinkRange {
    let mut node = NodeBuilder::new("QuantizeDownAndShrinkRange").input(input).input(input_min).input(input_max);
    node.set("out_type", out_type.into());
    QuantizeDownAndShrinkRange(node)
}

/// A `QuantizeDownAndShrinkRange` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeDownAndShrinkRange(NodeBuilder);

impl QuantizeDownAndShrinkRange {
    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeDownAndShrinkRange {
        QuantizeDownAndShrinkRange(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `output_min`, `output_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
