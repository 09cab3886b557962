//! How long the `k`-th of `n` takes.

use crate::compute_time::{Mixture, binomial};

/// Points of the integral.
const POINTS: usize = 4000;

/// The expected time after which `k` of `n` are done.
///
/// The mean of a time is the integral of the chance that it is longer. The `k`-th is longer than `t` unless at least
/// `k` of `n` are done at `t`, and each is done with the chance `F(t)`:
/// `E = ∫ 1 - Σ_{j=k..n} C(n,j) F(t)^j (1-F(t))^(n-j) dt`.
pub fn expected(time: &Mixture, n: usize, k: usize) -> f64 {
    let longest = time.longest() * 1.5;
    let step = longest / POINTS as f64;
    let longer = |t: f64| {
        let chance = time.at_most(t);
        let done: f64 = (k..=n).map(|j| binomial(n, j, chance)).sum();
        1.0 - done.min(1.0)
    };
    (0..POINTS).map(|i| longer((i as f64 + 0.5) * step) * step).sum()
}

/// About the times after which 1, 2, ... of `n` are done: the `j`-th is near the quantile `(j - 3/8) / (n + 1/4)`.
pub fn all(time: &Mixture, n: usize) -> Vec<f64> {
    let place = |j: usize| (j as f64 - 0.375) / (n as f64 + 0.25);
    (1..=n).map(|j| time.quantile(place(j))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute_time::ComputeTime;
    use crate::simulation::Random;

    #[test]
    fn the_last_of_many_is_as_late_as_the_formula_says() {
        let time = ComputeTime { mean: 1.0, spread: 0.2, slow: 0.02, factor: 3.0 };
        let mut random = Random::new(1);
        for (n, k) in [(10, 10), (10, 8), (50, 50), (50, 45)] {
            let rounds = 3000;
            let mut sum = 0.0;
            for _ in 0..rounds {
                let mut draws: Vec<f64> = (0..n).map(|_| time.draw(&mut random)).collect();
                draws.sort_by(f64::total_cmp);
                sum += draws[k - 1];
            }
            let (seen, said) = (sum / f64::from(rounds), expected(&time.sum(1), n, k));
            assert!((said / seen - 1.0).abs() < 0.03, "{k} of {n}: {said} and {seen}");
        }
    }

    #[test]
    fn who_does_not_vary_is_not_late() {
        let time = ComputeTime::always(2.0).sum(1);
        assert!((expected(&time, 1000, 1000) - 2.0).abs() < 0.01);
        assert!(all(&time, 5).iter().all(|t| (t - 2.0).abs() < 0.01));
    }
}
