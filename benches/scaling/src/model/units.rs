//! Sandblaster: a batch cut into units that idle workers take.
//!
//! With `u` units for every one of `n` workers, each of `t` seconds on a worker of the common speed, and an exchange of
//! `e = 2 latency + 4 message` for every unit, workers of which a share `slow` has `1/factor` of the speed do
//!
//! ```text
//! v = (1 - slow) / (t + e) + slow / (factor t + e)      units a second, on average
//! T = u / v + (t + e) / 2
//! ```
//!
//! The first part is the work over the speed of all together: who is slow takes fewer. The second is the end, where
//! half a unit is left on average, since the last units of slow workers are given to others too.

use crate::cluster::{Cluster, Step};

/// A batch. A unit takes `compute.mean / units`; `slow` of the workers are slow all the time.
pub fn batch(cluster: &Cluster, units: usize) -> Step {
    let compute = cluster.compute;
    let unit = compute.mean / units.max(1) as f64;
    let exchange = 2.0 * cluster.latency + 4.0 * cluster.message;
    let slow = (compute.slow * cluster.workers as f64).round() / cluster.workers.max(1) as f64;
    let speed = |exchange: f64| {
        (1.0 - slow) / (unit + exchange) + slow / (compute.factor * unit + exchange)
    };
    let computing = units as f64 / speed(0.0);
    let all = units as f64 / speed(exchange);
    Step {
        compute: computing,
        stragglers: (unit + exchange) / 2.0,
        latency: all - computing,
        ..Step::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::example;

    #[test]
    fn smaller_units_end_together_until_the_exchanges_cost_more() {
        let cluster = example(100);
        assert!(batch(&cluster, 16).time() < batch(&cluster, 2).time());
        assert!(batch(&cluster, 16).time() < batch(&cluster, 100_000).time());
    }
}
