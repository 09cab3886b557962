//! `FusedBatchNormGradV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FusedBatchNormGradV3(y_backprop, x, scale, reserve_space_1, reserve_space_2, reserve_space_3) -> (x_backprop, scale_backprop, offset_backprop, reserve_space_4, reserve_space_5)`.
///
/// * `y_backprop`: `T` (half, bfloat16, float)
/// * `x`: `T` (half, bfloat16, float)
/// * `scale`: float
/// * `reserve_space_1`: `U` (float)
/// * `reserve_space_2`: `U` (float)
/// * `reserve_space_3`: `U` (float)
/// * gives `x_backprop`: `T` (half, bfloat16, float)
/// * gives `scale_backprop`: `U` (float)
/// * gives `offset_backprop`: `U` (float)
/// * gives `reserve_space_4`: `U` (float)
/// * gives `reserve_space_5`: `U` (float)
///
/// Differentiable.
pub fn fused_batch_norm_grad_v3(
    y_backprop: &Output,
    x: &Output,
    scale: &Output,
    reserve_space_1: &Output,
    reserve_space_2: &Output,
    reserve_space_3: &Output,
) -> FusedBatchNormGradV3 {
    let node = NodeBuilder::new("FusedBatchNormGradV3")
        .input(y_backprop)
        .input(x)
        .input(scale)
        .input(reserve_space_1)
        .input(reserve_space_2)
        .input(reserve_space_3);
    FusedBatchNormGradV3(node)
}

/// The values of a `FusedBatchNormGradV3`.
pub struct FusedBatchNormGradV3Values {
    /// `x_backprop`.
    pub x_backprop: Output,
    /// `scale_backprop`.
    pub scale_backprop: Output,
    /// `offset_backprop`.
    pub offset_backprop: Output,
    /// `reserve_space_4`.
    pub reserve_space_4: Output,
    /// `reserve_space_5`.
    pub reserve_space_5: Output,
}

/// A `FusedBatchNormGradV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FusedBatchNormGradV3(NodeBuilder);

impl FusedBatchNormGradV3 {
    /// The attribute `epsilon`; `0.0001` unless set.
    pub fn epsilon(mut self, value: f32) -> FusedBatchNormGradV3 {
        self.0.set("epsilon", value.into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> FusedBatchNormGradV3 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `is_training`; `true` unless set.
    pub fn is_training(mut self, value: bool) -> FusedBatchNormGradV3 {
        self.0.set("is_training", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FusedBatchNormGradV3 {
        FusedBatchNormGradV3(self.0.name(name))
    }

    /// Adds the node and gives (`x_backprop`, `scale_backprop`, `offset_backprop`, `reserve_space_4`, `reserve_space_5`).
    pub fn build(self) -> Result<FusedBatchNormGradV3Values> {
        let operation = self.0.operation()?;
        Ok(FusedBatchNormGradV3Values {
            x_backprop: operation.output(0)?,
            scale_backprop: operation.output(1)?,
            offset_backprop: operation.output(2)?,
            reserve_space_4: operation.output(3)?,
            reserve_space_5: operation.output(4)?,
        })
    }
}
