//! `Requantize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Requantize(input, input_min, input_max, requested_output_min, requested_output_max) -> (output, output_min, output_max)`.
///
/// * `input`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `input_min`: float
/// * `input_max`: float
/// * `requested_output_min`: float
/// * `requested_output_max`: float
/// * `out_type`: attribute, type, one of qint8, quint8, qint32, qint16, quint16
/// * gives `output`: `out_type` (qint8, quint8, qint32, qint16, quint16)
/// * gives `output_min`: float
/// * gives `output_max`: float
///
/// Has no gradient.
pub fn requantize(input: &Output, input_min: &Output, input_max: &Output, requested_output_min: &Output, requested_output_max: &Output, out_type: DataType) -> Requantize {
    let mut node = NodeBuilder::new("Requantize").input(input).input(input_min).input(input_max).input(requested_output_min).input(requested_output_max);
    node.set("out_type", out_type.into());
    Requantize(node)
}

/// A `Requantize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Requantize(NodeBuilder);

impl Requantize {
    /// Names the node.
    pub fn name(self, name: &str) -> Requantize {
        Requantize(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `output_min`, `output_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
