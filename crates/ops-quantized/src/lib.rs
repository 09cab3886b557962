//! Quantized tensors: integers of few bits that stand for the numbers between a smallest and a largest one, which come
//! along as float scalars.

mod activation;
mod arithmetic;
mod batch_norm;
mod bias_add;
mod concat;
mod conv;
mod dequantize;
mod element;
mod instance_norm;
mod mat_mul;
mod pool;
mod quantize;
mod range;
mod requantize;
mod reshape;
#[cfg(test)]
mod testing;
mod window;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    activation::register(registry)?;
    arithmetic::register(registry)?;
    batch_norm::register(registry)?;
    bias_add::register(registry)?;
    concat::register(registry)?;
    conv::register(registry)?;
    dequantize::register(registry)?;
    instance_norm::register(registry)?;
    mat_mul::register(registry)?;
    pool::register(registry)?;
    quantize::register(registry)?;
    requantize::register(registry)?;
    reshape::register(registry)
}
