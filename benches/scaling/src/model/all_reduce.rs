//! Workers that average gradients between themselves.
//!
//! With `n` ranks, `B` bytes, `r = latency + 2 message` for a round, and `L = floor(log2 n)`:
//!
//! ```text
//! ring         = 2 (n-1) (r + B/n / bandwidth)
//! halving      = 2 L r + 2 B (1 - 2^-L) / bandwidth
//!                + 2 r + B (3 - 2^-L) / bandwidth, unless n is a power of two
//! hierarchical = inside, both ways: 2 (g-1) (r' + B/g / bandwidth')
//!                + flat(B/g, n/g) with 1/g of the machine's bandwidth for each of its g ranks
//! ```
//!
//! The ranks beyond a power of two hand their buffers to others first and get the result at the end, twice `B`; while those
//! others receive them, what their peers send comes in through the same card.
//!
//! A step without overlap computes, waits for the last (`E[max X]`) and then reduces. With overlap, buckets leave
//! while the rest of the gradients is computed: of `K` buckets that are ready one after the other in the backward half,
//! each starts when it is ready and the one before is done.

use downpour_collectives::{Algorithm, CostModel};

use super::order;
use crate::cluster::{Cluster, Step};

/// The share of a step's computing in which gradients become ready: the backward pass is twice the forward pass.
pub const BACKWARD: f64 = 2.0 / 3.0;

/// Seconds of one all-reduce of so many bytes, and how many of them are rounds.
pub fn reduce(cluster: &Cluster, algorithm: Algorithm, bytes: f64) -> (f64, f64) {
    match algorithm {
        Algorithm::Hierarchical => hierarchical(cluster, bytes),
        flat => {
            let line = Line {
                latency: cluster.latency,
                message: cluster.message,
                bandwidth: cluster.bandwidth,
            };
            line.reduce(flat, bytes, cluster.workers)
        }
    }
}

fn hierarchical(cluster: &Cluster, bytes: f64) -> (f64, f64) {
    let machines = cluster.machines;
    let g = machines.ranks.clamp(1, cluster.workers) as f64;
    let inside = machines.latency + 2.0 * cluster.message;
    let rounds = 2.0 * (g - 1.0) * inside;
    let moved = 2.0 * (g - 1.0) * bytes / g / machines.bandwidth;
    let line = Line {
        latency: cluster.latency,
        // Of a card that g ranks use at the same time.
        message: cluster.message * (g + 1.0) / 2.0,
        bandwidth: cluster.bandwidth / g,
    };
    let counterparts = (cluster.workers as f64 / g).round() as usize;
    let flat = costs(cluster).choose_flat((bytes / g) as usize, counterparts);
    let (time, outer) = line.reduce(flat, bytes / g, counterparts);
    (rounds + moved + time, rounds + outer)
}

/// The constants as the all-reduces know them, from which they choose their way.
pub fn costs(cluster: &Cluster) -> CostModel {
    let nanoseconds = 1e9;
    CostModel {
        latency: cluster.latency * nanoseconds,
        message: 2.0 * cluster.message * nanoseconds,
        byte: nanoseconds / cluster.bandwidth,
        combine: 0.0,
    }
}

struct Line {
    latency: f64,
    message: f64,
    bandwidth: f64,
}

impl Line {
    fn reduce(&self, algorithm: Algorithm, bytes: f64, ranks: usize) -> (f64, f64) {
        let n = ranks.max(1) as f64;
        let round = self.latency + 2.0 * self.message;
        let levels = f64::from(ranks.max(1).ilog2());
        let odd = if ranks.is_power_of_two() { 0.0 } else { 1.0 };
        let up = levels + odd;
        let power = levels.exp2();
        let (rounds, moved) = match algorithm {
            Algorithm::Direct => (1.0, (n - 1.0) * bytes),
            // Once more for what comes in besides, as in halving.
            Algorithm::Doubling => (levels + 2.0 * odd, (levels + 3.0 * odd) * bytes),
            Algorithm::Tree => (2.0 * up, 2.0 * up * bytes),
            Algorithm::Halving => {
                let halves = 1.0 - 1.0 / power;
                (2.0 * up, bytes * (2.0 * halves + odd * (2.0 + halves)))
            }
            Algorithm::Ring | Algorithm::Hierarchical => {
                (2.0 * (n - 1.0), 2.0 * (n - 1.0) * bytes / n)
            }
        };
        (rounds * round + moved / self.bandwidth, rounds * round)
    }
}

/// A step whose all-reduce starts when computing is over.
pub fn step(cluster: &Cluster, algorithm: Algorithm) -> Step {
    overlapped(cluster, algorithm, 1)
}

/// A step whose gradients leave in so many equal buckets as they become ready; 1 is no overlap.
pub fn overlapped(cluster: &Cluster, algorithm: Algorithm, buckets: usize) -> Step {
    let n = cluster.workers;
    let slowest = order::expected(&cluster.compute.sum(1), n, n);
    let buckets = buckets.max(1);
    let (each, rounds) = reduce(cluster, algorithm, cluster.bytes / buckets as f64);
    let mut done = 0.0f64;
    for bucket in 1..=buckets {
        let ready = slowest * (1.0 - BACKWARD * (1.0 - bucket as f64 / buckets as f64));
        done = done.max(ready) + each;
    }
    let visible = done - slowest;
    let latency = visible * rounds / each;
    let compute = cluster.compute.expected();
    Step {
        compute,
        stragglers: slowest - compute,
        network: visible - latency,
        servers: 0.0,
        latency,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::example;

    #[test]
    fn overlap_hides_but_cannot_hide_everything() {
        let cluster = example(16);
        let plain = step(&cluster, Algorithm::Ring).time();
        let hidden = overlapped(&cluster, Algorithm::Ring, 8).time();
        assert!(hidden < plain, "{hidden} and {plain}");
        assert!(hidden > order::expected(&cluster.compute.sum(1), 16, 16));
    }

    #[test]
    fn a_ring_moves_the_least_and_halving_has_the_fewest_rounds() {
        let large = Cluster { bytes: 1e9, ..example(64) };
        let small = Cluster { bytes: 1e4, ..example(64) };
        let time = |cluster: &Cluster, a| reduce(cluster, a, cluster.bytes).0;
        assert!(time(&large, Algorithm::Ring) < time(&large, Algorithm::Doubling));
        assert!(time(&small, Algorithm::Halving) < time(&small, Algorithm::Ring));
    }
}
