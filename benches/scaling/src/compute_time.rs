//! How long computing takes: not always the same.
//!
//! A step takes a time that is distributed log-normally around a mean, with a standard deviation of `spread` times
//! the mean. Of all steps a share `slow` takes `factor` times as long: somebody else used the processor. Sums of
//! several steps are mixtures of the same kind, with as many parts as there are numbers of slow steps among them.

use crate::simulation::Random;

/// The time of one step.
#[derive(Clone, Copy, Debug)]
pub struct ComputeTime {
    /// Of a step that is not slow, in seconds.
    pub mean: f64,
    /// Its standard deviation, as a share of the mean.
    pub spread: f64,
    /// How many of all steps are slow.
    pub slow: f64,
    /// How many times as long they take.
    pub factor: f64,
}

impl ComputeTime {
    /// With neither spread nor slow ones.
    pub fn always(mean: f64) -> ComputeTime {
        ComputeTime { mean, spread: 0.0, slow: 0.0, factor: 1.0 }
    }

    /// The mean of all steps.
    pub fn expected(&self) -> f64 {
        self.mean * (1.0 - self.slow + self.slow * self.factor)
    }

    /// The variance of all steps.
    pub fn variance(&self) -> f64 {
        let square = self.mean * self.mean * (1.0 + self.spread * self.spread);
        let all = square * (1.0 - self.slow + self.slow * self.factor * self.factor);
        (all - self.expected().powi(2)).max(0.0)
    }

    /// One of them, by chance.
    pub fn draw(&self, random: &mut Random) -> f64 {
        let factor = if random.unit() < self.slow { self.factor } else { 1.0 };
        let (place, width) = log_normal(self.mean, (self.mean * self.spread).powi(2));
        factor * (place + width * random.normal()).exp()
    }

    /// The time of so many steps one after the other.
    pub fn sum(&self, steps: usize) -> Mixture {
        let variance = (self.mean * self.spread).powi(2);
        let part = |slow: usize| {
            let (slow, quick) = (slow as f64, (steps - slow) as f64);
            let (mean, variance) = (
                self.mean * (quick + slow * self.factor),
                variance * (quick + slow * self.factor * self.factor),
            );
            let (place, width) = log_normal(mean, variance);
            Part { weight: binomial(steps, slow as usize, self.slow), place, width }
        };
        Mixture { parts: (0..=steps).map(part).filter(|part| part.weight > 1e-12).collect() }
    }
}

/// Place and width of the normal distribution of the logarithm.
fn log_normal(mean: f64, variance: f64) -> (f64, f64) {
    // A width of nothing has no distribution function.
    let square = (variance / (mean * mean)).max(1e-12).ln_1p();
    (mean.ln() - square / 2.0, square.sqrt())
}

/// The chance of `k` of `n`, where each has the chance `p`.
pub fn binomial(n: usize, k: usize, p: f64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        let all = if p <= 0.0 { 0 } else { n };
        return if k == all { 1.0 } else { 0.0 };
    }
    let (n, k) = (n as f64, k as f64);
    let ways = ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    (ways + k * p.ln() + (n - k) * (1.0 - p).ln()).exp()
}

/// Stirling's series from 10 on, where it is good to ten digits; the product below.
fn ln_factorial(n: f64) -> f64 {
    if n < 10.0 {
        return (2..=n as u32).map(|i| f64::from(i).ln()).sum();
    }
    let x = n + 1.0;
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

/// Log-normal distributions, each with its weight.
#[derive(Clone, Debug)]
pub struct Mixture {
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    weight: f64,
    place: f64,
    width: f64,
}

impl Mixture {
    /// The chance of at most `time`.
    pub fn at_most(&self, time: f64) -> f64 {
        if time <= 0.0 {
            return 0.0;
        }
        let each = |part: &Part| part.weight * normal((time.ln() - part.place) / part.width);
        self.parts.iter().map(each).sum::<f64>().min(1.0)
    }

    /// The time that such a share of all steps does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        let (mut low, mut high) = (0.0, self.longest());
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.at_most(middle) < share { low = middle } else { high = middle }
        }
        high
    }

    /// Longer than this is nothing that counts.
    pub(crate) fn longest(&self) -> f64 {
        self.parts.iter().map(|part| (part.place + 7.0 * part.width).exp()).fold(0.0, f64::max)
    }
}

/// The normal distribution, with an error below 1e-7 (Abramowitz and Stegun, 26.2.17).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = t
        * (0.319_381_530
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt() * series;
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_has_the_distribution_that_is_said() {
        let time = ComputeTime { mean: 0.2, spread: 0.3, slow: 0.1, factor: 4.0 };
        let mut random = Random::new(5);
        let draws: Vec<f64> = (0..40_000).map(|_| time.draw(&mut random)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        assert!((mean / time.expected() - 1.0).abs() < 0.02, "{mean}");
        let square = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!((square / time.variance() - 1.0).abs() < 0.05, "{square}");
        for limit in [0.1, 0.2, 0.5, 1.0] {
            let seen = draws.iter().filter(|d| **d <= limit).count() as f64 / draws.len() as f64;
            assert!((seen - time.sum(1).at_most(limit)).abs() < 0.01, "{limit}: {seen}");
        }
    }

    #[test]
    fn quantiles_are_the_distribution_backwards() {
        let sum = ComputeTime { mean: 1.0, spread: 0.2, slow: 0.05, factor: 3.0 }.sum(4);
        for share in [0.01, 0.5, 0.9, 0.999] {
            assert!((sum.at_most(sum.quantile(share)) - share).abs() < 1e-6);
        }
        assert!((ComputeTime::always(2.0).sum(3).quantile(0.5) - 6.0).abs() < 1e-3);
    }
}
