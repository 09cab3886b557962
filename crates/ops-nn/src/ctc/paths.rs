//! The sums over all alignments of one label sequence with one input sequence (Graves, chapter 7).

use downpour_tensor::{CountedVec, Result};

use super::{Real, log_add};

/// Asked once a step whether anybody still waits for the answer: the work is steps times labels.
pub(super) type Check<'a> = &'a (dyn Fn() -> Result<()> + Sync);

/// Labels with a blank before each and after the last, and how they may repeat.
pub(super) struct Paths<'a> {
    /// `2 * labels + 1` classes.
    pub extended: &'a [usize],
    pub blank: usize,
    /// True when a label may last for several steps, so that equal neighbours need a blank between.
    pub merge_repeated: bool,
}

/// The loss of one sequence, and its gradient by the input of each step and class.
pub(super) struct Outcome<T> {
    pub loss: T,
    pub gradient: CountedVec<T>,
}

impl Paths<'_> {
    /// `probabilities` are `steps` rows of `classes` numbers, each row a distribution.
    pub fn evaluate<T: Real>(
        &self,
        probabilities: CountedVec<T>,
        classes: usize,
        check: Check<'_>,
    ) -> Result<Outcome<T>> {
        let alpha = self.forward(&probabilities, classes, check)?;
        let beta = self.backward(&probabilities, classes, check)?;
        let width = self.extended.len();
        let total = alpha
            .iter()
            .zip(beta.iter())
            .take(width)
            .fold(T::neg_infinity(), |sum, (&a, &b)| log_add(sum, a + b));
        let mut gradient = probabilities;
        if total == T::neg_infinity() {
            return Ok(Outcome { loss: -total, gradient });
        }
        let mut sums = CountedVec::filled(classes, T::neg_infinity())?;
        for (t, row) in gradient.chunks_exact_mut(classes).enumerate() {
            check()?;
            sums.fill(T::neg_infinity());
            for (u, &class) in self.extended.iter().enumerate() {
                let both = alpha[t * width + u] + beta[t * width + u];
                sums[class] = log_add(sums[class], both);
            }
            for (g, &sum) in row.iter_mut().zip(sums.iter()) {
                *g = *g - T::real((sum - total).single().exp());
            }
        }
        Ok(Outcome { loss: -total, gradient })
    }

    /// Positions of the extended labels that a path can be at in step t and still finish.
    fn reachable(&self, t: usize, steps: usize) -> std::ops::Range<usize> {
        let width = self.extended.len();
        width.saturating_sub(2 * (steps - t))..width.min(2 * (t + 1))
    }

    /// True when a path may go from position u straight to u + 2.
    fn may_skip(&self, u: usize) -> bool {
        let (from, to) = (self.extended[u], self.extended[u + 2]);
        to != self.blank && !(self.merge_repeated && from == to)
    }

    fn may_stay(&self, u: usize) -> bool {
        self.merge_repeated || self.extended[u] == self.blank
    }

    /// Logarithms of the probability of all beginnings of paths that are at u in step t.
    fn forward<T: Real>(
        &self,
        probabilities: &[T],
        classes: usize,
        check: Check<'_>,
    ) -> Result<CountedVec<T>> {
        let (width, steps) = (self.extended.len(), probabilities.len() / classes);
        let mut alpha = CountedVec::filled(width.saturating_mul(steps), T::neg_infinity())?;
        for u in 0..width.min(2) {
            alpha[u] = probabilities[self.extended[u]].ln();
        }
        for t in 1..steps {
            check()?;
            let (before, now) = alpha.split_at_mut(t * width);
            let before = &before[(t - 1) * width..];
            for u in self.reachable(t, steps) {
                let mut sum = if self.may_stay(u) { before[u] } else { T::neg_infinity() };
                if u > 0 {
                    sum = log_add(sum, before[u - 1]);
                }
                if u > 1 && self.may_skip(u - 2) {
                    sum = log_add(sum, before[u - 2]);
                }
                now[u] = probabilities[t * classes + self.extended[u]].ln() + sum;
            }
        }
        Ok(alpha)
    }

    /// Logarithms of the probability of all ends of paths that are at u in step t.
    fn backward<T: Real>(
        &self,
        probabilities: &[T],
        classes: usize,
        check: Check<'_>,
    ) -> Result<CountedVec<T>> {
        let (width, steps) = (self.extended.len(), probabilities.len() / classes);
        let mut beta = CountedVec::filled(width.saturating_mul(steps), T::neg_infinity())?;
        for u in width.saturating_sub(2)..width {
            beta[(steps - 1) * width + u] = T::zero();
        }
        for t in (0..steps - 1).rev() {
            check()?;
            let (now, after) = beta.split_at_mut((t + 1) * width);
            let now = &mut now[t * width..];
            let next =
                |u: usize| after[u] + probabilities[(t + 1) * classes + self.extended[u]].ln();
            for u in self.reachable(t, steps) {
                let mut sum = if self.may_stay(u) { next(u) } else { T::neg_infinity() };
                if u + 1 < width {
                    sum = log_add(sum, next(u + 1));
                }
                // TensorFlow looks at the label left behind, which comes to the same: of three
                // neighbours the outer two are both blanks or both labels.
                if u + 2 < width && self.may_skip(u) {
                    sum = log_add(sum, next(u + 2));
                }
                now[u] = sum;
            }
        }
        Ok(beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Graves' example: P(a) over two steps is 0.3*0.4 + 0.3*0.6 + 0.7*0.4.
    #[test]
    fn two_steps_by_hand() {
        let paths = Paths { extended: &[1, 0, 1], blank: 1, merge_repeated: true };
        let rows = CountedVec::from_vec(vec![0.3f64, 0.7, 0.4, 0.6]).unwrap();
        let outcome = paths.evaluate(rows, 2, &|| Ok(())).unwrap();
        assert!((outcome.loss + 0.58f64.ln()).abs() < 1e-6);
        // Of the paths with label a, 0.3 of 0.58 begin with it.
        assert!((outcome.gradient[0] - (0.3 - 0.3 / 0.58)).abs() < 1e-6);
    }

    #[test]
    fn a_label_that_cannot_appear_gives_no_path() {
        let paths = Paths { extended: &[1, 0, 1], blank: 1, merge_repeated: true };
        let rows = CountedVec::from_vec(vec![0.0f32, 1.0]).unwrap();
        let outcome = paths.evaluate(rows, 2, &|| Ok(())).unwrap();
        assert_eq!(outcome.loss, f32::INFINITY);
        assert_eq!(*outcome.gradient, [0.0, 1.0]);
    }

    #[test]
    fn tables_beyond_the_memory_limit_are_refused_before_they_are_made() {
        let labels = vec![0; 1 << 20];
        let paths = Paths { extended: &labels, blank: 1, merge_repeated: true };
        let rows = CountedVec::filled(1 << 24, 0.5f32).unwrap();
        let refused = paths.evaluate(rows, 1, &|| Ok(())).err().unwrap();
        assert_eq!(refused.code(), downpour_tensor::Code::ResourceExhausted);
    }
}
