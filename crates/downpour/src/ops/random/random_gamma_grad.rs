//! `RandomGammaGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomGammaGrad(alpha, sample) -> (output)`.
///
/// * `alpha`: `T` (float, double)
/// * `sample`: `T` (float, double)
/// * gives `output`: `T` (float, double)
///
/// Has no gradient.
pub fn random_gamma_grad(alpha: &Output, sample: &Output) -> ForOutput {
    let node = NodeBuilder::new("RandomGammaGrad").input(alpha).input(sample);
    ForOutput(node)
}
