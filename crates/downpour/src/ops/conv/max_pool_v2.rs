//! `MaxPoolV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxPoolV2(input, ksize, strides) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8)
/// * `ksize`: int32
/// * `strides`: int32
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8)
///
/// Differentiable.
pub fn max_pool_v2(input: &Output, ksize: &Output, strides: &Output, padding: &str) -> MaxPoolV2 {
    let mut node = NodeBuilder::new("MaxPoolV2").input(input).input(ksize).input(strides);
    node.set("padding", text(padding));
    MaxPoolV2(node)
}

/// A `MaxPoolV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolV2(NodeBuilder);

impl MaxPoolV2 {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPoolV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolV2 {
        MaxPoolV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
