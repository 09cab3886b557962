//! `QuantizedBatchNormWithGlobalNormalization`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedBatchNormWithGlobalNormalization(t, t_min, t_max, m, m_min, m_max, v, v_min, v_max, beta, beta_min, beta_max, gamma, gamma_min, gamma_max) -> (result, result_min, result_max)`.
///
/// * `t`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `t_min`: float
/// * `t_max`: float
/// * `m`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `m_min`: float
/// * `m_max`: float
/// * `v`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `v_min`: float
/// * `v_max`: float
/// * `beta`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `beta_min`: float
/// * `beta_max`: float
/// * `gamma`: `Tinput` (qint8, quint8, qint32, qint16, quint16)
/// * `gamma_min`: float
/// * `gamma_max`: float
/// * `out_type`: attribute, type, one of qint8, quint8, qint32, qint16, quint16
/// * `variance_epsilon`: attribute, float
/// * `scale_after_normalization`: attribute, bool
/// * gives `result`: `out_type` (qint8, quint8, qint32, qint16, quint16)
/// * gives `result_min`: float
/// * gives `result_max`: float
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn quantized_batch_norm_with_global_normalization(t: &Output, t_min: &Output, t_max: &Output, m: &Output, m_min: &Output, m_max: &Output, v: &Output, v_min: &Output, v_max: &Output, beta: &Output, beta_min: &Output, beta_max: &Output, gamma: &Output, gamma_min: &Output, gamma_max: &Output, out_type: DataType, variance_epsilon: f32, scale_after_normalization: bool) -> QuantizedBatchNormWithGlobalNormalization {
    let mut node = NodeBuilder::new("QuantizedBatchNormWithGlobalNormalization").input(t).input(t_min).input(t_max).input(m).input(m_min).input(m_max).input(v).input(v_min).input(v_max).input(beta).input(beta_min).input(beta_max).input(gamma).input(gamma_min).input(gamma_max);
    node.set("out_type", out_type.into());
    node.set("variance_epsilon", variance_epsilon.into());
    node.set("scale_after_normalization", scale_after_normalization.into());
    QuantizedBatchNormWithGlobalNormalization(node)
}

/// A `QuantizedBatchNormWithGlobalNormalization` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedBatchNormWithGlobalNormalization(NodeBuilder);

impl QuantizedBatchNormWithGlobalNormalization {
    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedBatchNormWithGlobalNormalization {
        QuantizedBatchNormWithGlobalNormalization(self.0.name(name))
    }

    /// Adds the node and gives (`result`, `result_min`, `result_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
