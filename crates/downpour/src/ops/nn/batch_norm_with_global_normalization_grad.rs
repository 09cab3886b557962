//! `BatchNormWithGlobalNormalizationGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

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
