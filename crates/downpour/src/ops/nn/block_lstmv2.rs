//! `BlockLSTMV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BlockLSTMV2(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b) -> (i, cs, f, o, ci, co, h)`.
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
/// * gives `i`: `T` (half, float)
/// * gives `cs`: `T` (half, float)
/// * gives `f`: `T` (half, float)
/// * gives `o`: `T` (half, float)
/// * gives `ci`: `T` (half, float)
/// * gives `co`: `T` (half, float)
/// * gives `h`: `T` (half, float)
///
/// Differentiable.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn block_lstmv2(
    seq_len_max: &Output,
    x: &Output,
    cs_prev: &Output,
    h_prev: &Output,
    w: &Output,
    wci: &Output,
    wcf: &Output,
    wco: &Output,
    b: &Output,
) -> BlockLSTMV2 {
    let node = NodeBuilder::new("BlockLSTMV2")
        .input(seq_len_max)
        .input(x)
        .input(cs_prev)
        .input(h_prev)
        .input(w)
        .input(wci)
        .input(wcf)
        .input(wco)
        .input(b);
    BlockLSTMV2(node)
}

/// The values of a `BlockLSTMV2`.
pub struct BlockLSTMV2Values {
    /// `i`.
    pub i: Output,
    /// `cs`.
    pub cs: Output,
    /// `f`.
    pub f: Output,
    /// `o`.
    pub o: Output,
    /// `ci`.
    pub ci: Output,
    /// `co`.
    pub co: Output,
    /// `h`.
    pub h: Output,
}

/// A `BlockLSTMV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BlockLSTMV2(NodeBuilder);

impl BlockLSTMV2 {
    /// The attribute `cell_clip`; `0.0` unless set.
    pub fn cell_clip(mut self, value: f32) -> BlockLSTMV2 {
        self.0.set("cell_clip", value.into());
        self
    }

    /// The attribute `use_peephole`; `false` unless set.
    pub fn use_peephole(mut self, value: bool) -> BlockLSTMV2 {
        self.0.set("use_peephole", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BlockLSTMV2 {
        BlockLSTMV2(self.0.name(name))
    }

    /// Adds the node and gives (`i`, `cs`, `f`, `o`, `ci`, `co`, `h`).
    pub fn build(self) -> Result<BlockLSTMV2Values> {
        let operation = self.0.operation()?;
        Ok(BlockLSTMV2Values {
            i: operation.output(0)?,
            cs: operation.output(1)?,
            f: operation.output(2)?,
            o: operation.output(3)?,
            ci: operation.output(4)?,
            co: operation.output(5)?,
            h: operation.output(6)?,
        })
    }
}
