//! `QuantizedRelu`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedRelu(features, min_features, max_features) -> (activations, min_activations, max_activations)`.
///
/// * `features`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `min_features`: float
/// * `max_features`: float
/// * gives `activations`: `out_type` (qint8, quint8, qint32, qint16, quint16)
/// * gives `min_activations`: float
/// * gives `max_activations`: float
///
/// Has no gradient.
pub fn quantized_relu(features: &Output, min_features: &Output, max_features: &Output) -> QuantizedRelu {
    let node = NodeBuilder::new("QuantizedRelu").input(features).input(min_features).input(max_features);
    QuantizedRelu(node)
}

/// A `QuantizedRelu` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedRelu(NodeBuilder);

impl QuantizedRelu {
    /// The attribute `out_type`; quint8 unless set.
    pub fn out_type(mut self, value: DataType) -> QuantizedRelu {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedRelu {
        QuantizedRelu(self.0.name(name))
    }

    /// Adds the node and gives (`activations`, `min_activations`, `max_activations`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
