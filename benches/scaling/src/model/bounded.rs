//! Bounded staleness: everybody pushes when it is done, nobody is more than `b` steps ahead of the slowest.
//!
//! A worker's lag behind the others is a queue of work: it grows by what a step takes beyond a common time `t` per step,
//! and shrinks when it is quicker. Its chance of exceeding `x` falls as `exp(-2 (t-m) x / v)`, with the mean `m` and the
//! variance `v` of a step (Kingman), so the largest of `n` lags is about `v ln n / (2 (t-m))`. Everybody waits when that is
//! more than `b` steps; the time at which it just is not, is
//!
//! ```text
//! step = downpour(1, 1) + min( v ln n / (2 b m),  E[max of n] - m )
//! ```
//!
//! with the servers' queues of [`super::downpour`], of a push and a fetch each step. A bound of 0 is the synchronous step.

use super::{downpour, order, synchronous};
use crate::cluster::{Cluster, Step};

/// A step of every worker.
pub fn step(cluster: &Cluster, bound: usize) -> Step {
    if bound == 0 {
        return synchronous::step(cluster, 0);
    }
    let (n, mean) = (cluster.workers, cluster.compute.expected());
    let slowest = order::expected(&cluster.compute.sum(1), n, n) - mean;
    let lag = cluster.compute.variance() * (n as f64).ln() / (2.0 * bound as f64 * mean);
    Step { stragglers: lag.min(slowest.max(0.0)), ..downpour::step(cluster, 1, 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::example;

    #[test]
    fn a_larger_bound_is_not_slower() {
        let mut before = f64::MAX;
        for bound in [0, 1, 2, 4, 8, 16] {
            let time = step(&example(50), bound).time();
            assert!(time <= before * 1.01, "bound {bound}: {time} after {before}");
            before = time;
        }
    }
}
