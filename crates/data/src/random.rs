//! Random numbers by counter: the k-th choice of a stream needs no earlier one.

/// Mixes two numbers into one (the finalizer of SplitMix64, applied to a Weyl sequence).
pub(crate) fn mix(key: u64, counter: u64) -> u64 {
    let mut z = key.wrapping_add(counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number below `bound` (which is not 0), the `counter`-th of the stream `key`.
pub(crate) fn below(key: u64, counter: u64, bound: usize) -> usize {
    ((u128::from(mix(key, counter)) * bound as u128) >> 64) as usize
}
