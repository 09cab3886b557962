//! The positions of the k largest magnitudes: exactly k, in order; of equal ones the first.
//!
//! A quickselect over everything would move every value several times. A sample tells a bound that is very probably a little
//! below the k-th magnitude; only what reaches it is looked at closely. Whether the guess was right is checked, so the
//! result never depends on luck, only the time does.

use crate::float::{Float, LANES};

/// Fewer values than this are selected among directly.
const SAMPLED_FROM: usize = 1 << 14;

pub(crate) fn largest<T: Float>(values: &[T], k: usize) -> Vec<usize> {
    if k >= values.len() {
        return (0..values.len()).collect();
    }
    if k == 0 {
        return Vec::new();
    }
    if values.len() >= SAMPLED_FROM && k <= values.len() / 4 {
        let candidates = reaching(values, sampled_bound(values, k));
        if candidates.len() >= k {
            return among(values, candidates, k);
        }
    }
    among(values, (0..values.len()).collect(), k)
}

/// The k best of the candidates, which are in order.
fn among<T: Float>(values: &[T], mut candidates: Vec<usize>, k: usize) -> Vec<usize> {
    let mut keys: Vec<T::Key> = candidates.iter().map(|&i| values[i].key()).collect();
    let threshold = *keys.select_nth_unstable_by(k - 1, |a, b| b.cmp(a)).1;
    let larger = candidates.iter().filter(|&&i| values[i].key() > threshold).count();
    let mut equal = k - larger;
    candidates.retain(|&i| {
        let key = values[i].key();
        let first = key == threshold && equal > 0;
        equal -= first as usize;
        key > threshold || first
    });
    candidates
}

/// A magnitude that a few more than k values probably reach.
fn sampled_bound<T: Float>(values: &[T], k: usize) -> T::Key {
    let size = (values.len() / 64).clamp(4096, 1 << 16);
    let mut sample = Vec::with_capacity(size);
    for i in 0..size as u64 {
        // A multiplicative hash spreads the places, so that a pattern in rows or columns does not mislead.
        let place = (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) as u128 * values.len() as u128) >> 64;
        sample.push(values[place as usize].key());
    }
    let expected = k as f64 * size as f64 / values.len() as f64;
    let rank = (expected + 3.0 * expected.sqrt() + 8.0) as usize;
    let rank = rank.min(size - 1);
    *sample.select_nth_unstable_by(rank, |a, b| b.cmp(a)).1
}

wide! {
    /// The positions of all values whose magnitude is at least the bound.
    fn reaching<T: Float>(values: &[T], bound: T::Key) -> Vec<usize> {
        let mut found = Vec::new();
        for (chunk, values) in values.chunks(4 * LANES).enumerate() {
            let mut any = false;
            for &value in values {
                any |= value.key() >= bound;
            }
            if any {
                for (i, &value) in values.iter().enumerate() {
                    if value.key() >= bound {
                        found.push(chunk * 4 * LANES + i);
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_sorting(values: &[f32], k: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].abs().total_cmp(&values[a].abs()).then(a.cmp(&b)));
        order.truncate(k);
        order.sort_unstable();
        order
    }

    proptest! {
        #[test]
        fn equals_sorting(values in prop::collection::vec(-8i8..8, 0..300), k in 0usize..310) {
            let values: Vec<f32> = values.iter().map(|&v| v as f32).collect();
            prop_assert_eq!(largest(&values, k), by_sorting(&values, k));
        }
    }

    #[test]
    fn equals_sorting_when_a_sample_is_taken() {
        let mut state = 1u64;
        let mut values: Vec<f32> = (0..40_000)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                ((state >> 40) as f32 / (1 << 23) as f32 - 1.0).powi(3)
            })
            .collect();
        for k in [1, 7, 400, 9_999] {
            assert_eq!(largest(&values, k), by_sorting(&values, k));
        }
        // The sample sees none of the few large ones, or nothing else.
        for few in [3, 39_000] {
            values[..few].fill(5.0);
            values[few..].fill(0.0);
            assert_eq!(largest(&values, 400), by_sorting(&values, 400));
        }
    }
}
