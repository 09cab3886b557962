//! `GRUBlockCellGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GRUBlockCellGrad(x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h) -> (d_x, d_h_prev, d_c_bar, d_r_bar_u_bar)`.
///
/// * `x`: `T` (float)
/// * `h_prev`: `T` (float)
/// * `w_ru`: `T` (float)
/// * `w_c`: `T` (float)
/// * `b_ru`: `T` (float)
/// * `b_c`: `T` (float)
/// * `r`: `T` (float)
/// * `u`: `T` (float)
/// * `c`: `T` (float)
/// * `d_h`: `T` (float)
/// * gives `d_x`: `T` (float)
/// * gives `d_h_prev`: `T` (float)
/// * gives `d_c_bar`: `T` (float)
/// * gives `d_r_bar_u_bar`: `T` (float)
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn gru_block_cell_grad(
    x: &Output,
    h_prev: &Output,
    w_ru: &Output,
    w_c: &Output,
    b_ru: &Output,
    b_c: &Output,
    r: &Output,
    u: &Output,
    c: &Output,
    d_h: &Output,
) -> GRUBlockCellGrad {
    let node = NodeBuilder::new("GRUBlockCellGrad")
        .input(x)
        .input(h_prev)
        .input(w_ru)
        .input(w_c)
        .input(b_ru)
        .input(b_c)
        .input(r)
        .input(u)
        .input(c)
        .input(d_h);
    GRUBlockCellGrad(node)
}

/// The values of a `GRUBlockCellGrad`.
pub struct GRUBlockCellGradValues {
    /// `d_x`.
    pub d_x: Output,
    /// `d_h_prev`.
    pub d_h_prev: Output,
    /// `d_c_bar`.
    pub d_c_bar: Output,
    /// `d_r_bar_u_bar`.
    pub d_r_bar_u_bar: Output,
}

/// A `GRUBlockCellGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GRUBlockCellGrad(NodeBuilder);

impl GRUBlockCellGrad {
    /// Names the node.
    pub fn name(self, name: &str) -> GRUBlockCellGrad {
        GRUBlockCellGrad(self.0.name(name))
    }

    /// Adds the node and gives (`d_x`, `d_h_prev`, `d_c_bar`, `d_r_bar_u_bar`).
    pub fn build(self) -> Result<GRUBlockCellGradValues> {
        let operation = self.0.operation()?;
        Ok(GRUBlockCellGradValues {
            d_x: operation.output(0)?,
            d_h_prev: operation.output(1)?,
            d_c_bar: operation.output(2)?,
            d_r_bar_u_bar: operation.output(3)?,
        })
    }
}
