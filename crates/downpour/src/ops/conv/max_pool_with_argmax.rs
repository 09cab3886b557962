//! `MaxPoolWithArgmax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxPoolWithArgmax(input) -> (output, argmax)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `argmax`: `Targmax` (int32, int64)
///
/// Differentiable.
pub fn max_pool_with_argmax(
    input: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPoolWithArgmax {
    let mut node = NodeBuilder::new("MaxPoolWithArgmax").input(input);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPoolWithArgmax(node)
}

/// A `MaxPoolWithArgmax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolWithArgmax(NodeBuilder);

impl MaxPoolWithArgmax {
    /// The attribute `Targmax`; int64 unless set.
    pub fn targmax(mut self, value: DataType) -> MaxPoolWithArgmax {
        self.0.set("Targmax", value.into());
        self
    }

    /// The attribute `include_batch_in_index`; `false` unless set.
    pub fn include_batch_in_index(mut self, value: bool) -> MaxPoolWithArgmax {
        self.0.set("include_batch_in_index", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolWithArgmax {
        MaxPoolWithArgmax(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `argmax`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
