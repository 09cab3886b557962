//! How old the parameters were that gradients had been computed from.

use super::Run;

/// Where servers stop to tell apart: the last count is of all that are at least so stale.
const LAST: usize = 63;

/// How many updates had a staleness of 0, 1, 2 and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Staleness {
    /// Never ends with a 0.
    counts: Vec<u64>,
}

impl Run {
    /// The staleness of all updates at all servers; none if no server has counted it.
    pub fn staleness(&self) -> Option<Staleness> {
        let books = self.tasks.iter().flat_map(|task| &task.lives).filter_map(|l| l.books.as_ref());
        let mut staleness = Staleness::default();
        books.for_each(|books| staleness.add(&books.staleness));
        (staleness.updates() > 0).then_some(staleness)
    }
}

impl Staleness {
    /// Adds what another server has counted.
    pub fn add(&mut self, counts: &[u64]) {
        if self.counts.len() < counts.len() {
            self.counts.resize(counts.len(), 0);
        }
        for (sum, count) in self.counts.iter_mut().zip(counts) {
            *sum = sum.saturating_add(*count);
        }
        let known = self.counts.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        self.counts.truncate(known);
    }

    /// The counts, of 0, 1, 2 and so on.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many updates there were, a server's each for itself.
    pub fn updates(&self) -> u64 {
        self.counts.iter().copied().fold(0, u64::saturating_add)
    }

    /// The mean; too small if some were [beyond](Staleness::beyond) what is told apart.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.counts.iter().enumerate().map(|(age, n)| age as f64 * *n as f64).sum();
        sum / (self.updates() as f64).max(1.0)
    }

    /// The smallest staleness that a share of all updates (0.95 for 95 %) did not exceed.
    pub fn quantile(&self, share: f64) -> usize {
        let wanted = share * self.updates() as f64;
        let mut seen = 0.0;
        let reached = self.counts.iter().position(|count| {
            seen += *count as f64;
            seen >= wanted
        });
        reached.unwrap_or(self.largest())
    }

    /// The largest.
    pub fn largest(&self) -> usize {
        self.counts.len().saturating_sub(1)
    }

    /// Whether the last count is of all that are at least so stale.
    pub fn beyond(&self) -> bool {
        self.counts.len() > LAST
    }

    /// Whether no gradient was stale.
    pub fn is_none(&self) -> bool {
        self.counts.len() <= 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_counts_add_up() {
        let mut staleness = Staleness::default();
        staleness.add(&[5, 0, 0, 0]);
        assert!(staleness.is_none() && staleness.mean() == 0.0 && staleness.largest() == 0);
        staleness.add(&[1, 2, 0, 2, 0, 0]);
        assert_eq!(staleness.counts(), [6, 2, 0, 2]);
        assert_eq!((staleness.updates(), staleness.mean(), staleness.largest()), (10, 0.8, 3));
        assert_eq!([0.5, 0.8, 0.95].map(|share| staleness.quantile(share)), [0, 1, 3]);
        assert!(!staleness.beyond());
        staleness.add(&[1; 64]);
        assert!(staleness.beyond());
    }

    #[test]
    fn nothing_counted_is_no_trouble() {
        let none = Staleness::default();
        assert_eq!(
            (none.updates(), none.mean(), none.quantile(0.5), none.largest()),
            (0, 0.0, 0, 0)
        );
        assert_eq!(Run::default().staleness(), None);
    }
}
