//! Sparse matrices with compressed rows (CSR), one or a batch of them, as values inside variants.

mod add;
mod cholesky;
mod components;
mod coo;
mod dense;
mod gradients;
mod mat_mul;
mod matrix;
mod mul;
mod nnz;
mod number;
mod ordering;
mod softmax;
mod sparse_mat_mul;
mod sparse_tensor;
#[cfg(test)]
mod testing;
mod transpose;
mod variant;
mod zeros;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    variant::register_decoder();
    add::register(registry)?;
    cholesky::register(registry)?;
    components::register(registry)?;
    dense::register(registry)?;
    mat_mul::register(registry)?;
    mul::register(registry)?;
    nnz::register(registry)?;
    ordering::register(registry)?;
    softmax::register(registry)?;
    sparse_mat_mul::register(registry)?;
    sparse_tensor::register(registry)?;
    transpose::register(registry)?;
    zeros::register(registry)
}
