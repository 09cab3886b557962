//! Operations of the family `nn`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `BatchNormWithGlobalNormalization(t, m, v, beta, gamma) -> (result)`.
///
/// * `t`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `m`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `v`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `gamma`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `variance_epsilon`: attribute, float
/// * `scale_after_normalization`: attribute, bool
/// * gives `result`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn batch_norm_with_global_normalization(
    t: &Output,
    m: &Output,
    v: &Output,
    beta: &Output,
    gamma: &Output,
    variance_epsilon: f32,
    scale_after_normalization: bool,
) -> ForOutput {
    let mut node = NodeBuilder::new("BatchNormWithGlobalNormalization")
        .input(t)
        .input(m)
        .input(v)
        .input(beta)
        .input(gamma);
    node.set("variance_epsilon", variance_epsilon.into());
    node.set("scale_after_normalization", scale_after_normalization.into());
    ForOutput(node)
}

/// `BatchNormWithGlobalNormalizationGrad(t, m, v, gamma, backprop) -> (dx, dm, dv, db, dg)`.
///
/// * `t`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `m`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `v`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `gamma`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `backprop`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `variance_epsilon`: attribute, float
/// * `scale_after_normalization`: attribute, bool
/// * gives `dx`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `dm`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `dv`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `db`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `dg`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient.
pub fn batch_norm_with_global_normalization_grad(
    t: &Output,
    m: &Output,
    v: &Output,
    gamma: &Output,
    backprop: &Output,
    variance_epsilon: f32,
    scale_after_normalization: bool,
) -> BatchNormWithGlobalNormalizationGrad {
    let mut node = NodeBuilder::new("BatchNormWithGlobalNormalizationGrad")
        .input(t)
        .input(m)
        .input(v)
        .input(gamma)
        .input(backprop);
    node.set("variance_epsilon", variance_epsilon.into());
    node.set("scale_after_normalization", scale_after_normalization.into());
    BatchNormWithGlobalNormalizationGrad(node)
}

/// The values of a `BatchNormWithGlobalNormalizationGrad`.
pub struct BatchNormWithGlobalNormalizationGradValues {
    /// `dx`.
    pub dx: Output,
    /// `dm`.
    pub dm: Output,
    /// `dv`.
    pub dv: Output,
    /// `db`.
    pub db: Output,
    /// `dg`.
    pub dg: Output,
}

/// A `BatchNormWithGlobalNormalizationGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchNormWithGlobalNormalizationGrad(NodeBuilder);

impl BatchNormWithGlobalNormalizationGrad {
    /// Names the node.
    pub fn name(self, name: &str) -> BatchNormWithGlobalNormalizationGrad {
        BatchNormWithGlobalNormalizationGrad(self.0.name(name))
    }

    /// Adds the node and gives (`dx`, `dm`, `dv`, `db`, `dg`).
    pub fn build(self) -> Result<BatchNormWithGlobalNormalizationGradValues> {
        let operation = self.0.operation()?;
        Ok(BatchNormWithGlobalNormalizationGradValues {
            dx: operation.output(0)?,
            dm: operation.output(1)?,
            dv: operation.output(2)?,
            db: operation.output(3)?,
            dg: operation.output(4)?,
        })
    }
}

/// `BiasAdd(value, bias) -> (output)`.
///
/// * `value`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `bias`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn bias_add(value: &Output, bias: &Output) -> BiasAdd {
    let node = NodeBuilder::new("BiasAdd").input(value).input(bias);
    BiasAdd(node)
}

/// A `BiasAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BiasAdd(NodeBuilder);

