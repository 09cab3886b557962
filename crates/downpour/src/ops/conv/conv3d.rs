//! `Conv3D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Conv3D(input, filter) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn conv3d(input: &Output, filter: &Output, strides: &[i64], padding: &str) -> Conv3D {
    let mut node = NodeBuilder::new("Conv3D").input(input).input(filter);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv3D(node)
}

/// A `Conv3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv3D(NodeBuilder);

impl Conv3D {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv3D {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv3D {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv3D {
        Conv3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
