//! `QuantizedMatMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedMatMul(a, b, min_a, max_a, min_b, max_b) -> (out, min_out, max_out)`.
///
/// * `a`: `T1` (qint8, quint8, qint32, qint16, quint16)
/// * `b`: `T2` (qint8, quint8, qint32, qint16, quint16)
/// * `min_a`: float
/// * `max_a`: float
/// * `min_b`: float
/// * `max_b`: float
/// * gives `out`: `Toutput` (qint8, quint8, qint32, qint16, quint16)
/// * gives `min_out`: float
/// * gives `max_out`: float
///
/// Has no gradient.
pub fn quantized_mat_mul(a: &Output, b: &Output, min_a: &Output, max_a: &Output, min_b: &Output, max_b: &Output) -> QuantizedMatMul {
    let node = NodeBuilder::new("QuantizedMatMul").input(a).input(b).input(min_a).input(max_a).input(min_b).input(max_b);
    QuantizedMatMul(node)
}

/// A `QuantizedMatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedMatMul(NodeBuilder);

impl QuantizedMatMul {
    /// The attribute `Toutput`; qint32 unless set.
    pub fn toutput(mut self, value: DataType) -> QuantizedMatMul {
        self.0.set("Toutput", value.into());
        self
    }

    /// The attribute `transpose_a`; `false` unless set.
    pub fn transpose_a(mut self, value: bool) -> QuantizedMatMul {
        self.0.set("transpose_a", value.into());
        self
    }

    /// The attribute `transpose_b`; `false` unless set.
    pub fn transpose_b(mut self, value: bool) -> QuantizedMatMul {
        self.0.set("transpose_b", value.into());
        self
    }

    /// The attribute `Tactivation`; quint8 unless set.
    pub fn tactivation(mut self, value: DataType) -> QuantizedMatMul {
        self.0.set("Tactivation", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedMatMul {
        QuantizedMatMul(self.0.name(name))
    }

    /// Adds the node and gives (`out`, `min_out`, `max_out`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
