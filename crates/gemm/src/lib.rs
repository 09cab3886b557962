//! Matrix products: one function over strided views, for every number type, on the compute pool.
//!
//! float32 and float64 run on the microkernels of the `gemm` crates; half and bfloat16 are widened
//! to float32; complex numbers are four real products; integers wrap.
//!
//! ```
//! use downpour_gemm::{MatMut, MatRef, gemm};
//! use downpour_runtime::Parallel;
//! let (a, b) = ([1.0f32, 2.0], [3.0f32, 4.0]);
//! let mut c = [0.0f32; 4];
//! // The outer product of two vectors: c = 1 * a * b + 0 * c.
//! gemm(&Parallel::serial(), 1.0, MatRef::new(&a, 2, 1), MatRef::new(&b, 1, 2), 0.0, MatMut::new(&mut c, 2, 2));
//! assert_eq!(c, [3.0, 4.0, 6.0, 8.0]);
//! ```

mod element;
mod kernel;
mod matrix;
#[cfg(test)]
mod tests;
mod widen;

pub use element::GemmElement;
pub use matrix::{MatMut, MatRef};

use downpour_runtime::Parallel;

/// `c = alpha * a * b + beta * c`. With `beta` zero, `c` is not read: it may hold anything.
///
/// Panics if the dimensions disagree; callers check what came from outside.
pub fn gemm<T: GemmElement>(
    parallel: &Parallel,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) {
    assert!(
        a.columns == b.rows && a.rows == c.rows && b.columns == c.columns,
        "a {}x{} times a {}x{} matrix is not {}x{}",
        a.rows,
        a.columns,
        b.rows,
        b.columns,
        c.rows,
        c.columns
    );
    T::gemm(parallel, alpha, a, b, beta, c);
}

/// `c = a * b` for row-major matrices of `m x k` and `k x n` elements.
pub fn matmul<T: GemmElement>(
    parallel: &Parallel,
    (m, n, k): (usize, usize, usize),
    a: &[T],
    b: &[T],
    c: &mut [T],
) {
    let (a, b) = (MatRef::new(a, m, k), MatRef::new(b, k, n));
    gemm(parallel, T::ONE, a, b, T::ZERO, MatMut::new(c, m, n));
}
