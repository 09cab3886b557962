//! What the operations on variables share: finding the variable and knowing its shape.

use downpour_graph::{PartialShape, ShapeContext};

/// The shape of the variable behind input `i`, as far as its declaration tells: a reference's own
/// shape, or what a handle known before running says.
pub(crate) fn variable_shape(cx: &ShapeContext<'_>, i: usize) -> PartialShape {
    if cx.node().input_types[i].is_ref {
        return cx.input(i).clone();
    }
    let declared = || {
        let handle = cx.constant(i)?.handles().ok()?.first()?;
        let dims = handle.dtypes_and_shapes.first()?.shape.as_ref()?;
        PartialShape::from_i64(dims).ok()
    };
    declared().unwrap_or_default()
}
