//! `FractionalMaxPool`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FractionalMaxPool(value) -> (output, row_pooling_sequence, col_pooling_sequence)`.
///
/// * `value`: `T` (float, double, int32, int64)
/// * `pooling_ratio`: attribute, list(float), at least 4 long
/// * gives `output`: `T` (float, double, int32, int64)
/// * gives `row_pooling_sequence`: int64
/// * gives `col_pooling_sequence`: int64
///
/// Differentiable.
pub fn fractional_max_pool(value: &Output, pooling_ratio: &[f32]) -> FractionalMaxPool {
    let mut node = NodeBuilder::new("FractionalMaxPool").input(value);
    node.set("pooling_ratio", pooling_ratio.to_vec().into());
    FractionalMaxPool(node)
}

/// A `FractionalMaxPool` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FractionalMaxPool(NodeBuilder);

impl FractionalMaxPool {
    /// The attribute `pseudo_random`; `false` unless set.
    pub fn pseudo_random(mut self, value: bool) -> FractionalMaxPool {
        self.0.set("pseudo_random", value.into());
        self
    }

    /// The attribute `overlapping`; `false` unless set.
    pub fn overlapping(mut self, value: bool) -> FractionalMaxPool {
        self.0.set("overlapping", value.into());
        self
    }

    /// The attribute `deterministic`; `false` unless set.
    pub fn deterministic(mut self, value: bool) -> FractionalMaxPool {
        self.0.set("deterministic", value.into());
        self
    }

    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> FractionalMaxPool {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> FractionalMaxPool {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FractionalMaxPool {
        FractionalMaxPool(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `row_pooling_sequence`, `col_pooling_sequence`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
