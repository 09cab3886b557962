//! `ArgMin`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ArgMin(input, dimension) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16, bool)
/// * `dimension`: `Tidx` (int32, int64)
/// * gives `output`: `output_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn arg_min(input: &Output, dimension: &Output) -> ArgMin {
    let node = NodeBuilder::new("ArgMin").input(input).input(dimension);
    ArgMin(node)
}

/// A `ArgMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ArgMin(NodeBuilder);

impl ArgMin {
    /// The attribute `output_type`; int64 unless set.
    pub fn output_type(mut self, value: DataType) -> ArgMin {
        self.0.set("output_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ArgMin {
        ArgMin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
