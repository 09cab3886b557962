//! `BlockLSTMGradV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BlockLSTMGradV2(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad) -> (x_grad, cs_prev_grad, h_prev_grad, w_grad, wci_grad, wcf_grad, wco_grad, b_grad)`.
///
/// * `seq_len_max`: int64
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
/// * `h`: `T` (half, float)
/// * `cs_grad`: `T` (half, float)
/// * `h_grad`: `T` (half, float)
/// * `use_peephole`: attribute, bool
/// * gives `x_grad`: `T` (half, float)
/// * gives `cs_prev_grad`: `T` (half, float)
/// * gives `h_prev_grad`: `T` (half, float)
/// * gives `w_grad`: `T` (half, float)
/// * gives `wci_grad`: `T` (half, float)
/// * gives `wcf_grad`: `T` (half, float)
/// * gives `wco_grad`: `T` (half, float)
/// * gives `b_grad`: `T` (half, float)
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn block_lstm_grad_v2(
    seq_len_max: &Output,
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
    h: &Output,
    cs_grad: &Output,
    h_grad: &Output,
    use_peephole: bool,
) -> BlockLSTMGradV2 {
    let mut node = NodeBuilder::new("BlockLSTMGradV2")
        .input(seq_len_max)
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
        .input(h)
        .input(cs_grad)
        .input(h_grad);
    node.set("use_peephole", use_peephole.into());
    BlockLSTMGradV2(node)
}

/// The values of a `BlockLSTMGradV2`.
pub struct BlockLSTMGradV2Values {
    /// `x_grad`.
    pub x_grad: Output,
    /// `cs_prev_grad`.
    pub cs_prev_grad: Output,
    /// `h_prev_grad`.
    pub h_prev_grad: Output,
    /// `w_grad`.
    pub w_grad: Output,
    /// `wci_grad`.
    pub wci_grad: Output,
    /// `wcf_grad`.
    pub wcf_grad: Output,
    /// `wco_grad`.
    pub wco_grad: Output,
    /// `b_grad`.
    pub b_grad: Output,
}

/// A `BlockLSTMGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BlockLSTMGradV2(NodeBuilder);

impl BlockLSTMGradV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> BlockLSTMGradV2 {
        BlockLSTMGradV2(self.0.name(name))
    }

    /// Adds the node and gives (`x_grad`, `cs_prev_grad`, `h_prev_grad`, `w_grad`, `wci_grad`, `wcf_grad`, `wco_grad`, `b_grad`).
    pub fn build(self) -> Result<BlockLSTMGradV2Values> {
        let operation = self.0.operation()?;
        Ok(BlockLSTMGradV2Values {
            x_grad: operation.output(0)?,
            cs_prev_grad: operation.output(1)?,
            h_prev_grad: operation.output(2)?,
            w_grad: operation.output(3)?,
            wci_grad: operation.output(4)?,
            wcf_grad: operation.output(5)?,
            wco_grad: operation.output(6)?,
            b_grad: operation.output(7)?,
        })
    }
}
