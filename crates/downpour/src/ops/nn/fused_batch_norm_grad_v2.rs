//! `FusedBatchNormGradV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FusedBatchNormGradV2(y_backprop, x, scale, reserve_space_1, reserve_space_2) -> (x_backprop, scale_backprop, offset_backprop, reserve_space_3, reserve_space_4)`.
///
/// * `y_backprop`: `T` (half, bfloat16, float)
/// * `x`: `T` (half, bfloat16, float)
/// * `scale`: float
/// * `reserve_space_1`: `U` (float)
/// * `reserve_space_2`: `U` (float)
/// * gives `x_backprop`: `T` (half, bfloat16, float)
/// * gives `scale_backprop`: `U` (float)
/// * gives `offset_backprop`: `U` (float)
/// * gives `reserve_space_3`: `U` (float)
/// * gives `reserve_space_4`: `U` (float)
///
/// Differentiable.
pub fn fused_batch_norm_grad_v2(
    y_backprop: &Output,
    x: &Output,
    scale: &Output,
    reserve_space_1: &Output,
    reserve_space_2: &Output,
) -> FusedBatchNormGradV2 {
    let node = NodeBuilder::new("FusedBatchNormGradV2")
        .input(y_backprop)
        .input(x)
        .input(scale)
        .input(reserve_space_1)
        .input(reserve_space_2);
    FusedBatchNormGradV2(node)
}

/// The values of a `FusedBatchNormGradV2`.
pub struct FusedBatchNormGradV2Values {
    /// `x_backprop`.
    pub x_backprop: Output,
    /// `scale_backprop`.
    pub scale_backprop: Output,
    /// `offset_backprop`.
    pub offset_backprop: Output,
    /// `reserve_space_3`.
    pub reserve_space_3: Output,
    /// `reserve_space_4`.
    pub reserve_space_4: Output,
}

/// A `FusedBatchNormGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FusedBatchNormGradV2(NodeBuilder);

impl FusedBatchNormGradV2 {
    /// The attribute `epsilon`; `0.0001` unless set.
    pub fn epsilon(mut self, value: f32) -> FusedBatchNormGradV2 {
        self.0.set("epsilon", value.into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> FusedBatchNormGradV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `is_training`; `true` unless set.
    pub fn is_training(mut self, value: bool) -> FusedBatchNormGradV2 {
        self.0.set("is_training", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FusedBatchNormGradV2 {
        FusedBatchNormGradV2(self.0.name(name))
    }

    /// Adds the node and gives (`x_backprop`, `scale_backprop`, `offset_backprop`, `reserve_space_3`, `reserve_space_4`).
    pub fn build(self) -> Result<FusedBatchNormGradV2Values> {
        let operation = self.0.operation()?;
        Ok(FusedBatchNormGradV2Values {
            x_backprop: operation.output(0)?,
            scale_backprop: operation.output(1)?,
            offset_backprop: operation.output(2)?,
            reserve_space_3: operation.output(3)?,
            reserve_space_4: operation.output(4)?,
        })
    }
}
