//! `DataFormatVecPermute`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DataFormatVecPermute(x) -> (y)`.
///
/// * `x`: `T` (int32, int64)
/// * gives `y`: `T` (int32, int64)
///
/// Has no gradient.
pub fn data_format_vec_permute(x: &Output) -> DataFormatVecPermute {
    let node = NodeBuilder::new("DataFormatVecPermute").input(x);
    DataFormatVecPermute(node)
}

/// A `DataFormatVecPermute` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DataFormatVecPermute(NodeBuilder);

impl DataFormatVecPermute {
    /// The attribute `src_format`; `"NHWC"` unless set.
    pub fn src_format(mut self, value: &str) -> DataFormatVecPermute {
        self.0.set("src_format", text(value));
        self
    }

    /// The attribute `dst_format`; `"NCHW"` unless set.
    pub fn dst_format(mut self, value: &str) -> DataFormatVecPermute {
        self.0.set("dst_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DataFormatVecPermute {
        DataFormatVecPermute(self.0.name(name))
    }

    /// Adds the node and gives `y`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
