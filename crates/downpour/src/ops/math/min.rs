//! `Min`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Min(input, reduction_indices) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16)
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16)
///
/// Differentiable.
pub fn min(input: &Output, reduction_indices: &Output) -> Min {
    let node = NodeBuilder::new("Min").input(input).input(reduction_indices);
    Min(node)
}

/// A `Min` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Min(NodeBuilder);

impl Min {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> Min {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Min {
        Min(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
