//! The hashes TensorFlow gives strings: FarmHash fingerprints, their concatenation, and keyed SipHash.

use std::hash::Hasher;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;

fn fetch64(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

fn fetch32(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word) as u64
}

fn shift_mix(v: u64) -> u64 {
    v ^ (v >> 47)
}

fn mix(u: u64, v: u64, mul: u64) -> u64 {
    let a = shift_mix((u ^ v).wrapping_mul(mul));
    shift_mix((v ^ a).wrapping_mul(mul)).wrapping_mul(mul)
}

/// The 64-bit FarmHash fingerprint, the same on every machine.
pub fn fingerprint64(s: &[u8]) -> u64 {
    match s.len() {
        0..=16 => up_to_16(s),
        17..=32 => up_to_32(s),
        33..=64 => up_to_64(s),
        _ => longer(s),
    }
}

fn up_to_16(s: &[u8]) -> u64 {
    let len = s.len();
    let mul = K2.wrapping_add(len as u64 * 2);
    if len >= 8 {
        let a = fetch64(s, 0).wrapping_add(K2);
        let b = fetch64(s, len - 8);
        let c = b.rotate_right(37).wrapping_mul(mul).wrapping_add(a);
        let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(mul);
        return mix(c, d, mul);
    }
    if len >= 4 {
        return mix((len as u64).wrapping_add(fetch32(s, 0) << 3), fetch32(s, len - 4), mul);
    }
    if len > 0 {
        let y = s[0] as u64 + ((s[len >> 1] as u64) << 8);
        let z = len as u64 + ((s[len - 1] as u64) << 2);
        return shift_mix(y.wrapping_mul(K2) ^ z.wrapping_mul(K0)).wrapping_mul(K2);
    }
    K2
}

fn up_to_32(s: &[u8]) -> u64 {
    let len = s.len();
    let mul = K2.wrapping_add(len as u64 * 2);
    let a = fetch64(s, 0).wrapping_mul(K1);
    let b = fetch64(s, 8);
    let c = fetch64(s, len - 8).wrapping_mul(mul);
    let d = fetch64(s, len - 16).wrapping_mul(K2);
    mix(
        a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d),
        a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c),
        mul,
    )
}

fn up_to_64(s: &[u8]) -> u64 {
    let len = s.len();
    let mul = K2.wrapping_add(len as u64 * 2);
    let a = fetch64(s, 0).wrapping_mul(K2);
    let b = fetch64(s, 8);
    let c = fetch64(s, len - 8).wrapping_mul(mul);
    let d = fetch64(s, len - 16).wrapping_mul(K2);
    let y = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let z = mix(y, a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c), mul);
    let e = fetch64(s, 16).wrapping_mul(mul);
    let f = fetch64(s, 24);
    let g = y.wrapping_add(fetch64(s, len - 32)).wrapping_mul(mul);
    let h = z.wrapping_add(fetch64(s, len - 24)).wrapping_mul(mul);
    mix(
        e.wrapping_add(f).rotate_right(43).wrapping_add(g.rotate_right(30)).wrapping_add(h),
        e.wrapping_add(f.wrapping_add(a).rotate_right(18)).wrapping_add(g),
        mul,
    )
}

/// A weak hash of 32 bytes with two seeds.
fn weak(s: &[u8], a: u64, b: u64) -> (u64, u64) {
    let (w, x, y, z) = (fetch64(s, 0), fetch64(s, 8), fetch64(s, 16), fetch64(s, 24));
    let a = a.wrapping_add(w);
    let b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let c = a;
    let a = a.wrapping_add(x).wrapping_add(y);
    (a.wrapping_add(z), b.wrapping_add(a.rotate_right(44)).wrapping_add(c))
}

