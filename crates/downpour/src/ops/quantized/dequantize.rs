//! `Dequantize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Dequantize(input, min_range, max_range) -> (output)`.
///
/// * `input`: `T` (qint8, quint8, qint32, qint16, quint16)
/// * `min_range`: float
/// * `max_range`: float
/// * gives `output`: `dtype` (bfloat16, float)
///
/// Has no gradient.
pub fn dequantize(input: &Output, min_range: &Output, max_range: &Output) -> Dequantize {
    let node = NodeBuilder::new("Dequantize").input(input).input(min_range).input(max_range);
    Dequantize(node)
}

/// A `Dequantize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Dequantize(NodeBuilder);

impl Dequantize {
    /// The attribute `mode`; `"MIN_COMBINED"` unless set.
    pub fn mode(mut self, value: &str) -> Dequantize {
        self.0.set("mode", text(value));
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> Dequantize {
        self.0.set("narrow_range", value.into());
        self
    }

    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> Dequantize {
        self.0.set("axis", value.into());
        self
    }

    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> Dequantize {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Dequantize {
        Dequantize(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
