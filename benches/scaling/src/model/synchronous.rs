//! Parameter servers that wait for everybody, or for all but some backups.
//!
//! With `n` workers, `b` backups, `k = n-b`, `s` servers, `B` bytes, latency `l`, `c` the time of a server's card for
//! one worker's share (message + `B/s`/bandwidth) and `p` that of its processor:
//!
//! ```text
//! spread  = l + max(n c, 2 l + alone)               parameters go out to all workers
//! collect = l + max( max_j (X_j + (k-j+1) max(c, p)),   gradients come in: a queue at each server
//!                    X_k + alone ) + min(c, p)
//! step    = spread + collect
//! ```
//!
//! `X_j` is when the `j`-th worker has computed. Workers that finish together queue (incast), those that finish apart
//! do not. Whoever finished last has yet to hear so and to ask for parameters (the `2 l`); the others' are on
//! their way meanwhile. Late gradients of backups take their place in the queue too, one step later: with them all
//! `n` use the card, though only `k` are waited for.

use super::order;
use crate::cluster::{Cluster, Step};

/// A step of all workers but `backups`.
pub fn step(cluster: &Cluster, backups: usize) -> Step {
    let n = cluster.workers;
    let k = n.saturating_sub(backups).max(1);
    let (card, processor) = (cluster.card(), cluster.processor());
    let round = 2.0 * cluster.latency + 3.0 * cluster.message;
    let spread = cluster.latency + (n as f64 * card).max(round + cluster.alone());
    let time = cluster.compute.sum(1);
    let last = order::expected(&time, n, k);
    let mean = cluster.compute.expected();
    let times = order::all(&time, n);
    let collect = |service: f64| {
        // A quantile of few may lie beyond what the last of them takes on average.
        let queue = |(j, finished): (usize, f64)| finished.min(last) + (k - j) as f64 * service;
        let busiest = times[..k].iter().copied().enumerate().map(queue).fold(0.0, f64::max);
        busiest.max(last + service).max(last + cluster.alone())
    };
    let through_card = collect(card);
    let all = collect(card.max(processor)) + card.min(processor);
    let moved = spread + cluster.latency + through_card - last;
    let latency = moved.min(4.0 * cluster.latency + 6.0 * cluster.message);
    // With backups nobody may be waited for beyond the mean.
    let compute = mean.min(last);
    Step {
        compute,
        stragglers: last - compute,
        network: moved - latency,
        servers: all - through_card,
        latency,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::example;

    #[test]
    fn more_servers_and_more_backups_are_not_slower() {
        let mut before = f64::MAX;
        for servers in [1, 2, 5, 10, 50] {
            let time = step(&Cluster { servers, ..example(100) }, 0).time();
            assert!(time <= before * 1.001, "{servers} servers");
            before = time;
        }
        let mut before = f64::MAX;
        for backups in [0, 1, 2, 5, 10] {
            let time = step(&example(100), backups).time();
            assert!(time <= before * 1.001, "{backups} backups");
            before = time;
        }
    }

    #[test]
    fn one_worker_alone_computes_and_moves_everything_twice() {
        let cluster = Cluster { servers: 1, ..example(1) };
        let least = cluster.compute.expected() + 2.0 * cluster.transfer();
        let time = step(&cluster, 0).time();
        assert!(time > least && time < least * 1.2, "{time} and {least}");
    }
}
