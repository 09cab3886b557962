//! How often ids were seen that have no row yet, in memory that does not grow with them.
//!
//! A count-min sketch (Cormode and Muthukrishnan, 2005) with conservative updates: an id's count is the least of
//! four cells, and never less than the truth. Counts of ids that share all four cells with others are too high,
//! which admits them early. When eight times as many ids were counted as a line has cells, all counts are
//! halved, so that what was frequent long ago does not count for ever.

use downpour_tensor::{Result, Status};

const LINES: usize = 4;
/// Additions for each cell of a line, before counts are halved.
const ADDITIONS: i64 = 8;

pub(super) struct Candidates<'a> {
    cells: &'a mut [i32],
    /// Additions since the last halving.
    counted: &'a mut i64,
    mask: u64,
}

impl<'a> Candidates<'a> {
    pub fn new(cells: &'a mut [i32], counted: &'a mut i64) -> Result<Candidates<'a>> {
        let line = cells.len() / LINES;
        if !line.is_power_of_two() || line * LINES != cells.len() {
            return Err(Status::invalid_argument(format!(
                "an id table's candidates have {} cells, which is not 4 times a power of two",
                cells.len()
            )));
        }
        Ok(Candidates { cells, counted, mask: line as u64 - 1 })
    }

    fn places(&self, id: i64) -> [usize; LINES] {
        let hash = mix(id as u64);
        let (first, step) = (hash, hash >> 32 | 1);
        let line = self.mask as usize + 1;
        std::array::from_fn(|i| {
            let place = first.wrapping_add(step.wrapping_mul(i as u64)) & self.mask;
            i * line + place as usize
        })
    }

    /// Counts one more of an id; how many there are, then.
    pub fn count(&mut self, id: i64) -> i32 {
        let places = self.places(id);
        let least = places.iter().map(|&place| self.cells[place].max(0)).min().unwrap_or(0);
        let count = least.saturating_add(1);
        for place in places {
            self.cells[place] = self.cells[place].max(count);
        }
        *self.counted = self.counted.saturating_add(1);
        if *self.counted >= ADDITIONS * (self.mask as i64 + 1) {
            self.cells.iter_mut().for_each(|cell| *cell /= 2);
            *self.counted = 0;
        }
        count
    }
}

/// Spreads an id over 64 bits (the finalizer of splitmix64).
pub(super) fn mix(id: u64) -> u64 {
    let x = id.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_never_too_low_and_mostly_right() {
        let (mut cells, mut counted) = (vec![0; 4 * 1024], 0);
        let mut all = Candidates::new(&mut cells, &mut counted).unwrap();
        let mut wrong = 0;
        for times in 1..=3 {
            for id in 0..500 {
                let count = all.count(id * 7919 - 1000);
                assert!(count >= times);
                wrong += usize::from(count > times);
            }
        }
        assert!(wrong < 15, "{wrong} of 1500");
    }

    #[test]
    fn what_was_long_ago_is_forgotten() {
        let (mut cells, mut counted) = (vec![0; 4 * 64], 0);
        let mut all = Candidates::new(&mut cells, &mut counted).unwrap();
        for _ in 0..100 {
            all.count(5);
        }
        for i in 0..64 * 8 * 10 {
            all.count(1000 + i % 3);
        }
        assert!(all.count(5) < 10);
    }

    #[test]
    fn sizes_and_values_from_outside_are_harmless() {
        for size in [0, 1, 3, 12, 4 * 5] {
            assert!(Candidates::new(&mut vec![0; size], &mut 0).is_err(), "{size}");
        }
        for value in [i32::MIN, i32::MAX] {
            let (mut cells, mut counted) = (vec![value; 4], i64::MAX);
            assert!(Candidates::new(&mut cells, &mut counted).unwrap().count(i64::MIN) >= 1);
        }
    }
}
