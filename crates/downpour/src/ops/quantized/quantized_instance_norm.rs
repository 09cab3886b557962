//! `QuantizedInstanceNorm`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedInstanceNorm(x, x_min, x_max) -> (y, y_min, y_max)`.
///
/// * `x`: `T` (qint8, quint8, qint32, qint16, quint16)
/// * `x_min`: float
/// * `x_max`: float
/// * gives `y`: `T` (qint8, quint8, qint32, qint16, quint16)
/// * gives `y_min`: float
/// * gives `y_max`: float
///
/// Has no gradient.
pub fn quantized_instance_norm(x: &Output, x_min: &Output, x_max: &Output) -> QuantizedInstanceNorm {
    let node = NodeBuilder::new("QuantizedInstanceNorm").input(x).input(x_min).input(x_max);
    QuantizedInstanceNorm(node)
}

/// A `QuantizedInstanceNorm` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedInstanceNorm(NodeBuilder);

impl QuantizedInstanceNorm {
    /// The attribute `output_range_given`; `false` unless set.
    pub fn output_range_given(mut self, value: bool) -> QuantizedInstanceNorm {
        self.0.set("output_range_given", value.into());
        self
    }

    /// The attribute `given_y_min`; `0.0` unless set.
    pub fn given_y_min(mut self, value: f32) -> QuantizedInstanceNorm {
        self.0.set("given_y_min", value.into());
        self
    }

    /// The attribute `given_y_max`; `0.0` unless set.
    pub fn given_y_max(mut self, value: f32) -> QuantizedInstanceNorm {
        self.0.set("given_y_max", value.into());
        self
    }

    /// The attribute `variance_epsilon`; `1e-5` unless set.
    pub fn variance_epsilon(mut self, value: f32) -> QuantizedInstanceNorm {
        self.0.set("variance_epsilon", value.into());
        self
    }

    /// The attribute `min_separation`; `0.001` unless set.
    pub fn min_separation(mut self, value: f32) -> QuantizedInstanceNorm {
        self.0.set("min_separation", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedInstanceNorm {
        QuantizedInstanceNorm(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `y_min`, `y_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
