//! Downpour SGD: every worker goes on by itself, pushes after so many steps and fetches after so many.
//!
//! A worker's step is computing, and of every push its part `1/push_every`, of every fetch `1/fetch_every`. At the
//! servers a push needs the card's time `c` and the processor's `p`, a fetch the card's time `c` the other way; these
//! are stations with queues ([`super::queue`]), everything else is thinking:
//!
//! ```text
//! think    = mean + (2 l + alone - c) / push_every + (2 l + alone - c) / fetch_every
//! stations = c / push_every, p / push_every, c / fetch_every
//! ```

use super::queue;
use crate::cluster::{Cluster, Step};

/// A worker's step.
pub fn step(cluster: &Cluster, push_every: usize, fetch_every: usize) -> Step {
    let (pushes, fetches) = (1.0 / push_every.max(1) as f64, 1.0 / fetch_every.max(1) as f64);
    let (card, processor) = (cluster.card(), cluster.processor());
    let rounds = (pushes + fetches) * (2.0 * cluster.latency + 3.0 * cluster.message);
    let own = (pushes + fetches) * (cluster.alone() - card).max(0.0);
    let compute = cluster.compute.expected();
    let stations = [card * pushes, processor * pushes, card * fetches];
    let (_, times) = queue::cycle(cluster.workers, compute + rounds + own, &stations);
    Step {
        compute,
        stragglers: 0.0,
        network: own + times[0] + times[2],
        servers: times[1],
        latency: rounds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::example;

    #[test]
    fn rarer_exchanges_are_quicker_and_workers_in_the_way_slower() {
        let cluster = example(100);
        assert!(step(&cluster, 10, 10).time() < step(&cluster, 5, 5).time());
        assert!(step(&cluster, 5, 10).time() < step(&cluster, 5, 5).time());
        let crowded = Cluster { workers: 200, ..cluster };
        assert!(step(&cluster, 1, 1).time() < step(&crowded, 1, 1).time());
        // Nothing is quicker than computing.
        assert!(step(&cluster, 1000, 1000).time() > cluster.compute.expected());
    }
}
