//! Draws from fixed weights in constant time: each class shares its slot with at most one other (Walker, Vose).

use downpour_tensor::{Charge, CountedVec, Result};

use crate::philox::Singles;

pub(super) struct AliasTable {
    /// Probability to stay with the slot's own class, and the class to take otherwise.
    slots: CountedVec<(f32, u32)>,
}

impl AliasTable {
    pub fn new(weights: &[f32]) -> Result<AliasTable> {
        let count = weights.len();
        let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
        let share = |i: usize| Ok(f64::from(weights[i] * count as f32) / sum);
        let mut share = CountedVec::build(count, share)?;
        let mut slots = CountedVec::build(count, |i| Ok((1.0, i as u32)))?;
        // Both lists grow by doubling; a class is in one of them.
        let _lists = Charge::scratch::<usize>(count.saturating_mul(2))?;
        let (mut low, mut high): (Vec<usize>, Vec<usize>) =
            (0..count).partition(|&i| share[i] < 1.0);
        // What a poor class leaves of its slot goes to a rich one, which may thereby become poor.
        while let (Some(&rich), Some(poor)) = (high.last(), low.pop()) {
            slots[poor] = (share[poor] as f32, rich as u32);
            share[rich] -= 1.0 - share[poor];
            if share[rich] < 1.0 {
                high.pop();
                low.push(rich);
            }
        }
        Ok(AliasTable { slots })
    }

    pub fn sample(&self, singles: &mut Singles) -> usize {
        let r = singles.float();
        let slot = singles.below(self.slots.len() as u32) as usize;
        let (own, other) = self.slots[slot];
        if r < own { slot } else { other as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::philox::Philox;

    #[test]
    fn classes_appear_by_weight() {
        let table = AliasTable::new(&[1.0, 0.0, 3.0]).unwrap();
        let mut singles = Singles::new(Philox::new(1, 1));
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[table.sample(&mut singles)] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((900..1100).contains(&counts[0]));
    }
}
