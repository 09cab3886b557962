//! `FractionalAvgPoolGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FractionalAvgPoolGrad(orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence) -> (output)`.
///
/// * `orig_input_tensor_shape`: int64
/// * `out_backprop`: `T` (float, double, int32, int64)
/// * `row_pooling_sequence`: int64
/// * `col_pooling_sequence`: int64
/// * gives `output`: `T` (float, double, int32, int64)
///
/// Has no gradient.
pub fn fractional_avg_pool_grad(
    orig_input_tensor_shape: &Output,
    out_backprop: &Output,
    row_pooling_sequence: &Output,
    col_pooling_sequence: &Output,
) -> FractionalAvgPoolGrad {
    let node = NodeBuilder::new("FractionalAvgPoolGrad")
        .input(orig_input_tensor_shape)
        .input(out_backprop)
        .input(row_pooling_sequence)
        .input(col_pooling_sequence);
    FractionalAvgPoolGrad(node)
}

/// A `FractionalAvgPoolGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FractionalAvgPoolGrad(NodeBuilder);

impl FractionalAvgPoolGrad {
    /// The attribute `overlapping`; `false` unless set.
    pub fn overlapping(mut self, value: bool) -> FractionalAvgPoolGrad {
        self.0.set("overlapping", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FractionalAvgPoolGrad {
        FractionalAvgPoolGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
