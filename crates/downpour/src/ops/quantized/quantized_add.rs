//! `QuantizedAdd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedAdd(x, y, min_x, max_x, min_y, max_y) -> (z, min_z, max_z)`.
///
/// * `x`: `T1` (qint8, quint8, qint32, qint16, quint16)
/// * `y`: `T2` (qint8, quint8, qint32, qint16, quint16)
/// * `min_x`: float
/// * `max_x`: float
/// * `min_y`: float
/// * `max_y`: float
/// * gives `z`: `Toutput` (qint8, quint8, qint32, qint16, quint16)
/// * gives `min_z`: float
/// * gives `max_z`: float
///
/// Has no gradient.
pub fn quantized_add(x: &Output, y: &Output, min_x: &Output, max_x: &Output, min_y: &Output, max_y: &Output) -> QuantizedAdd {
    let node = NodeBuilder::new("QuantizedAdd").input(x).input(y).input(min_x).input(max_x).input(min_y).input(max_y);
    QuantizedAdd(node)
}

/// A `QuantizedAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedAdd(NodeBuilder);

impl QuantizedAdd {
    /// The attribute `Toutput`; qint32 unless set.
    pub fn toutput(mut self, value: DataType) -> QuantizedAdd {
        self.0.set("Toutput", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedAdd {
        QuantizedAdd(self.0.name(name))
    }

    /// Adds the node and gives (`z`, `min_z`, `max_z`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
