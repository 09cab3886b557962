use downpour_runtime::{ComputePool, Parallel};
use downpour_tensor::{Complex64, RealNumber, bf16, f16};
use proptest::prelude::*;

use crate::widen::Narrow;
use crate::{GemmElement, MatMut, MatRef, gemm, matmul};

fn plain(
    m: usize,
    n: usize,
    k: usize,
    a: impl Fn(usize, usize) -> f64,
    b: impl Fn(usize, usize) -> f64,
) -> Vec<f64> {
    (0..m * n).map(|x| (0..k).map(|p| a(x / n, p) * b(p, x % n)).sum()).collect()
}

fn check<T: GemmElement + RealNumber>(
    m: usize,
    n: usize,
    k: usize,
    ta: bool,
    tb: bool,
    beta: bool,
) {
    let parallel = Parallel::new(ComputePool::new(3).unwrap(), 3);
    let value = |i: usize| (i * 7 % 11) as f64 - if T::IS_INTEGER { 0.0 } else { 5.0 };
    let a: Vec<T> = (0..m * k).map(|i| T::from_f64_lossy(value(i))).collect();
    let b: Vec<T> = (0..k * n).map(|i| T::from_f64_lossy(value(i + 3))).collect();
    let mut c = vec![T::from_f64_lossy(2.0); m * n];
    let view_a = if ta { MatRef::new(&a, k, m).t() } else { MatRef::new(&a, m, k) };
    let view_b = if tb { MatRef::new(&b, n, k).t() } else { MatRef::new(&b, k, n) };
    let factor = if beta { T::ONE } else { T::ZERO };
    gemm(&parallel, T::ONE, view_a, view_b, factor, MatMut::new(&mut c, m, n));
    let expected = plain(
        m,
        n,
        k,
        |i, p| value(if ta { p * m + i } else { i * k + p }),
        |p, j| value(3 + if tb { j * k + p } else { p * n + j }),
    );
    for (got, want) in c.iter().zip(expected) {
        let want = want + if beta { 2.0 } else { 0.0 };
        assert_eq!(got.to_f64_lossy(), want, "{m}x{n}x{k}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn agrees_with_the_definition(
        m in 0usize..40, n in 0usize..40, k in 0usize..40,
        ta: bool, tb: bool, beta: bool,
    ) {
        check::<f32>(m, n, k, ta, tb, beta);
        check::<f64>(m, n, k, ta, tb, beta);
        check::<i32>(m, n, k, ta, tb, beta);
    }

    /// Small numbers are exact in 16 bits, and their products of a few terms too.
    #[test]
    fn agrees_in_16_bits(
        m in 0usize..40, n in 0usize..40, k in 0usize..4, ta: bool, tb: bool, beta: bool,
    ) {
        check::<f16>(m, n, k, ta, tb, beta);
        check::<bf16>(m, n, k, ta, tb, beta);
    }

    #[test]
    fn rounds_to_bfloat16_as_it_is_defined(bits: u32) {
        let value = f32::from_bits(bits);
        let mut narrow = [bf16::ZERO];
        bf16::narrow(&[value], &mut narrow);
        prop_assert_eq!(narrow[0].to_bits(), bf16::from_f32(value).to_bits());
    }
}

#[test]
fn large_products_are_split() {
    check::<f32>(130, 70, 200, false, false, false);
    check::<f32>(70, 150, 100, true, true, true);
    check::<f64>(33, 501, 64, false, true, false);
    check::<f32>(1, 3000, 300, false, false, false);
    check::<f32>(3000, 1, 300, false, false, false);
}

#[test]
fn old_contents_are_not_read_without_beta() {
    let mut c = [f32::NAN; 1];
    matmul(&Parallel::serial(), (1, 1, 2), &[1.0, 2.0], &[3.0, 4.0], &mut c);
    assert_eq!(c, [11.0]);
    let mut c = [f32::NAN; 2];
    matmul(&Parallel::serial(), (1, 2, 0), &[], &[], &mut c);
    assert_eq!(c, [0.0, 0.0]);
}

#[test]
fn half_types_are_summed_in_float() {
    // 256 + 1 is not representable in bfloat16's 8 bits: only a wide sum reaches 272.
    let ones = vec![bf16::ONE; 17];
    let mut b = vec![bf16::ONE; 17];
    b[0] = bf16::from_f32(256.0);
    let mut c = [bf16::ZERO];
    matmul(&Parallel::serial(), (1, 1, 17), &ones, &b, &mut c);
    assert_eq!(c[0].to_f32(), 272.0);
}

#[test]
fn complex_products() {
    let i = Complex64::new(0.0, 1.0);
    let mut c = [Complex64::new(1.0, 0.0)];
    let (a, b) = ([i, Complex64::new(2.0, 1.0)], [i, Complex64::new(1.0, -1.0)]);
    let (a, b) = (MatRef::new(&a, 1, 2), MatRef::new(&b, 2, 1));
    gemm(&Parallel::serial(), i, a, b, i, MatMut::new(&mut c, 1, 1));
    // i*(-1 + 3 - i) + i = 1 + 3i
    assert_eq!(c[0], Complex64::new(1.0, 3.0));
}

#[test]
fn a_block_of_a_wider_matrix() {
    let mut c = [9.0f64; 6];
    let block = MatMut::strided(&mut c[1..], 2, 2, 3);
    gemm(
        &Parallel::serial(),
        1.0,
        MatRef::new(&[1.0, 2.0], 2, 1),
        MatRef::new(&[1.0, 1.0], 1, 2),
        0.0,
        block,
    );
    assert_eq!(c, [9.0, 1.0, 1.0, 9.0, 2.0, 2.0]);
}
