//! `FusedBatchNormV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FusedBatchNormV2(x, scale, offset, mean, variance) -> (y, batch_mean, batch_variance, reserve_space_1, reserve_space_2)`.
///
/// * `x`: `T` (half, bfloat16, float)
/// * `scale`: `U` (float)
/// * `offset`: `U` (float)
/// * `mean`: `U` (float)
/// * `variance`: `U` (float)
/// * gives `y`: `T` (half, bfloat16, float)
/// * gives `batch_mean`: `U` (float)
/// * gives `batch_variance`: `U` (float)
/// * gives `reserve_space_1`: `U` (float)
/// * gives `reserve_space_2`: `U` (float)
///
/// Differentiable.
pub fn fused_batch_norm_v2(
    x: &Output,
    scale: &Output,
    offset: &Output,
    mean: &Output,
    variance: &Output,
) -> FusedBatchNormV2 {
    let node = NodeBuilder::new("FusedBatchNormV2")
        .input(x)
        .input(scale)
        .input(offset)
        .input(mean)
        .input(variance);
    FusedBatchNormV2(node)
}

/// The values of a `FusedBatchNormV2`.
pub struct FusedBatchNormV2Values {
    /// `y`.
    pub y: Output,
    /// `batch_mean`.
    pub batch_mean: Output,
    /// `batch_variance`.
    pub batch_variance: Output,
    /// `reserve_space_1`.
    pub reserve_space_1: Output,
    /// `reserve_space_2`.
    pub reserve_space_2: Output,
}

/// A `FusedBatchNormV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FusedBatchNormV2(NodeBuilder);

impl FusedBatchNormV2 {
    /// The attribute `epsilon`; `0.0001` unless set.
    pub fn epsilon(mut self, value: f32) -> FusedBatchNormV2 {
        self.0.set("epsilon", value.into());
        self
    }

    /// The attribute `exponential_avg_factor`; `1.0` unless set.
    pub fn exponential_avg_factor(mut self, value: f32) -> FusedBatchNormV2 {
        self.0.set("exponential_avg_factor", value.into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> FusedBatchNormV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `is_training`; `true` unless set.
    pub fn is_training(mut self, value: bool) -> FusedBatchNormV2 {
        self.0.set("is_training", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FusedBatchNormV2 {
        FusedBatchNormV2(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `batch_mean`, `batch_variance`, `reserve_space_1`, `reserve_space_2`).
    pub fn build(self) -> Result<FusedBatchNormV2Values> {
        let operation = self.0.operation()?;
        Ok(FusedBatchNormV2Values {
            y: operation.output(0)?,
            batch_mean: operation.output(1)?,
            batch_variance: operation.output(2)?,
            reserve_space_1: operation.output(3)?,
            reserve_space_2: operation.output(4)?,
        })
    }
}
