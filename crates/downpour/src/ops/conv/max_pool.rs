//! `MaxPool`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxPool(input) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8)
///
/// Differentiable.
pub fn max_pool(input: &Output, ksize: &[i64], strides: &[i64], padding: &str) -> MaxPool {
    let mut node = NodeBuilder::new("MaxPool").input(input);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPool(node)
}

/// A `MaxPool` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPool(NodeBuilder);

impl MaxPool {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> MaxPool {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPool {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPool {
        MaxPool(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
