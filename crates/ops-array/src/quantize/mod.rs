//! Simulated quantization: values rounded as an integer type of few bits would, kept as floats.

mod dequantized;
mod fake_quant;
mod fake_quant_gradient;
mod nudge;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    dequantized::register(registry)?;
    fake_quant::register(registry)?;
    fake_quant_gradient::register(registry)
}
