//! `AvgPool3D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AvgPool3D(input) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn avg_pool3d(input: &Output, ksize: &[i64], strides: &[i64], padding: &str) -> AvgPool3D {
    let mut node = NodeBuilder::new("AvgPool3D").input(input);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    AvgPool3D(node)
}

/// A `AvgPool3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AvgPool3D(NodeBuilder);

impl AvgPool3D {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> AvgPool3D {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AvgPool3D {
        AvgPool3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
