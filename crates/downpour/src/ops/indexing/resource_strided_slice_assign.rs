//! `ResourceStridedSliceAssign`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceStridedSliceAssign(ref, begin, end, strides, value) -> ()`.
///
/// * `ref`: resource
/// * `begin`: `Index` (int32, int64)
/// * `end`: `Index` (int32, int64)
/// * `strides`: `Index` (int32, int64)
/// * `value`: `T` (any type)
///
/// Has no gradient. Has state or effects.
pub fn resource_strided_slice_assign(
    ref_: &Output,
    begin: &Output,
    end: &Output,
    strides: &Output,
    value: &Output,
) -> ResourceStridedSliceAssign {
    let node = NodeBuilder::new("ResourceStridedSliceAssign")
        .input(ref_)
        .input(begin)
        .input(end)
        .input(strides)
        .input(value);
    ResourceStridedSliceAssign(node)
}

/// A `ResourceStridedSliceAssign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceStridedSliceAssign(NodeBuilder);

impl ResourceStridedSliceAssign {
    /// The attribute `begin_mask`; `0` unless set.
    pub fn begin_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("begin_mask", value.into());
        self
    }

    /// The attribute `end_mask`; `0` unless set.
    pub fn end_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("end_mask", value.into());
        self
    }

    /// The attribute `ellipsis_mask`; `0` unless set.
    pub fn ellipsis_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("ellipsis_mask", value.into());
        self
    }

    /// The attribute `new_axis_mask`; `0` unless set.
    pub fn new_axis_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("new_axis_mask", value.into());
        self
    }

    /// The attribute `shrink_axis_mask`; `0` unless set.
    pub fn shrink_axis_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("shrink_axis_mask", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceStridedSliceAssign {
        ResourceStridedSliceAssign(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
