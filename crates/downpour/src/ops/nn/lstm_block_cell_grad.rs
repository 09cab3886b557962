//! `LSTMBlockCellGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LSTMBlockCellGrad(x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad) -> (cs_prev_grad, dicfo, wci_grad, wcf_grad, wco_grad)`.
///
/// * `x`: `T` (half, float)
/// * `cs_prev`: `T` (half, float)
/// * `h_prev`: `T` (half, float)
/// * `w`: `T` (half, float)
/// * `wci`: `T` (half, float)
/// * `wcf`: `T` (half, float)
/// * `wco`: `T` (half, float)
/// * `b`: `T` (half, float)
/// * `i`: `T` (half, float)
/// * `cs`: `T` (half, float)
/// * `f`: `T` (half, float)
/// * `o`: `T` (half, float)
/// * `ci`: `T` (half, float)
/// * `co`: `T` (half, float)
/// * `cs_grad`: `T` (half, float)
/// * `h_grad`: `T` (half, float)
/// * `use_peephole`: attribute, bool
/// * gives `cs_prev_grad`: `T` (half, float)
/// * gives `dicfo`: `T` (half, float)
/// * gives `wci_grad`: `T` (half, float)
/// * gives `wcf_grad`: `T` (half, float)
/// * gives `wco_grad`: `T` (half, float)
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn lstm_block_cell_grad(
    x: &Output,
    cs_prev: &Output,
    h_prev: &Output,
    w: &Output,
    wci: &Output,
    wcf: &Output,
    wco: &Output,
    b: &Output,
    i: &Output,
    cs: &Output,
    f: &Output,
    o: &Output,
    ci: &Output,
    co: &Output,
    cs_grad: &Output,
    h_grad: &Output,
    use_peephole: bool,
) -> LSTMBlockCellGrad {
    let mut node = NodeBuilder::new("LSTMBlockCellGrad")
        .input(x)
        .input(cs_prev)
        .input(h_prev)
        .input(w)
        .input(wci)
        .input(wcf)
        .input(wco)
        .input(b)
        .input(i)
        .input(cs)
        .input(f)
        .input(o)
        .input(ci)
        .input(co)
        .input(cs_grad)
        .input(h_grad);
    node.set("use_peephole", use_peephole.into());
    LSTMBlockCellGrad(node)
}

/// The values of a `LSTMBlockCellGrad`.
pub struct LSTMBlockCellGradValues {
    /// `cs_prev_grad`.
    pub cs_prev_grad: Output,
    /// `dicfo`.
    pub dicfo: Output,
    /// `wci_grad`.
    pub wci_grad: Output,
    /// `wcf_grad`.
    pub wcf_grad: Output,
    /// `wco_grad`.
    pub wco_grad: Output,
}

/// A `LSTMBlockCellGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LSTMBlockCellGrad(NodeBuilder);

impl LSTMBlockCellGrad {
    /// Names the node.
    pub fn name(self, name: &str) -> LSTMBlockCellGrad {
        LSTMBlockCellGrad(self.0.name(name))
    }

    /// Adds the node and gives (`cs_prev_grad`, `dicfo`, `wci_grad`, `wcf_grad`, `wco_grad`).
    pub fn build(self) -> Result<LSTMBlockCellGradValues> {
        let operation = self.0.operation()?;
        Ok(LSTMBlockCellGradValues {
            cs_prev_grad: operation.output(0)?,
            dicfo: operation.output(1)?,
            wci_grad: operation.output(2)?,
            wcf_grad: operation.output(3)?,
            wco_grad: operation.output(4)?,
        })
    }
}
