//! `AvgPool`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AvgPool(value) -> (output)`.
///
/// * `value`: `T` (half, bfloat16, float, double)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn avg_pool(value: &Output, ksize: &[i64], strides: &[i64], padding: &str) -> AvgPool {
    let mut node = NodeBuilder::new("AvgPool").input(value);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    AvgPool(node)
}

/// A `AvgPool` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AvgPool(NodeBuilder);

impl AvgPool {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> AvgPool {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AvgPool {
        AvgPool(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
