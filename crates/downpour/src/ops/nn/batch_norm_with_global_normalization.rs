//! `BatchNormWithGlobalNormalization`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

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
