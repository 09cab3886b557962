//! `ScatterNdMin`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScatterNdMin(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_ref`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_nd_min(ref_: &Output, indices: &Output, updates: &Output) -> ScatterNdMin {
    let node = NodeBuilder::new("ScatterNdMin").input(ref_).input(indices).input(updates);
    ScatterNdMin(node)
}

/// A `ScatterNdMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNdMin(NodeBuilder);

impl ScatterNdMin {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterNdMin {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNdMin {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNdMin {
        ScatterNdMin(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