impl BiasAdd {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> BiasAdd {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BiasAdd {
        BiasAdd(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BiasAddGrad(out_backprop) -> (output)`.
///
/// * `out_backprop`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn bias_add_grad(out_backprop: &Output) -> BiasAddGrad {
    let node = NodeBuilder::new("BiasAddGrad").input(out_backprop);
    BiasAddGrad(node)
}

/// A `BiasAddGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BiasAddGrad(NodeBuilder);

impl BiasAddGrad {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> BiasAddGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BiasAddGrad {
        BiasAddGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BiasAddV1(value, bias) -> (output)`.
///
/// * `value`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `bias`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn bias_add_v1(value: &Output, bias: &Output) -> ForOutput {
    let node = NodeBuilder::new("BiasAddV1").input(value).input(bias);
    ForOutput(node)
}

/// `BlockLSTM(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b) -> (i, cs, f, o, ci, co, h)`.
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
pub fn block_lstm(
    seq_len_max: &Output,
    x: &Output,
    cs_prev: &Output,
    h_prev: &Output,
    w: &Output,
    wci: &Output,
    wcf: &Output,
    wco: &Output,
    b: &Output,
) -> BlockLSTM {
    let node = NodeBuilder::new("BlockLSTM")
        .input(seq_len_max)
        .input(x)
        .input(cs_prev)
        .input(h_prev)
        .input(w)
        .input(wci)
        .input(wcf)
        .input(wco)
        .input(b);
    BlockLSTM(node)
}

/// The values of a `BlockLSTM`.
pub struct BlockLSTMValues {
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

/// A `BlockLSTM` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BlockLSTM(NodeBuilder);

impl BlockLSTM {
    /// The attribute `forget_bias`; `1.0` unless set.
    pub fn forget_bias(mut self, value: f32) -> BlockLSTM {
        self.0.set("forget_bias", value.into());
        self
    }

    /// The attribute `cell_clip`; `3.0` unless set.
    pub fn cell_clip(mut self, value: f32) -> BlockLSTM {
        self.0.set("cell_clip", value.into());
        self
    }

    /// The attribute `use_peephole`; `false` unless set.
    pub fn use_peephole(mut self, value: bool) -> BlockLSTM {
        self.0.set("use_peephole", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BlockLSTM {
        BlockLSTM(self.0.name(name))
    }

    /// Adds the node and gives (`i`, `cs`, `f`, `o`, `ci`, `co`, `h`).
    pub fn build(self) -> Result<BlockLSTMValues> {
        let operation = self.0.operation()?;
        Ok(BlockLSTMValues {
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

/// `BlockLSTMGrad(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad) -> (x_grad, cs_prev_grad, h_prev_grad, w_grad, wci_grad, wcf_grad, wco_grad, b_grad)`.
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
pub fn block_lstm_grad(
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
) -> BlockLSTMGrad {
    let mut node = NodeBuilder::new("BlockLSTMGrad")
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
    BlockLSTMGrad(node)
}

/// The values of a `BlockLSTMGrad`.
pub struct BlockLSTMGradValues {
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

/// A `BlockLSTMGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BlockLSTMGrad(NodeBuilder);

impl BlockLSTMGrad {
    /// Names the node.
    pub fn name(self, name: &str) -> BlockLSTMGrad {
        BlockLSTMGrad(self.0.name(name))
    }

    /// Adds the node and gives (`x_grad`, `cs_prev_grad`, `h_prev_grad`, `w_grad`, `wci_grad`, `wcf_grad`, `wco_grad`, `b_grad`).
    pub fn build(self) -> Result<BlockLSTMGradValues> {
        let operation = self.0.operation()?;
        Ok(BlockLSTMGradValues {
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

/// `CTCBeamSearchDecoder(inputs, sequence_length) -> (decoded_indices, decoded_values, decoded_shape, log_probability)`.
///
/// * `inputs`: `T` (float, double)
/// * `sequence_length`: int32
/// * `beam_width`: attribute, int, at least 1
/// * `top_paths`: attribute, int, at least 1
/// * gives `decoded_indices`: `top_paths` values of int64
/// * gives `decoded_values`: `top_paths` values of int64
/// * gives `decoded_shape`: `top_paths` values of int64
/// * gives `log_probability`: `T` (float, double)
///
/// Gradients do not flow through it.
pub fn ctc_beam_search_decoder(
    inputs: &Output,
    sequence_length: &Output,
    beam_width: i64,
    top_paths: i64,
) -> CTCBeamSearchDecoder {
    let mut node = NodeBuilder::new("CTCBeamSearchDecoder").input(inputs).input(sequence_length);
    node.set("beam_width", beam_width.into());
    node.set("top_paths", top_paths.into());
    CTCBeamSearchDecoder(node)
}

/// The values of a `CTCBeamSearchDecoder`.
pub struct CTCBeamSearchDecoderValues {
    /// `decoded_indices`.
    pub decoded_indices: Vec<Output>,
    /// `decoded_values`.
    pub decoded_values: Vec<Output>,
    /// `decoded_shape`.
    pub decoded_shape: Vec<Output>,
    /// `log_probability`.
    pub log_probability: Output,
}

/// A `CTCBeamSearchDecoder` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CTCBeamSearchDecoder(NodeBuilder);

impl CTCBeamSearchDecoder {
    /// The attribute `merge_repeated`; `true` unless set.
    pub fn merge_repeated(mut self, value: bool) -> CTCBeamSearchDecoder {
        self.0.set("merge_repeated", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CTCBeamSearchDecoder {
        CTCBeamSearchDecoder(self.0.name(name))
    }

    /// Adds the node and gives (`decoded_indices`, `decoded_values`, `decoded_shape`, `log_probability`).
    pub fn build(self) -> Result<CTCBeamSearchDecoderValues> {
        let operation = self.0.operation()?;
        Ok(CTCBeamSearchDecoderValues {
            decoded_indices: operation.named_outputs("decoded_indices")?,
            decoded_values: operation.named_outputs("decoded_values")?,
            decoded_shape: operation.named_outputs("decoded_shape")?,
            log_probability: only(operation.named_outputs("log_probability")?)?,
        })
    }
}

/// `CTCGreedyDecoder(inputs, sequence_length) -> (decoded_indices, decoded_values, decoded_shape, log_probability)`.
///
/// * `inputs`: `T` (float, double)
/// * `sequence_length`: int32
/// * gives `decoded_indices`: int64
/// * gives `decoded_values`: int64
/// * gives `decoded_shape`: int64
/// * gives `log_probability`: `T` (float, double)
///
/// Gradients do not flow through it.
pub fn ctc_greedy_decoder(inputs: &Output, sequence_length: &Output) -> CTCGreedyDecoder {
    let node = NodeBuilder::new("CTCGreedyDecoder").input(inputs).input(sequence_length);
    CTCGreedyDecoder(node)
}

/// The values of a `CTCGreedyDecoder`.
pub struct CTCGreedyDecoderValues {
    /// `decoded_indices`.
    pub decoded_indices: Output,
    /// `decoded_values`.
    pub decoded_values: Output,
    /// `decoded_shape`.
    pub decoded_shape: Output,
    /// `log_probability`.
    pub log_probability: Output,
}

/// A `CTCGreedyDecoder` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CTCGreedyDecoder(NodeBuilder);

impl CTCGreedyDecoder {
    /// The attribute `merge_repeated`; `false` unless set.
    pub fn merge_repeated(mut self, value: bool) -> CTCGreedyDecoder {
        self.0.set("merge_repeated", value.into());
        self
    }

    /// The attribute `blank_index`; `-1` unless set.
    pub fn blank_index(mut self, value: i64) -> CTCGreedyDecoder {
        self.0.set("blank_index", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CTCGreedyDecoder {
        CTCGreedyDecoder(self.0.name(name))
    }

    /// Adds the node and gives (`decoded_indices`, `decoded_values`, `decoded_shape`, `log_probability`).
    pub fn build(self) -> Result<CTCGreedyDecoderValues> {
        let operation = self.0.operation()?;
        Ok(CTCGreedyDecoderValues {
            decoded_indices: operation.output(0)?,
            decoded_values: operation.output(1)?,
            decoded_shape: operation.output(2)?,
            log_probability: operation.output(3)?,
        })
    }
}

/// `CTCLoss(inputs, labels_indices, labels_values, sequence_length) -> (loss, gradient)`.
///
/// * `inputs`: `T` (float, double)
/// * `labels_indices`: int64
/// * `labels_values`: int32
/// * `sequence_length`: int32
/// * gives `loss`: `T` (float, double)
/// * gives `gradient`: `T` (float, double)
///
/// Differentiable.
pub fn ctc_loss(
    inputs: &Output,
    labels_indices: &Output,
    labels_values: &Output,
    sequence_length: &Output,
) -> CTCLoss {
    let node = NodeBuilder::new("CTCLoss")
        .input(inputs)
        .input(labels_indices)
        .input(labels_values)
        .input(sequence_length);
    CTCLoss(node)
}

/// A `CTCLoss` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CTCLoss(NodeBuilder);

impl CTCLoss {
    /// The attribute `preprocess_collapse_repeated`; `false` unless set.
    pub fn preprocess_collapse_repeated(mut self, value: bool) -> CTCLoss {
        self.0.set("preprocess_collapse_repeated", value.into());
        self
    }

    /// The attribute `ctc_merge_repeated`; `true` unless set.
    pub fn ctc_merge_repeated(mut self, value: bool) -> CTCLoss {
        self.0.set("ctc_merge_repeated", value.into());
        self
    }

    /// The attribute `ignore_longer_outputs_than_inputs`; `false` unless set.
    pub fn ignore_longer_outputs_than_inputs(mut self, value: bool) -> CTCLoss {
        self.0.set("ignore_longer_outputs_than_inputs", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CTCLoss {
        CTCLoss(self.0.name(name))
    }

    /// Adds the node and gives (`loss`, `gradient`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `CTCLossV2(inputs, labels_indices, labels_values, sequence_length) -> (loss, gradient)`.
///
/// * `inputs`: float
/// * `labels_indices`: int64
/// * `labels_values`: int32
/// * `sequence_length`: int32
/// * gives `loss`: float
/// * gives `gradient`: float
///
/// Differentiable.
pub fn ctc_loss_v2(
    inputs: &Output,
    labels_indices: &Output,
    labels_values: &Output,
    sequence_length: &Output,
) -> CTCLossV2 {
    let node = NodeBuilder::new("CTCLossV2")
        .input(inputs)
        .input(labels_indices)
        .input(labels_values)
        .input(sequence_length);
    CTCLossV2(node)
}

/// A `CTCLossV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CTCLossV2(NodeBuilder);

impl CTCLossV2 {
    /// The attribute `preprocess_collapse_repeated`; `false` unless set.
    pub fn preprocess_collapse_repeated(mut self, value: bool) -> CTCLossV2 {
        self.0.set("preprocess_collapse_repeated", value.into());
        self
    }

    /// The attribute `ctc_merge_repeated`; `true` unless set.
    pub fn ctc_merge_repeated(mut self, value: bool) -> CTCLossV2 {
        self.0.set("ctc_merge_repeated", value.into());
        self
    }

    /// The attribute `ignore_longer_outputs_than_inputs`; `false` unless set.
    pub fn ignore_longer_outputs_than_inputs(mut self, value: bool) -> CTCLossV2 {
        self.0.set("ignore_longer_outputs_than_inputs", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CTCLossV2 {
        CTCLossV2(self.0.name(name))
    }

    /// Adds the node and gives (`loss`, `gradient`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

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

/// `FusedBatchNormGrad(y_backprop, x, scale, reserve_space_1, reserve_space_2) -> (x_backprop, scale_backprop, offset_backprop, reserve_space_3, reserve_space_4)`.
///
/// * `y_backprop`: `T` (float)
/// * `x`: `T` (float)
/// * `scale`: `T` (float)
/// * `reserve_space_1`: `T` (float)
/// * `reserve_space_2`: `T` (float)
/// * gives `x_backprop`: `T` (float)
/// * gives `scale_backprop`: `T` (float)
/// * gives `offset_backprop`: `T` (float)
/// * gives `reserve_space_3`: `T` (float)
/// * gives `reserve_space_4`: `T` (float)
///
/// Differentiable.
pub fn fused_batch_norm_grad(
    y_backprop: &Output,
    x: &Output,
    scale: &Output,
    reserve_space_1: &Output,
    reserve_space_2: &Output,
) -> FusedBatchNormGrad {
    let node = NodeBuilder::new("FusedBatchNormGrad")
        .input(y_backprop)
        .input(x)
        .input(scale)
        .input(reserve_space_1)
        .input(reserve_space_2);
    FusedBatchNormGrad(node)
}

/// The values of a `FusedBatchNormGrad`.
pub struct FusedBatchNormGradValues {
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

/// A `FusedBatchNormGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FusedBatchNormGrad(NodeBuilder);

impl FusedBatchNormGrad {
    /// The attribute `epsilon`; `0.0001` unless set.
    pub fn epsilon(mut self, value: f32) -> FusedBatchNormGrad {
        self.0.set("epsilon", value.into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> FusedBatchNormGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `is_training`; `true` unless set.
    pub fn is_training(mut self, value: bool) -> FusedBatchNormGrad {
        self.0.set("is_training", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FusedBatchNormGrad {
        FusedBatchNormGrad(self.0.name(name))
    }

    /// Adds the node and gives (`x_backprop`, `scale_backprop`, `offset_backprop`, `reserve_space_3`, `reserve_space_4`).
    pub fn build(self) -> Result<FusedBatchNormGradValues> {
        let operation = self.0.operation()?;
        Ok(FusedBatchNormGradValues {
            x_backprop: operation.output(0)?,
            scale_backprop: operation.output(1)?,
            offset_backprop: operation.output(2)?,
            reserve_space_3: operation.output(3)?,
            reserve_space_4: operation.output(4)?,
        })
    }
}

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

/// `FusedBatchNormV3(x, scale, offset, mean, variance) -> (y, batch_mean, batch_variance, reserve_space_1, reserve_space_2, reserve_space_3)`.
///
/// * `x`: `T` (half, bfloat16, float)
/// * `scale`: `U` (bfloat16, float)
/// * `offset`: `U` (bfloat16, float)
/// * `mean`: `U` (bfloat16, float)
/// * `variance`: `U` (bfloat16, float)
/// * gives `y`: `T` (half, bfloat16, float)
/// * gives `batch_mean`: `U` (bfloat16, float)
/// * gives `batch_variance`: `U` (bfloat16, float)
/// * gives `reserve_space_1`: `U` (bfloat16, float)
/// * gives `reserve_space_2`: `U` (bfloat16, float)
/// * gives `reserve_space_3`: `U` (bfloat16, float)
///
/// Differentiable.
pub fn fused_batch_norm_v3(
    x: &Output,
    scale: &Output,
    offset: &Output,
    mean: &Output,
    variance: &Output,
) -> FusedBatchNormV3 {
    let node = NodeBuilder::new("FusedBatchNormV3")
        .input(x)
        .input(scale)
        .input(offset)
        .input(mean)
        .input(variance);
    FusedBatchNormV3(node)
}

/// The values of a `FusedBatchNormV3`.
pub struct FusedBatchNormV3Values {
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
    /// `reserve_space_3`.
    pub reserve_space_3: Output,
}

/// A `FusedBatchNormV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FusedBatchNormV3(NodeBuilder);

impl FusedBatchNormV3 {
    /// The attribute `epsilon`; `0.0001` unless set.
    pub fn epsilon(mut self, value: f32) -> FusedBatchNormV3 {
        self.0.set("epsilon", value.into());
        self
    }

    /// The attribute `exponential_avg_factor`; `1.0` unless set.
    pub fn exponential_avg_factor(mut self, value: f32) -> FusedBatchNormV3 {
        self.0.set("exponential_avg_factor", value.into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> FusedBatchNormV3 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `is_training`; `true` unless set.
    pub fn is_training(mut self, value: bool) -> FusedBatchNormV3 {
        self.0.set("is_training", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FusedBatchNormV3 {
        FusedBatchNormV3(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `batch_mean`, `batch_variance`, `reserve_space_1`, `reserve_space_2`, `reserve_space_3`).
    pub fn build(self) -> Result<FusedBatchNormV3Values> {
        let operation = self.0.operation()?;
        Ok(FusedBatchNormV3Values {
            y: operation.output(0)?,
            batch_mean: operation.output(1)?,
            batch_variance: operation.output(2)?,
            reserve_space_1: operation.output(3)?,
            reserve_space_2: operation.output(4)?,
            reserve_space_3: operation.output(5)?,
        })
    }
}

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

/// `InTopK(predictions, targets) -> (precision)`.
///
/// * `predictions`: float
/// * `targets`: `T` (int32, int64)
/// * `k`: attribute, int
/// * gives `precision`: bool
///
/// Gradients do not flow through it.
pub fn in_top_k(predictions: &Output, targets: &Output, k: i64) -> ForOutput {
    let mut node = NodeBuilder::new("InTopK").input(predictions).input(targets);
    node.set("k", k.into());
    ForOutput(node)
}

/// `InTopKV2(predictions, targets, k) -> (precision)`.
///
/// * `predictions`: float
/// * `targets`: `T` (int32, int64)
/// * `k`: `T` (int32, int64)
/// * gives `precision`: bool
///
/// Gradients do not flow through it.
pub fn in_top_kv2(predictions: &Output, targets: &Output, k: &Output) -> ForOutput {
    let node = NodeBuilder::new("InTopKV2").input(predictions).input(targets).input(k);
    ForOutput(node)
}

/// `LRN(input) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float)
/// * gives `output`: `T` (half, bfloat16, float)
///
/// Differentiable.
pub fn lrn(input: &Output) -> LRN {
    let node = NodeBuilder::new("LRN").input(input);
    LRN(node)
}

/// A `LRN` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LRN(NodeBuilder);

impl LRN {
    /// The attribute `depth_radius`; `5` unless set.
    pub fn depth_radius(mut self, value: i64) -> LRN {
        self.0.set("depth_radius", value.into());
        self
    }

    /// The attribute `bias`; `1.0` unless set.
    pub fn bias(mut self, value: f32) -> LRN {
        self.0.set("bias", value.into());
        self
    }

    /// The attribute `alpha`; `1.0` unless set.
    pub fn alpha(mut self, value: f32) -> LRN {
        self.0.set("alpha", value.into());
        self
    }

    /// The attribute `beta`; `0.5` unless set.
    pub fn beta(mut self, value: f32) -> LRN {
        self.0.set("beta", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LRN {
        LRN(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `LRNGrad(input_grads, input_image, output_image) -> (output)`.
///
/// * `input_grads`: `T` (half, bfloat16, float)
/// * `input_image`: `T` (half, bfloat16, float)
/// * `output_image`: `T` (half, bfloat16, float)
/// * gives `output`: `T` (half, bfloat16, float)
///
/// Has no gradient.
pub fn lrn_grad(input_grads: &Output, input_image: &Output, output_image: &Output) -> LRNGrad {
    let node =
        NodeBuilder::new("LRNGrad").input(input_grads).input(input_image).input(output_image);
    LRNGrad(node)
}

/// A `LRNGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LRNGrad(NodeBuilder);

impl LRNGrad {
    /// The attribute `depth_radius`; `5` unless set.
    pub fn depth_radius(mut self, value: i64) -> LRNGrad {
        self.0.set("depth_radius", value.into());
        self
    }

    /// The attribute `bias`; `1.0` unless set.
    pub fn bias(mut self, value: f32) -> LRNGrad {
        self.0.set("bias", value.into());
        self
    }

    /// The attribute `alpha`; `1.0` unless set.
    pub fn alpha(mut self, value: f32) -> LRNGrad {
        self.0.set("alpha", value.into());
        self
    }

    /// The attribute `beta`; `0.5` unless set.
    pub fn beta(mut self, value: f32) -> LRNGrad {
        self.0.set("beta", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LRNGrad {
        LRNGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `LSTMBlockCell(x, cs_prev, h_prev, w, wci, wcf, wco, b) -> (i, cs, f, o, ci, co, h)`.
///
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
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn lstm_block_cell(
    x: &Output,
    cs_prev: &Output,
    h_prev: &Output,
    w: &Output,
    wci: &Output,
    wcf: &Output,
    wco: &Output,
    b: &Output,
) -> LSTMBlockCell {
    let node = NodeBuilder::new("LSTMBlockCell")
        .input(x)
        .input(cs_prev)
        .input(h_prev)
        .input(w)
        .input(wci)
        .input(wcf)
        .input(wco)
        .input(b);
    LSTMBlockCell(node)
}

/// The values of a `LSTMBlockCell`.
pub struct LSTMBlockCellValues {
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

/// A `LSTMBlockCell` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LSTMBlockCell(NodeBuilder);

impl LSTMBlockCell {
    /// The attribute `forget_bias`; `1.0` unless set.
    pub fn forget_bias(mut self, value: f32) -> LSTMBlockCell {
        self.0.set("forget_bias", value.into());
        self
    }

    /// The attribute `cell_clip`; `3.0` unless set.
    pub fn cell_clip(mut self, value: f32) -> LSTMBlockCell {
        self.0.set("cell_clip", value.into());
        self
    }

    /// The attribute `use_peephole`; `false` unless set.
    pub fn use_peephole(mut self, value: bool) -> LSTMBlockCell {
        self.0.set("use_peephole", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LSTMBlockCell {
        LSTMBlockCell(self.0.name(name))
    }

    /// Adds the node and gives (`i`, `cs`, `f`, `o`, `ci`, `co`, `h`).
    pub fn build(self) -> Result<LSTMBlockCellValues> {
        let operation = self.0.operation()?;
        Ok(LSTMBlockCellValues {
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

/// `LogSoftmax(logits) -> (logsoftmax)`.
///
/// * `logits`: `T` (half, bfloat16, float, double)
/// * gives `logsoftmax`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn log_softmax(logits: &Output) -> ForOutput {
    let node = NodeBuilder::new("LogSoftmax").input(logits);
    ForOutput(node)
}

/// `Softmax(logits) -> (softmax)`.
///
/// * `logits`: `T` (half, bfloat16, float, double)
/// * gives `softmax`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn softmax(logits: &Output) -> ForOutput {
    let node = NodeBuilder::new("Softmax").input(logits);
    ForOutput(node)
}

/// `SoftmaxCrossEntropyWithLogits(features, labels) -> (loss, backprop)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * `labels`: `T` (half, bfloat16, float, double)
/// * gives `loss`: `T` (half, bfloat16, float, double)
/// * gives `backprop`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn softmax_cross_entropy_with_logits(
    features: &Output,
    labels: &Output,
) -> SoftmaxCrossEntropyWithLogits {
    let node = NodeBuilder::new("SoftmaxCrossEntropyWithLogits").input(features).input(labels);
    SoftmaxCrossEntropyWithLogits(node)
}

/// A `SoftmaxCrossEntropyWithLogits` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SoftmaxCrossEntropyWithLogits(NodeBuilder);

impl SoftmaxCrossEntropyWithLogits {
    /// Names the node.
    pub fn name(self, name: &str) -> SoftmaxCrossEntropyWithLogits {
        SoftmaxCrossEntropyWithLogits(self.0.name(name))
    }

    /// Adds the node and gives (`loss`, `backprop`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseSoftmaxCrossEntropyWithLogits(features, labels) -> (loss, backprop)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * `labels`: `Tlabels` (int32, int64)
/// * gives `loss`: `T` (half, bfloat16, float, double)
/// * gives `backprop`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn sparse_softmax_cross_entropy_with_logits(
    features: &Output,
    labels: &Output,
) -> SparseSoftmaxCrossEntropyWithLogits {
    let node =
        NodeBuilder::new("SparseSoftmaxCrossEntropyWithLogits").input(features).input(labels);
    SparseSoftmaxCrossEntropyWithLogits(node)
}

/// A `SparseSoftmaxCrossEntropyWithLogits` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSoftmaxCrossEntropyWithLogits(NodeBuilder);

impl SparseSoftmaxCrossEntropyWithLogits {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSoftmaxCrossEntropyWithLogits {
        SparseSoftmaxCrossEntropyWithLogits(self.0.name(name))
    }

    /// Adds the node and gives (`loss`, `backprop`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
