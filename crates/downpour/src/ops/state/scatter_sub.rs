//! `ScatterSub`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScatterSub(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_sub(ref_: &Output, indices: &Output, updates: &Output) -> ScatterSub {
    let node = NodeBuilder::new("ScatterSub").input(ref_).input(indices).input(updates);
    ScatterSub(node)
}

/// A `ScatterSub` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterSub(NodeBuilder);

impl ScatterSub {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterSub {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterSub {
        ScatterSub(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
