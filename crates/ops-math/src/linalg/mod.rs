//! Linear algebra on the last two axes: decompositions, solvers, functions of matrices.
//!
//! Everything is computed in 64-bit reals or complex numbers and rounded at the end: two copies of
//! the code serve six element types, and float32 results are as good as they can be.

mod banded;
mod batch;
mod cholesky;
mod eigen;
mod field;
mod functions;
mod gradients;
mod least_squares;
mod lu;
mod matrix;
mod qr;
mod schur;
mod shapes;
mod svd;
mod triangular;
mod tridiagonal;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    lu::register(registry)?;
    cholesky::register(registry)?;
    triangular::register(registry)?;
    banded::register(registry)?;
    tridiagonal::register(registry)?;
    qr::register(registry)?;
    svd::register(registry)?;
    eigen::register(registry)?;
    functions::register(registry)?;
    least_squares::register(registry)
}