fn longer(s: &[u8]) -> u64 {
    let len = s.len();
    let seed = 81u64;
    let mut y = seed.wrapping_mul(K1).wrapping_add(113);
    let mut z = shift_mix(y.wrapping_mul(K2).wrapping_add(113)).wrapping_mul(K2);
    let (mut v, mut w) = ((0u64, 0u64), (0u64, 0u64));
    let mut x = seed.wrapping_mul(K2).wrapping_add(fetch64(s, 0));
    let blocks = (len - 1) / 64;
    let round = |block: &[u8],
                 mul: u64,
                 x: &mut u64,
                 y: &mut u64,
                 z: &mut u64,
                 v: &mut (u64, u64),
                 w: &mut (u64, u64),
                 weight: u64| {
        *x = x
            .wrapping_add(*y)
            .wrapping_add(v.0)
            .wrapping_add(fetch64(block, 8))
            .rotate_right(37)
            .wrapping_mul(mul);
        *y =
            y.wrapping_add(v.1).wrapping_add(fetch64(block, 48)).rotate_right(42).wrapping_mul(mul);
        *x ^= w.1.wrapping_mul(weight);
        *y = y.wrapping_add(v.0.wrapping_mul(weight)).wrapping_add(fetch64(block, 40));
        *z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(mul);
        *v = weak(block, v.1.wrapping_mul(mul), x.wrapping_add(w.0));
        *w = weak(&block[32..], z.wrapping_add(w.1), y.wrapping_add(fetch64(block, 16)));
        std::mem::swap(z, x);
    };
    for block in s.chunks_exact(64).take(blocks) {
        round(block, K1, &mut x, &mut y, &mut z, &mut v, &mut w, 1);
    }
    let mul = K1.wrapping_add((z & 0xff) << 1);
    w.0 = w.0.wrapping_add(((len - 1) & 63) as u64);
    v.0 = v.0.wrapping_add(w.0);
    w.0 = w.0.wrapping_add(v.0);
    round(&s[len - 64..], mul, &mut x, &mut y, &mut z, &mut v, &mut w, 9);
    mix(
        mix(v.0, w.0, mul).wrapping_add(shift_mix(y).wrapping_mul(K0)).wrapping_add(z),
        mix(v.1, w.1, mul).wrapping_add(x),
        mul,
    )
}

/// The fingerprint of a sequence from those of its front and its last element.
pub fn concatenate(front: u64, last: u64) -> u64 {
    const MUL: u64 = 0xc6a4_a793_5bd1_e995;
    let mut result = front ^ MUL;
    result ^= shift_mix(last.wrapping_mul(MUL)).wrapping_mul(MUL);
    result = result.wrapping_mul(MUL);
    shift_mix(shift_mix(result).wrapping_mul(MUL))
}

/// SipHash-2-4 with a key, which nobody can predict without it.
#[allow(
    deprecated,
    reason = "std's SipHasher is deprecated as a default hasher; it is SipHash-2-4"
)]
pub fn keyed_hash(key: [u64; 2], s: &[u8]) -> u64 {
    let mut hasher = std::hash::SipHasher::new_with_keys(key[0], key[1]);
    hasher.write(s);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `fingerprint64(text) % 1_000_000_007` as TensorFlow's StringToHashBucketFast gives it.
    #[test]
    fn fingerprints_agree_with_tensorflow() {
        let text: String = ('a'..='z').cycle().take(200).collect();
        let got: Vec<u64> = EXPECTED
            .iter()
            .map(|&(len, _)| fingerprint64(&text.as_bytes()[..len]) % 1_000_000_007)
            .collect();
        let expected: Vec<u64> = EXPECTED.iter().map(|&(_, v)| v).collect();
        assert_eq!(got, expected);
    }

    const EXPECTED: &[(usize, u64)] = &[
        (0, 912170738),
        (1, 384735799),
        (3, 775161712),
        (4, 474124279),
        (7, 397191850),
        (8, 592702983),
        (16, 969401595),
        (17, 994364072),
        (32, 150165291),
        (33, 506086780),
        (64, 631323641),
        (65, 195692859),
        (128, 615862717),
        (129, 972656484),
        (200, 435212561),
    ];
}
