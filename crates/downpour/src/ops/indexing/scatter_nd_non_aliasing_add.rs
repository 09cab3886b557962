//! `ScatterNdNonAliasingAdd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScatterNdNonAliasingAdd(input, indices, updates) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool)
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool)
///
/// Differentiable.
pub fn scatter_nd_non_aliasing_add(
    input: &Output,
    indices: &Output,
    updates: &Output,
) -> ScatterNdNonAliasingAdd {
    let node =
        NodeBuilder::new("ScatterNdNonAliasingAdd").input(input).input(indices).input(updates);
    ScatterNdNonAliasingAdd(node)
}

/// A `ScatterNdNonAliasingAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNdNonAliasingAdd(NodeBuilder);

impl ScatterNdNonAliasingAdd {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNdNonAliasingAdd {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNdNonAliasingAdd {
        ScatterNdNonAliasingAdd(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
