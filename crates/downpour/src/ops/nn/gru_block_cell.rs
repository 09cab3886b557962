//! `GRUBlockCell`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GRUBlockCell(x, h_prev, w_ru, w_c, b_ru, b_c) -> (r, u, c, h)`.
///
/// * `x`: `T` (float)
/// * `h_prev`: `T` (float)
/// * `w_ru`: `T` (float)
/// * `w_c`: `T` (float)
/// * `b_ru`: `T` (float)
/// * `b_c`: `T` (float)
/// * gives `r`: `T` (float)
/// * gives `u`: `T` (float)
/// * gives `c`: `T` (float)
/// * gives `h`: `T` (float)
///
/// Has no gradient.
pub fn gru_block_cell(
    x: &Output,
    h_prev: &Output,
    w_ru: &Output,
    w_c: &Output,
    b_ru: &Output,
    b_c: &Output,
) -> GRUBlockCell {
    let node = NodeBuilder::new("GRUBlockCell")
        .input(x)
        .input(h_prev)
        .input(w_ru)
        .input(w_c)
        .input(b_ru)
        .input(b_c);
    GRUBlockCell(node)
}

/// The values of a `GRUBlockCell`.
pub struct GRUBlockCellValues {
    /// `r`.
    pub r: Output,
    /// `u`.
    pub u: Output,
    /// `c`.
    pub c: Output,
    /// `h`.
    pub h: Output,
}

/// A `GRUBlockCell` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GRUBlockCell(NodeBuilder);

impl GRUBlockCell {
    /// Names the node.
    pub fn name(self, name: &str) -> GRUBlockCell {
        GRUBlockCell(self.0.name(name))
    }

    /// Adds the node and gives (`r`, `u`, `c`, `h`).
    pub fn build(self) -> Result<GRUBlockCellValues> {
        let operation = self.0.operation()?;
        Ok(GRUBlockCellValues {
            r: operation.output(0)?,
            u: operation.output(1)?,
            c: operation.output(2)?,
            h: operation.output(3)?,
        })
    }
}
