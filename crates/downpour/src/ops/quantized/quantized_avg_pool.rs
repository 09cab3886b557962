//! `QuantizedAvgPool`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedAvgPool(input, min_input, max_input) -> (output, min_output, max_output)`.
///
/// * `input`: `T` (qint8, quint8, qint32, qint16, quint16)
/// * `min_input`: float
/// * `max_input`: float
/// * `ksize`: attribute, list(int)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (qint8, quint8, qint32, qint16, quint16)
/// * gives `min_output`: float
/// * gives `max_output`: float
///
/// Has no gradient.
pub fn quantized_avg_pool(input: &Output, min_input: &Output, max_input: &Output, ksize: &[i64], strides: &[i64], padding: &str) -> QuantizedAvgPool {
    let mut node = NodeBuilder::new("QuantizedAvgPool").input(input).input(min_input).input(max_input);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    QuantizedAvgPool(node)
}

/// A `QuantizedAvgPool` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedAvgPool(NodeBuilder);

impl QuantizedAvgPool {
    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedAvgPool {
        QuantizedAvgPool(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `min_output`, `max_output`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
