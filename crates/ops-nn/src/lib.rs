//! Normalisation, softmax, losses and recurrent cells.

mod bias;
mod channels;
mod columns;
mod cross_entropy;
mod ctc;
mod float;
mod fused_batch_norm;
mod fused_batch_norm_grad;
mod fused_batch_norm_grad_grad;
mod global_batch_norm;
mod gru;
mod in_top_k;
mod lrn;
mod lstm;
mod softmax;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    bias::register(registry)?;
    softmax::register(registry)?;
    cross_entropy::register(registry)?;
    fused_batch_norm::register(registry)?;
    fused_batch_norm_grad::register(registry)?;
    global_batch_norm::register(registry)?;
    lrn::register(registry)?;
    lstm::register(registry)?;
    gru::register(registry)?;
    ctc::register(registry)?;
    in_top_k::register(registry)
}
