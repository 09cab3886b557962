//! The product with AVX2 and FMA: six rows by sixteen columns in twelve registers.

use std::arch::x86_64::*;

use super::{LANES, ROWS, Rows, SUMMED};

/// Computes the rows if this machine has AVX2 and FMA; says whether it did.
pub(super) fn rows(
    rows: &Rows<'_, f32>,
    bases: &[usize],
    dests: &[usize],
    out: &mut [f32],
) -> bool {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        return false;
    }
    let reach = rows.offsets.reach;
    let readable = |b: &usize| b.checked_add(reach).is_some_and(|end| end < rows.x.len());
    assert!(rows.offsets.len() == 0 || bases.iter().all(readable), "a row reads past its input");
    let writable = |d: &usize| d.checked_add(rows.width).is_some_and(|end| end <= out.len());
    assert!(dests.iter().all(writable), "a row writes past the output");
    assert_eq!(bases.len(), dests.len());
    // SAFETY: for each arm: the features were detected; every `bases[r] + offsets[t]` lies inside `x`,
    // every `dests[r]..dests[r] + width` inside `out`, and the panel has LANES values per offset
    // (`Rows::run` checks it).
    unsafe {
        match bases.len() {
            1 => kernel::<1>(rows, bases, dests, out),
            2 => kernel::<2>(rows, bases, dests, out),
            3 => kernel::<3>(rows, bases, dests, out),
            4 => kernel::<4>(rows, bases, dests, out),
            5 => kernel::<5>(rows, bases, dests, out),
            ROWS => kernel::<ROWS>(rows, bases, dests, out),
            _ => return bases.is_empty(),
        }
    }
    true
}

/// # Safety
/// AVX2 and FMA must exist; `bases` and `dests` must have `R` entries and all reads and writes they
/// name must lie inside `x` and `out`; the panel must have `LANES` values per offset.
#[target_feature(enable = "avx2,fma")]
unsafe fn kernel<const R: usize>(
    rows: &Rows<'_, f32>,
    bases: &[usize],
    dests: &[usize],
    out: &mut [f32],
) {
    // SAFETY: the caller promises that these positions exist.
    let from: [*const f32; R] =
        std::array::from_fn(|r| unsafe { rows.x.as_ptr().add(*bases.get_unchecked(r)) });
    let (first, rest) = rows.offsets.values.split_at(rows.offsets.len().min(SUMMED));
    let mut panel = rows.panel.as_ptr();
    // SAFETY: the panel has LANES values for each offset, the first of them here; every
    // `from[r] + offset` lies inside `x`.
    let (mut low, mut high) = unsafe { block(&from, first, panel) };
    for offsets in rest.chunks(SUMMED) {
        // SAFETY: as above; SUMMED offsets came before these.
        let (more_low, more_high) = unsafe {
            panel = panel.add(SUMMED * LANES);
            block(&from, offsets, panel)
        };
        for r in 0..R {
            low[r] = _mm256_add_ps(low[r], more_low[r]);
            high[r] = _mm256_add_ps(high[r], more_high[r]);
        }
    }
    for r in 0..R {
        let dest = dests[r];
        if rows.width == LANES {
            // SAFETY: sixteen elements at `dest` lie inside `out`.
            unsafe {
                let to = out.as_mut_ptr().add(dest);
                if rows.accumulate {
                    low[r] = _mm256_add_ps(low[r], _mm256_loadu_ps(to));
                    high[r] = _mm256_add_ps(high[r], _mm256_loadu_ps(to.add(8)));
                }
                _mm256_storeu_ps(to, low[r]);
                _mm256_storeu_ps(to.add(8), high[r]);
            }
        } else {
            let mut sums = [0f32; LANES];
            // SAFETY: `sums` holds sixteen elements.
            unsafe {
                _mm256_storeu_ps(sums.as_mut_ptr(), low[r]);
                _mm256_storeu_ps(sums.as_mut_ptr().add(8), high[r]);
            }
            for (t, &s) in out[dest..dest + rows.width].iter_mut().zip(&sums) {
                *t = if rows.accumulate { *t + s } else { s };
            }
        }
    }
}

/// The products of one block, summed in registers.
///
/// # Safety
/// AVX2 and FMA must exist; `from[r] + offset` must be readable for every offset, and `panel` must have
/// `LANES` values per offset.
#[inline]
#[target_feature(enable = "avx2,fma")]
unsafe fn block<const R: usize>(
    from: &[*const f32; R],
    offsets: &[usize],
    mut panel: *const f32,
) -> ([__m256; R], [__m256; R]) {
    let mut low = [_mm256_setzero_ps(); R];
    let mut high = [_mm256_setzero_ps(); R];
    for &offset in offsets {
        // SAFETY: the caller's promise.
        unsafe {
            let first = _mm256_loadu_ps(panel);
            let second = _mm256_loadu_ps(panel.add(8));
            for r in 0..R {
                let value = _mm256_broadcast_ss(&*from[r].add(offset));
                low[r] = _mm256_fmadd_ps(value, first, low[r]);
                high[r] = _mm256_fmadd_ps(value, second, high[r]);
            }
            panel = panel.add(LANES);
        }
    }
    (low, high)
}

/// Runs loops that were written for the compiler to vectorise with AVX2 where there is AVX2.
pub(crate) fn vectorized(loops: impl FnOnce()) {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was detected.
        unsafe { with_avx2(loops) }
    } else {
        loops()
    }
}

#[target_feature(enable = "avx2")]
fn with_avx2(loops: impl FnOnce()) {
    loops()
}
