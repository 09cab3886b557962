//! `Prod`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Prod(input, reduction_indices) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn prod(input: &Output, reduction_indices: &Output) -> Prod {
    let node = NodeBuilder::new("Prod").input(input).input(reduction_indices);
    Prod(node)
}

/// A `Prod` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Prod(NodeBuilder);

impl Prod {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> Prod {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Prod {
        Prod(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
