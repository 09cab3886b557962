//! First values of rows: numbers that depend on the seed and the id alone.
//!
//! So an id starts with the same values whichever worker admits it, in whichever order, and before and after a
//! checkpoint is restored.

use std::f64::consts::TAU;

use downpour_runtime::KernelBuild;
use downpour_tensor::{RealNumber, Result, Status};

use super::candidates::mix;

#[derive(Clone, Copy, Debug)]
pub(super) struct Initial {
    distribution: Distribution,
    /// The least number, or the mean.
    first: f64,
    /// The greatest number, or the deviation.
    second: f64,
    seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Distribution {
    Constant,
    Uniform,
    Normal,
    TruncatedNormal,
}

impl Initial {
    /// As the attributes `initial`, `first`, `second` and `seed` say.
    pub fn of(build: &KernelBuild<'_>) -> Result<Initial> {
        let distribution = match build.string("initial")?.as_str() {
            "constant" => Distribution::Constant,
            "uniform" => Distribution::Uniform,
            "normal" => Distribution::Normal,
            "truncated_normal" => Distribution::TruncatedNormal,
            other => {
                return Err(Status::invalid_argument(format!(
                    "rows of an id table cannot start as '{other}'"
                )));
            }
        };
        let (first, second) = (build.float("first")?.into(), build.float("second")?.into());
        Ok(Initial { distribution, first, second, seed: build.int("seed")? as u64 })
    }

    pub fn fill<T: RealNumber>(&self, id: i64, row: &mut [T]) {
        let mut draws = Draws { state: mix(mix(self.seed) ^ id as u64) };
        for value in row {
            let number = match self.distribution {
                Distribution::Constant => self.first,
                Distribution::Uniform => self.first + (self.second - self.first) * draws.uniform(),
                Distribution::Normal => self.first + self.second * draws.normal(),
                Distribution::TruncatedNormal => self.first + self.second * draws.truncated(),
            };
            *value = T::from_f64(number).unwrap_or_default();
        }
    }
}

struct Draws {
    state: u64,
}

impl Draws {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// At least 0 and below 1.
    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }

    /// None further than two deviations away.
    fn truncated(&mut self) -> f64 {
        // One in twenty is too far: sixty in a row will not be, and the loop has an end.
        (0..60).map(|_| self.normal()).find(|x| x.abs() <= 2.0).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(distribution: Distribution, seed: u64) -> Vec<f32> {
        let initial = Initial { distribution, first: 1.0, second: 3.0, seed };
        let mut all = vec![0f32; 8000];
        for (id, row) in all.chunks_mut(8).enumerate() {
            initial.fill(id as i64 - 500, row);
        }
        all
    }

    fn mean_and_deviation(values: &[f32]) -> (f32, f32) {
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        let squares = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>();
        (mean, (squares / values.len() as f32).sqrt())
    }

    #[test]
    fn distributions_are_what_they_say() {
        let uniform = values(Distribution::Uniform, 1);
        assert!(uniform.iter().all(|v| (1.0..=3.0).contains(v)));
        let (mean, deviation) = mean_and_deviation(&uniform);
        assert!((mean - 2.0).abs() < 0.05 && (deviation - 0.577).abs() < 0.03);
        let (mean, deviation) = mean_and_deviation(&values(Distribution::Normal, 1));
        assert!((mean - 1.0).abs() < 0.15 && (deviation - 3.0).abs() < 0.15);
        let truncated = values(Distribution::TruncatedNormal, 1);
        assert!(truncated.iter().all(|v| (v - 1.0).abs() <= 6.0));
        assert!(values(Distribution::Constant, 1).iter().all(|v| *v == 1.0));
    }

    #[test]
    fn seeds_and_ids_give_other_numbers_and_the_same_ones_again() {
        let first = values(Distribution::Uniform, 1);
        assert_eq!(first, values(Distribution::Uniform, 1));
        assert_ne!(first, values(Distribution::Uniform, 2));
        assert_ne!(first[..8], first[8..16]);
    }
}
