//! Integer weights that change, with draws in logarithmic time: a tree of partial sums (Fenwick).

use downpour_tensor::{CountedVec, Result, Status};

pub(super) struct Weights {
    weights: CountedVec<u32>,
    /// `sums[i]` is the sum of the weights of the `lowbit(i)` classes before i.
    sums: CountedVec<u32>,
    total: u32,
}

impl Weights {
    pub fn ones(count: u64) -> Result<Weights> {
        if count >= i32::MAX as u64 {
            return Err(Status::invalid_argument(format!(
                "range_max is {count}; a learned sampler takes at most {}",
                i32::MAX - 1
            )));
        }
        let count = count as usize;
        let weights = CountedVec::filled(count, 1)?;
        let sums = CountedVec::build(count + 1, |i| Ok(i as u32 & (i as u32).wrapping_neg()))?;
        Ok(Weights { weights, sums, total: count as u32 })
    }

    pub fn len(&self) -> usize {
        self.weights.len()
    }

    pub fn get(&self, class: usize) -> u32 {
        self.weights[class]
    }

    pub fn total(&self) -> u32 {
        self.total
    }

    pub fn increment(&mut self, class: usize) {
        self.weights[class] += 1;
        self.total += 1;
        let mut i = class + 1;
        while i < self.sums.len() {
            self.sums[i] += 1;
            i += i & i.wrapping_neg();
        }
    }

    /// The first class whose weight together with those before it exceeds `point`.
    pub fn pick(&self, mut point: u32) -> usize {
        let mut class = 0;
        let mut step = self.sums.len().next_power_of_two();
        while step > 0 {
            if let Some(&sum) = self.sums.get(class + step)
                && sum <= point
            {
                class += step;
                point -= sum;
            }
            step /= 2;
        }
        class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_follow_the_cumulative_weights() {
        for count in [1u64, 2, 7, 8, 9, 100] {
            let mut weights = Weights::ones(count).unwrap();
            for i in 0..count as usize * 3 {
                weights.increment(i * 7 % count as usize);
            }
            let expected: Vec<usize> =
                (0..count as usize).flat_map(|c| vec![c; weights.get(c) as usize]).collect();
            let got: Vec<usize> = (0..weights.total()).map(|p| weights.pick(p)).collect();
            assert_eq!(got, expected);
        }
        assert!(Weights::ones(1 << 40).is_err());
    }
}
