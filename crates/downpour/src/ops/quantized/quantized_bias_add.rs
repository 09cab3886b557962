//! `QuantizedBiasAdd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedBiasAdd(input, bias, min_input, max_input, min_bias, max_bias) -> (output, min_out, max_out)`.
///
/// * `input`: `T1` (qint8, quint8, qint32, qint16, quint16)
/// * `bias`: `T2` (qint8, quint8, qint32, qint16, quint16)
/// * `min_input`: float
/// * `max_input`: float
/// * `min_bias`: float
/// * `max_bias`: float
/// * `out_type`: attribute, type, one of qint8, quint8, qint32, qint16, quint16
/// * gives `output`: `out_type` (qint8, quint8, qint32, qint16, quint16)
/// * gives `min_out`: float
/// * gives `max_out`: float
///
/// Has no gradient.
pub fn quantized_bias_add(input: &Output, bias: &Output, min_input: &Output, max_input: &Output, min_bias: &Output, max_bias: &Output, out_type: DataType) -> QuantizedBiasAdd {
    let mut node = NodeBuilder::new("QuantizedBiasAdd").input(input).input(bias).input(min_input).input(max_input).input(min_bias).input(max_bias);
    node.set("out_type", out_type.into());
    QuantizedBiasAdd(node)
}

/// A `QuantizedBiasAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedBiasAdd(NodeBuilder);

impl QuantizedBiasAdd {
    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedBiasAdd {
        QuantizedBiasAdd(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `min_out`, `max_out`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
