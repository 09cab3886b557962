//! `StridedSlice`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StridedSlice(input, begin, end, strides) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `begin`: `Index` (int16, int32, int64)
/// * `end`: `Index` (int16, int32, int64)
/// * `strides`: `Index` (int16, int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn strided_slice(
    input: &Output,
    begin: &Output,
    end: &Output,
    strides: &Output,
) -> StridedSlice {
    let node = NodeBuilder::new("StridedSlice").input(input).input(begin).input(end).input(strides);
    StridedSlice(node)
}

/// A `StridedSlice` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StridedSlice(NodeBuilder);

impl StridedSlice {
    /// The attribute `begin_mask`; `0` unless set.
    pub fn begin_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("begin_mask", value.into());
        self
    }

    /// The attribute `end_mask`; `0` unless set.
    pub fn end_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("end_mask", value.into());
        self
    }

    /// The attribute `ellipsis_mask`; `0` unless set.
    pub fn ellipsis_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("ellipsis_mask", value.into());
        self
    }

    /// The attribute `new_axis_mask`; `0` unless set.
    pub fn new_axis_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("new_axis_mask", value.into());
        self
    }

    /// The attribute `shrink_axis_mask`; `0` unless set.
    pub fn shrink_axis_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("shrink_axis_mask", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StridedSlice {
        StridedSlice(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
