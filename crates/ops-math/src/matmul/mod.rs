//! Matrix products of two tensors.

mod batch;
mod einsum;
mod fused;
mod plain;
mod product;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    plain::register(registry)?;
    batch::register(registry)?;
    fused::register(registry)?;
    einsum::register(registry)
}

/// The number types that have matrix products (`downpour_gemm::GemmElement`).
macro_rules! dispatch_gemm {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        crate::number::dispatch_number!($dtype, $op, $t => $body)
    };
}
pub(crate) use dispatch_gemm;
