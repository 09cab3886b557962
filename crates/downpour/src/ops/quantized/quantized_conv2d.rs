//! `QuantizedConv2D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedConv2D(input, filter, min_input, max_input, min_filter, max_filter) -> (output, min_output, max_output)`.
///
/// * `input`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `filter`: `Tfilter` (qint8, quint8, qint32, qint16, quint16)
/// * `min_input`: float
/// * `max_input`: float
/// * `min_filter`: float
/// * `max_filter`: float
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `out_type` (qint8, quint8, qint32, qint16, quint16)
/// * gives `min_output`: float
/// * gives `max_output`: float
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn quantized_conv2d(input: &Output, filter: &Output, min_input: &Output, max_input: &Output, min_filter: &Output, max_filter: &Output, strides: &[i64], padding: &str) -> QuantizedConv2D {
    let mut node = NodeBuilder::new("QuantizedConv2D").input(input).input(filter).input(min_input).input(max_input).input(min_filter).input(max_filter);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    QuantizedConv2D(node)
}

/// A `QuantizedConv2D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedConv2D(NodeBuilder);

impl QuantizedConv2D {
    /// The attribute `out_type`; qint32 unless set.
    pub fn out_type(mut self, value: DataType) -> QuantizedConv2D {
        self.0.set("out_type", value.into());
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> QuantizedConv2D {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedConv2D {
        QuantizedConv2D(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `min_output`, `max_output`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
