//! `FractionalMaxPoolGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FractionalMaxPoolGrad(orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence) -> (output)`.
///
/// * `orig_input`: `T` (float, double, int32, int64)
/// * `orig_output`: `T` (float, double, int32, int64)
/// * `out_backprop`: `T` (float, double, int32, int64)
/// * `row_pooling_sequence`: int64
/// * `col_pooling_sequence`: int64
/// * gives `output`: `T` (float, double, int32, int64)
///
/// Has no gradient.
pub fn fractional_max_pool_grad(
    orig_input: &Output,
    orig_output: &Output,
    out_backprop: &Output,
    row_pooling_sequence: &Output,
    col_pooling_sequence: &Output,
) -> FractionalMaxPoolGrad {
    let node = NodeBuilder::new("FractionalMaxPoolGrad")
        .input(orig_input)
        .input(orig_output)
        .input(out_backprop)
        .input(row_pooling_sequence)
        .input(col_pooling_sequence);
    FractionalMaxPoolGrad(node)
}

/// A `FractionalMaxPoolGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FractionalMaxPoolGrad(NodeBuilder);

impl FractionalMaxPoolGrad {
    /// The attribute `overlapping`; `false` unless set.
    pub fn overlapping(mut self, value: bool) -> FractionalMaxPoolGrad {
        self.0.set("overlapping", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FractionalMaxPoolGrad {
        FractionalMaxPoolGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
