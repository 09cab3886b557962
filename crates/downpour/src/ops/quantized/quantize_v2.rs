//! `QuantizeV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizeV2(input, min_range, max_range) -> (output, output_min, output_max)`.
///
/// * `input`: float
/// * `min_range`: float
/// * `max_range`: float
/// * `T`: attribute, type, one of qint8, quint8, qint32, qint16, quint16
/// * gives `output`: `T` (qint8, quint8, qint32, qint16, quint16)
/// * gives `output_min`: float
/// * gives `output_max`: float
///
/// Has no gradient.
pub fn quantize_v2(input: &Output, min_range: &Output, max_range: &Output, t: DataType) -> QuantizeV2 {
    let mut node = NodeBuilder::new("QuantizeV2").input(input).input(min_range).input(max_range);
    node.set("T", t.into());
    QuantizeV2(node)
}

/// A `QuantizeV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeV2(NodeBuilder);

impl QuantizeV2 {
    /// The attribute `mode`; `"MIN_COMBINED"` unless set.
    pub fn mode(mut self, value: &str) -> QuantizeV2 {
        self.0.set("mode", text(value));
        self
    }

    /// The attribute `round_mode`; `"HALF_AWAY_FROM_ZERO"` unless set.
    pub fn round_mode(mut self, value: &str) -> QuantizeV2 {
        self.0.set("round_mode", text(value));
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> QuantizeV2 {
        self.0.set("narrow_range", value.into());
        self
    }

    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> QuantizeV2 {
        self.0.set("axis", value.into());
        self
    }

    /// The attribute `ensure_minimum_range`; `0.01` unless set.
    pub fn ensure_minimum_range(mut self, value: f32) -> QuantizeV2 {
        self.0.set("ensure_minimum_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeV2 {
        QuantizeV2(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `output_min`, `output_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
