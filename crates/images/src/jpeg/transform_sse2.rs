//! The fast transform with the vector instructions that all x86-64 processors have: eight columns in a register each.

use std::arch::x86_64::*;

/// Eight rows, or eight columns, of a block.
type Block = [__m128i; 8];

/// Turns coefficients into samples, as `transform::fast` does.
pub(super) fn fast(coefficients: &[i16; 64], table: &[i16; 64], out: &mut [u8], stride: usize) {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { with_sse2(coefficients, table, out, stride) }
}

#[target_feature(enable = "sse2")]
fn with_sse2(coefficients: &[i16; 64], table: &[i16; 64], out: &mut [u8], stride: usize) {
    let (coefficients, table) = (coefficients.as_chunks::<8>().0, table.as_chunks::<8>().0);
    let block: Block =
        std::array::from_fn(|i| _mm_mullo_epi16(load(&coefficients[i]), load(&table[i])));
    if only_mean(&block) {
        let mean = _mm_extract_epi16::<0>(block[0]) as i16;
        return super::transform::store_constant(mean as i32 >> 5, out, stride);
    }
    let columns = pass(&block);
    let rows = pass(&transposed(&columns));
    for (i, row) in samples(&rows).into_iter().enumerate() {
        out[i * stride..][..8].copy_from_slice(&row.to_le_bytes());
    }
}

#[target_feature(enable = "sse2")]
fn load(row: &[i16; 8]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are read.
    unsafe { _mm_loadu_si128(row.as_ptr().cast()) }
}

/// True if no coefficient but that of the mean is other than zero.
#[target_feature(enable = "sse2")]
fn only_mean(block: &Block) -> bool {
    let rest =
        block[1..].iter().fold(_mm_srli_si128::<2>(block[0]), |any, &v| _mm_or_si128(any, v));
    _mm_movemask_epi8(_mm_cmpeq_epi8(rest, _mm_setzero_si128())) == 0xFFFF
}

/// Transforms each column.
#[target_feature(enable = "sse2")]
fn pass(at: &Block) -> Block {
    let (add, sub) = (|a, b| _mm_add_epi16(a, b), |a, b| _mm_sub_epi16(a, b));
    // The product with a constant that has 8 bits behind the point.
    let times =
        |v, constant: i16| _mm_mulhi_epi16(_mm_slli_epi16::<2>(v), _mm_set1_epi16(constant << 6));
    let (t10, t11) = (add(at[0], at[4]), sub(at[0], at[4]));
    let t13 = add(at[2], at[6]);
    let t12 = sub(times(sub(at[2], at[6]), 362), t13);
    let even = [add(t10, t13), add(t11, t12), sub(t11, t12), sub(t10, t13)];

    let (z13, z10) = (add(at[5], at[3]), sub(at[5], at[3]));
    let (z11, z12) = (add(at[1], at[7]), sub(at[1], at[7]));
    let t7 = add(z11, z13);
    let t11 = times(sub(z11, z13), 362);
    let z5 = times(add(z10, z12), 473);
    let t10 = sub(times(z12, 277), z5);
    // 2.613, less one so that the constant has 16 bits.
    let t12 = add(sub(times(z10, -413), z10), z5);
    let t6 = sub(t12, t7);
    let t5 = sub(t11, t6);
    let t4 = add(t10, t5);
    [
        add(even[0], t7),
        add(even[1], t6),
        add(even[2], t5),
        sub(even[3], t4),
        add(even[3], t4),
        sub(even[2], t5),
        sub(even[1], t6),
        sub(even[0], t7),
    ]
}

/// Turns rows into columns: pairs of single values are brought together first, then pairs of two, then of four.
#[target_feature(enable = "sse2")]
fn transposed(rows: &Block) -> Block {
    let single = |i, j| {
        let (a, b): (__m128i, __m128i) = (rows[i], rows[j]);
        [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)]
    };
    let [a, b, c, d] = [single(0, 1), single(2, 3), single(4, 5), single(6, 7)];
    let double = |a, b| [_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)];
    let upper = [double(a[0], b[0]), double(a[1], b[1])];
    let lower = [double(c[0], d[0]), double(c[1], d[1])];
    std::array::from_fn(|i| {
        let (a, b) = (upper[i / 4][i / 2 % 2], lower[i / 4][i / 2 % 2]);
        if i % 2 == 0 { _mm_unpacklo_epi64(a, b) } else { _mm_unpackhi_epi64(a, b) }
    })
}

/// Rounds columns to samples and returns their rows, the first sample lowest.
#[target_feature(enable = "sse2")]
fn samples(columns: &Block) -> [u64; 8] {
    let pair = |i, j| {
        let (a, b): (__m128i, __m128i) = (columns[i], columns[j]);
        _mm_packs_epi16(_mm_srai_epi16::<5>(a), _mm_srai_epi16::<5>(b))
    };
    let single = |a, b| [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)];
    let left = single(pair(0, 2), pair(1, 3));
    let right = single(pair(4, 6), pair(5, 7));
    let double = |[a, b]: [__m128i; 2]| [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)];
    let (left, right) = (double(left), double(right));
    std::array::from_fn(|i| {
        let (a, b) = (left[i / 4], right[i / 4]);
        let two = if i / 2 % 2 == 0 { _mm_unpacklo_epi32(a, b) } else { _mm_unpackhi_epi32(a, b) };
        let two = _mm_add_epi8(two, _mm_set1_epi8(i8::MIN));
        let one = if i % 2 == 0 { two } else { _mm_unpackhi_epi64(two, two) };
        _mm_cvtsi128_si64(one) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::super::transform;
    use super::*;

    #[test]
    fn samples_are_those_of_the_plain_form() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as i32
        };
        for round in 0..20_000 {
            // From files that cannot be to those that are nearly empty.
            let (size, share) =
                ([1 << 16, 2048, 200, 8][round % 4], [1, 3, 20, 100][round / 4 % 4]);
            let block = std::array::from_fn(|_| {
                if next() % share == 0 { (next() % size - size / 2) as i16 } else { 0 }
            });
            let table = std::array::from_fn(|_| (next() % [1 << 16, 256][round / 16 % 2]) as i16);
            let (mut plain, mut wide) = ([1; 80], [1; 80]);
            transform::fast(&block, &table, &mut plain, 10);
            fast(&block, &table, &mut wide, 10);
            assert_eq!(plain, wide, "{block:?} {table:?}");
        }
    }
}
