//! Luminance and chroma turned into pixels with AVX2, 32 at a time.

use std::arch::x86_64::*;

/// Pixels computed together.
const GROUP: usize = 32;

/// Writes the pixels of a row of luminance and two of chroma, which have one length, if there are enough of them and
/// the processor has AVX2; says whether it did. The pixels are those of `color::rgb`.
pub(super) fn wide(rows: [&[u8]; 3], out: &mut [u8]) -> bool {
    if rows[0].len() < GROUP || !is_x86_feature_detected!("avx2") {
        return false;
    }
    // SAFETY: the processor has AVX2, as was asked just above.
    unsafe { groups(rows, out) };
    true
}

#[target_feature(enable = "avx2")]
fn groups(rows: [&[u8]; 3], out: &mut [u8]) {
    let count = rows[0].len();
    let mut first = 0;
    while first < count {
        // The last group begins earlier if the row ends within it: some pixels are computed twice.
        first = first.min(count - GROUP);
        let [y, cb, cr] = rows.map(|row| load(&row[first..]));
        let planes = colors(y, cb, cr);
        let to = out[3 * first..][..3 * GROUP].as_chunks_mut::<GROUP>().0;
        for (to, bytes) in to.iter_mut().zip(interleaved(planes)) {
            // SAFETY: the array has the 32 bytes that are written.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), bytes) };
        }
        first += GROUP;
    }
}

#[target_feature(enable = "avx2")]
fn load(row: &[u8]) -> __m256i {
    let bytes = &row[..GROUP];
    // SAFETY: the slice has the 32 bytes that are read.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Returns 32 bytes of each of red, green and blue.
#[target_feature(enable = "avx2")]
fn colors(y: __m256i, cb: __m256i, cr: __m256i) -> [__m256i; 3] {
    let zero = _mm256_setzero_si256();
    let wide = |v| [_mm256_unpacklo_epi8(v, zero), _mm256_unpackhi_epi8(v, zero)];
    let (y, cb, cr) = (wide(y), wide(cb), wide(cr));
    let [low, high] = [0, 1].map(|i| half(y[i], cb[i], cr[i]));
    [0, 1, 2].map(|c| _mm256_packus_epi16(low[c], high[c]))
}

/// Returns red, green and blue of 16 pixels.
#[target_feature(enable = "avx2")]
fn half(y: __m256i, cb: __m256i, cr: __m256i) -> [__m256i; 3] {
    let middle = _mm256_set1_epi16(128);
    let (cb, cr) = (_mm256_sub_epi16(cb, middle), _mm256_sub_epi16(cr, middle));
    // The factors of red and blue have more than 16 bits: 1 + 26,345 / 65,536 and 2 - 14,942 / 65,536.
    let red = _mm256_add_epi16(cr, rounded_product(cr, 26_345));
    let blue = _mm256_add_epi16(_mm256_add_epi16(cb, cb), rounded_product(cb, -14_942));
    // Green changes by -1 + 18,734 / 65,536 of `cr` and -22,554 / 65,536 of `cb`; their sum is rounded once.
    let factors = _mm256_set1_epi32((18_734 << 16) | (-22_554i32 & 0xFFFF));
    let sum = |pairs| {
        let sum = _mm256_madd_epi16(pairs, factors);
        _mm256_srai_epi32::<16>(_mm256_add_epi32(sum, _mm256_set1_epi32(32_768)))
    };
    let (low, high) = (sum(_mm256_unpacklo_epi16(cb, cr)), sum(_mm256_unpackhi_epi16(cb, cr)));
    let green = _mm256_sub_epi16(_mm256_packs_epi32(low, high), cr);
    [red, green, blue].map(|difference| _mm256_add_epi16(y, difference))
}

/// Returns `(v * factor + 32,768) >> 16` for `v` from -128 to 127.
#[target_feature(enable = "avx2")]
fn rounded_product(v: __m256i, factor: i16) -> __m256i {
    let doubled = _mm256_mulhi_epi16(_mm256_add_epi16(v, v), _mm256_set1_epi16(factor));
    _mm256_srai_epi16::<1>(_mm256_add_epi16(doubled, _mm256_set1_epi16(1)))
}

/// For each third of the 48 bytes of 16 pixels and each colour: where its bytes come from; -1 where there is none.
const PLACES: [[[i8; 16]; 3]; 3] = {
    let mut places = [[[-1; 16]; 3]; 3];
    let mut i = 0;
    while i < 48 {
        places[i / 16][i % 3][i % 16] = (i / 3) as i8;
        i += 1;
    }
    places
};

/// Returns the pixels of which these are the colours.
#[target_feature(enable = "avx2")]
fn interleaved(planes: [__m256i; 3]) -> [__m256i; 3] {
    // Each half of a register holds 16 pixels, and its three thirds come into three registers.
    let [a, b, c] = PLACES.map(|places| {
        let parts: [__m256i; 3] = std::array::from_fn(|color| {
            // SAFETY: the array has the 16 bytes that are read.
            let places = unsafe { _mm_loadu_si128(places[color].as_ptr().cast()) };
            _mm256_shuffle_epi8(planes[color], _mm256_broadcastsi128_si256(places))
        });
        _mm256_or_si256(_mm256_or_si256(parts[0], parts[1]), parts[2])
    });
    [
        _mm256_permute2x128_si256::<0x20>(a, b),
        _mm256_permute2x128_si256::<0x30>(c, a),
        _mm256_permute2x128_si256::<0x31>(b, c),
    ]
}
