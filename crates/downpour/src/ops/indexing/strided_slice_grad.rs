//! `StridedSliceGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StridedSliceGrad(shape, begin, end, strides, dy) -> (output)`.
///
/// * `shape`: `Index` (int32, int64)
/// * `begin`: `Index` (int32, int64)
/// * `end`: `Index` (int32, int64)
/// * `strides`: `Index` (int32, int64)
/// * `dy`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn strided_slice_grad(
    shape: &Output,
    begin: &Output,
    end: &Output,
    strides: &Output,
    dy: &Output,
) -> StridedSliceGrad {
    let node = NodeBuilder::new("StridedSliceGrad")
        .input(shape)
        .input(begin)
        .input(end)
        .input(strides)
        .input(dy);
    StridedSliceGrad(node)
}

/// A `StridedSliceGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StridedSliceGrad(NodeBuilder);

impl StridedSliceGrad {
    /// The attribute `begin_mask`; `0` unless set.
    pub fn begin_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("begin_mask", value.into());
        self
    }

    /// The attribute `end_mask`; `0` unless set.
    pub fn end_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("end_mask", value.into());
        self
    }

    /// The attribute `ellipsis_mask`; `0` unless set.
    pub fn ellipsis_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("ellipsis_mask", value.into());
        self
    }

    /// The attribute `new_axis_mask`; `0` unless set.
    pub fn new_axis_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("new_axis_mask", value.into());
        self
    }

    /// The attribute `shrink_axis_mask`; `0` unless set.
    pub fn shrink_axis_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("shrink_axis_mask", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StridedSliceGrad {
        StridedSliceGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
