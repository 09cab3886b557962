//! The float32 and float64 products: splitting over threads and the call into the microkernels.

use downpour_runtime::Parallel;

use crate::matrix::check_extent;

/// A matrix as the microkernels see it. The pointer and strides come from a checked view.
#[derive(Clone, Copy)]
pub(crate) struct Raw<P> {
    pub pointer: P,
    pub rows: usize,
    pub columns: usize,
    pub row_stride: usize,
    pub column_stride: usize,
}

/// Multiplications that keep a thread busy for some ten microseconds.
const PART: usize = 1 << 18;

/// Carries the output's address to the threads that write its disjoint parts.
struct Output<T>(*mut T);
// SAFETY: threads of one product write disjoint rows or columns (see `product`).
unsafe impl<T: Send> Sync for Output<T> {}

pub(crate) trait Real: Copy + Send + Sync {
    /// # Safety
    /// Every element of the three views is valid memory; `c` is not aliased.
    unsafe fn call(
        size: (usize, usize, usize),
        c: (*mut Self, usize, usize),
        read_c: bool,
        a: (*const Self, usize, usize),
        b: (*const Self, usize, usize),
        beta: Self,
        alpha: Self,
    );
}

macro_rules! real {
    ($ty:ty, $function:path) => {
        impl Real for $ty {
            unsafe fn call(
                (m, n, k): (usize, usize, usize),
                c: (*mut $ty, usize, usize),
                read_c: bool,
                a: (*const $ty, usize, usize),
                b: (*const $ty, usize, usize),
                beta: $ty,
                alpha: $ty,
            ) {
                // SAFETY: the caller's promise; the kernel only touches the elements of the views.
                // It scales the destination by its first factor and the product by its second.
                unsafe {
                    $function()(
                        m,
                        n,
                        k,
                        c.0,
                        c.2 as isize,
                        c.1 as isize,
                        read_c,
                        a.0,
                        a.2 as isize,
                        a.1 as isize,
                        b.0,
                        b.2 as isize,
                        b.1 as isize,
                        beta,
                        alpha,
                        false,
                        false,
                        false,
                        gemm_common::Parallelism::None,
                    )
                }
            }
        }
    };
}
real!(f32, gemm_f32::gemm::f32::get_gemm_fn);
real!(f64, gemm_f64::gemm::f64::get_gemm_fn);

/// `c = alpha * a * b + beta * c` on slices; the strides count elements of the slices.
pub(crate) fn product<T: Real>(
    parallel: &Parallel,
    alpha: T,
    a: Raw<&[T]>,
    b: Raw<&[T]>,
    beta: Option<T>,
    c: Raw<&mut [T]>,
    zero: T,
) {
    let (m, n, k) = (c.rows, c.columns, a.columns);
    if m == 0 || n == 0 {
        return;
    }
    assert!(a.rows == m && b.rows == k && b.columns == n, "a product's sizes agree");
    check_extent(a.pointer.len(), m, k, a.row_stride, a.column_stride);
    check_extent(b.pointer.len(), k, n, b.row_stride, b.column_stride);
    check_extent(c.pointer.len(), m, n, c.row_stride, c.column_stride);

    let parts = (m.saturating_mul(n).saturating_mul(k) / PART).clamp(1, parallel.limit());
    // Cut across the longer side: every part packs the other operand once more. Cuts fall on
    // multiples of 16 so that only the last part has ragged tiles.
    let by_rows = m >= n;
    let total = if by_rows { m } else { n };
    let step = total.div_ceil(parts).next_multiple_of(16);
    let output = Output(c.pointer.as_mut_ptr());
    let run = |start: usize, end: usize| {
        let output = &output;
        let (c_offset, a_offset, b_offset, m, n) = if by_rows {
            (start * c.row_stride, start * a.row_stride, 0, end - start, n)
        } else {
            (start * c.column_stride, 0, start * b.column_stride, m, end - start)
        };
        // SAFETY: the extents were checked above and a part's offsets lie inside them (an empty
        // operand, k = 0, is never read); parts are disjoint rows or columns of `c`, which is
        // mutably borrowed for the whole product. The product is handed over transposed because
        // the microkernels want the destination's unit stride to be the row stride.
        unsafe {
            T::call(
                (n, m, k),
                (output.0.wrapping_add(c_offset), c.column_stride, c.row_stride),
                beta.is_some(),
                (b.pointer.as_ptr().wrapping_add(b_offset), b.column_stride, b.row_stride),
                (a.pointer.as_ptr().wrapping_add(a_offset), a.column_stride, a.row_stride),
                beta.unwrap_or(zero),
                alpha,
            )
        }
    };
    if step >= total {
        return run(0, total);
    }
    parallel.for_ranges(total.div_ceil(step), 1, |range| {
        run(range.start * step, (range.end * step).min(total));
    });
}
