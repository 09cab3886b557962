//! `MaxPool3D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxPool3D(input) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float)
///
/// Differentiable.
pub fn max_pool3d(input: &Output, ksize: &[i64], strides: &[i64], padding: &str) -> MaxPool3D {
    let mut node = NodeBuilder::new("MaxPool3D").input(input);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPool3D(node)
}

/// A `MaxPool3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPool3D(NodeBuilder);

impl MaxPool3D {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPool3D {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPool3D {
        MaxPool3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
