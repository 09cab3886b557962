//! `FusedBatchNorm`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FusedBatchNorm(x, scale, offset, mean, variance) -> (y, batch_mean, batch_variance, reserve_space_1, reserve_space_2)`.
///
/// * `x`: `T` (float)
/// * `scale`: `T` (float)
/// * `offset`: `T` (float)
/// * `mean`: `T` (float)
/// * `variance`: `T` (float)
/// * gives `y`: `T` (float)
/// * gives `batch_mean`: `T` (float)
/// * gives `batch_variance`: `T` (float)
/// * gives `reserve_space_1`: `T` (float)
/// * gives `reserve_space_2`: `T` (float)
///
/// Differentiable.
pub fn fused_batch_norm(
    x: &Output,
    scale: &Output,
    offset: &Output,
    mean: &Output,
    variance: &Output,
) -> FusedBatchNorm {
    let node = NodeBuilder::new("FusedBatchNorm")
        .input(x)
        .input(scale)
        .input(offset)
        .input(mean)
        .input(variance);
    FusedBatchNorm(node)
}

/// The values of a `FusedBatchNorm`.
pub struct FusedBatchNormValues {
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

/// A `FusedBatchNorm` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FusedBatchNorm(NodeBuilder);

impl FusedBatchNorm {
    /// The attribute `epsilon`; `0.0001` unless set.
    pub fn epsilon(mut self, value: f32) -> FusedBatchNorm {
        self.0.set("epsilon", value.into());
        self
    }

    /// The attribute `exponential_avg_factor`; `1.0` unless set.
    pub fn exponential_avg_factor(mut self, value: f32) -> FusedBatchNorm {
        self.0.set("exponential_avg_factor", value.into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> FusedBatchNorm {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `is_training`; `true` unless set.
    pub fn is_training(mut self, value: bool) -> FusedBatchNorm {
        self.0.set("is_training", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FusedBatchNorm {
        FusedBatchNorm(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `batch_mean`, `batch_variance`, `reserve_space_1`, `reserve_space_2`).
    pub fn build(self) -> Result<FusedBatchNormValues> {
        let operation = self.0.operation()?;
        Ok(FusedBatchNormValues {
            y: operation.output(0)?,
            batch_mean: operation.output(1)?,
            batch_variance: operation.output(2)?,
            reserve_space_1: operation.output(3)?,
            reserve_space_2: operation.output(4)?,
        })
    }
}
