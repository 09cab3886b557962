//! How each number type multiplies matrices.

use downpour_runtime::Parallel;
use downpour_tensor::{Complex64, Complex128, Element, RealNumber, bf16, f16};

use crate::kernel::{Raw, product};
use crate::widen::{Narrow, Widened, narrow_into};
use crate::{MatMut, MatRef};

/// A number type with a matrix product.
pub trait GemmElement: Element {
    const ZERO: Self;
    const ONE: Self;

    /// The body of `crate::gemm`; the dimensions agree.
    #[doc(hidden)]
    fn gemm(
        parallel: &Parallel,
        alpha: Self,
        a: MatRef<'_, Self>,
        b: MatRef<'_, Self>,
        beta: Self,
        c: MatMut<'_, Self>,
    );
}

impl<'a, T> MatRef<'a, T> {
    fn raw(self) -> Raw<&'a [T]> {
        Raw {
            pointer: self.data,
            rows: self.rows,
            columns: self.columns,
            row_stride: self.row_stride,
            column_stride: self.column_stride,
        }
    }
}

macro_rules! kernel_elements {
    ($($ty:ty),*) => {$(
        impl GemmElement for $ty {
            const ZERO: $ty = 0.0;
            const ONE: $ty = 1.0;

            fn gemm(
                parallel: &Parallel,
                alpha: $ty,
                a: MatRef<'_, $ty>,
                b: MatRef<'_, $ty>,
                beta: $ty,
                c: MatMut<'_, $ty>,
            ) {
                let raw = Raw {
                    rows: c.rows,
                    columns: c.columns,
                    row_stride: c.row_stride,
                    column_stride: 1,
                    pointer: c.data,
                };
                let beta = (beta != 0.0).then_some(beta);
                product(parallel, alpha, a.raw(), b.raw(), beta, raw, 0.0);
            }
        }
    )*};
}
kernel_elements!(f32, f64);

macro_rules! widened_elements {
    ($($ty:ty),*) => {$(
        impl GemmElement for $ty {
            const ZERO: $ty = <$ty>::ZERO;
            const ONE: $ty = <$ty>::ONE;

            fn gemm(
                parallel: &Parallel,
                alpha: $ty,
                a: MatRef<'_, $ty>,
                b: MatRef<'_, $ty>,
                beta: $ty,
                mut c: MatMut<'_, $ty>,
            ) {
                let (m, n) = (c.rows, c.columns);
                let (a, b) = (Widened::of(parallel, a), Widened::of(parallel, b));
                let mut wide = vec![0f32; m * n];
                if beta != <$ty>::ZERO {
                    for (i, wide) in wide.chunks_exact_mut(n.max(1)).enumerate() {
                        <$ty>::widen(c.row(i), wide);
                    }
                }
                let into = MatMut::new(&mut wide, m, n);
                crate::gemm(parallel, alpha.to_f32(), a.view(), b.view(), beta.to_f32(), into);
                narrow_into(parallel, &wide, &mut c);
            }
        }
    )*};
}
widened_elements!(f16, bf16);

/// Rows of `b` scaled and added up: vectorises for any type whose sums and products do.
fn by_rows<T: RealNumber>(
    parallel: &Parallel,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    mut c: MatMut<'_, T>,
) {
    let (n, k) = (c.columns, a.columns);
    if n == 0 || c.rows == 0 {
        return;
    }
    let packed;
    let b = if b.column_stride == 1 || k == 0 {
        b
    } else {
        packed = b.packed(|&v| v);
        MatRef::new(&packed, k, n)
    };
    let row = |i: usize, out: &mut [T]| {
        if beta == T::zero() {
            out.fill(T::zero());
        } else {
            out.iter_mut().for_each(|v| *v = v.mul_w(beta));
        }
        for p in 0..k {
            let factor = alpha.mul_w(*a.at(i, p));
            let start = p * b.row_stride;
            let values = &b.data[start..start + n];
            out.iter_mut().zip(values).for_each(|(o, &v)| *o = o.add_w(factor.mul_w(v)));
        }
    };
    if c.row_stride == n {
        let grain = (1 << 15) / (n * k.max(1)).max(1) + 1;
        let len = c.rows * n;
        parallel.for_chunks(&mut c.data[..len], n, grain, |first, run| {
            for (i, out) in run.chunks_exact_mut(n).enumerate() {
                row(first + i, out);
            }
        });
    } else {
        (0..c.rows).for_each(|i| row(i, c.row(i)));
    }
}

macro_rules! integer_elements {
    ($($ty:ty),*) => {$(
        impl GemmElement for $ty {
            const ZERO: $ty = 0;
            const ONE: $ty = 1;

            fn gemm(
                parallel: &Parallel,
                alpha: $ty,
                a: MatRef<'_, $ty>,
                b: MatRef<'_, $ty>,
                beta: $ty,
                c: MatMut<'_, $ty>,
            ) {
                by_rows(parallel, alpha, a, b, beta, c);
            }
        }
    )*};
}
integer_elements!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! complex_elements {
    ($($ty:ty, $real:ty;)*) => {$(
        impl GemmElement for $ty {
            const ZERO: $ty = <$ty>::new(0.0, 0.0);
            const ONE: $ty = <$ty>::new(1.0, 0.0);

            /// Real and imaginary parts are packed apart; four real products follow.
            fn gemm(
                parallel: &Parallel,
                alpha: $ty,
                a: MatRef<'_, $ty>,
                b: MatRef<'_, $ty>,
                beta: $ty,
                mut c: MatMut<'_, $ty>,
            ) {
                let (m, n, k) = (c.rows, c.columns, a.columns);
                let scaled = a.packed(|v| v * alpha);
                let a_re: Vec<$real> = scaled.iter().map(|v| v.re).collect();
                let a_im: Vec<$real> = scaled.iter().map(|v| v.im).collect();
                let (b_re, b_im) = (b.packed(|v| v.re), b.packed(|v| v.im));
                let mut re = vec![0.0; m * n];
                let mut im = vec![0.0; m * n];
                let add = |sign: $real, x: &[$real], y: &[$real], out: &mut [$real]| {
                    let (x, y) = (MatRef::new(x, m, k), MatRef::new(y, k, n));
                    crate::gemm(parallel, sign, x, y, 1.0, MatMut::new(out, m, n));
                };
                add(1.0, &a_re, &b_re, &mut re);
                add(-1.0, &a_im, &b_im, &mut re);
                add(1.0, &a_re, &b_im, &mut im);
                add(1.0, &a_im, &b_re, &mut im);
                let width = n.max(1);
                for (i, (re, im)) in
                    re.chunks_exact(width).zip(im.chunks_exact(width)).enumerate()
                {
                    for ((v, &re), &im) in c.row(i).iter_mut().zip(re).zip(im) {
                        let sum = <$ty>::new(re, im);
                        *v = if beta == Self::ZERO { sum } else { *v * beta + sum };
                    }
                }
            }
        }
    )*};
}
complex_elements! { Complex64, f32; Complex128, f64; }
