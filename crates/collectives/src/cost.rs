//! What an all-reduce costs by each way, and so which way is taken.
//!
//! The time of a way is the sum over its rounds of what a rank spends in them: `latency` until a round's
//! message is there, `message` for each message a rank handles, `byte` for each byte it sends and receives and
//! `combine` for each byte it reduces. With `n` ranks, `S` bytes and `L = log2 n`:
//!
//! | way | rounds | messages | bytes | combined |
//! | --- | --- | --- | --- | --- |
//! | direct | 1 | n-1 | (n-1)S | (n-1)S |
//! | doubling | L (+2) | L (+2) | LS (+2S) | LS (+S) |
//! | tree | 2L | 2L | 2LS | LS |
//! | halving | 2L (+2) | 2L (+2) | 2S(n-1)/n (+2S) | S(n-1)/n (+S) |
//! | ring | 2(n-1) | 2(n-1) | 2S(n-1)/n | S(n-1)/n |
//!
//! (in brackets: more if `n` is no power of two). Halving's bytes count `HALVING` times: it uses other
//! connections in every round and large messages in the first, which costs caches what the ring keeps. All ranks must come to the same choice, so the constants
//! must be the same on all of them: they are not measured while a group starts.

use crate::algorithm::Algorithm;
use crate::algorithm::fold::power_below;
use crate::mesh::EAGER;

/// Processor time of a megabyte by halving against the ring's between four processes (3.3 ms to 2.8 ms over TCP,
/// 1.59 ms to 1.50 ms over Unix sockets).
const HALVING: f64 = 1.15;

/// The constants, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostModel {
    /// From a message's sending to its being received, beyond the work of both sides.
    pub latency: f64,
    /// The work of sending and receiving a message, whatever its size.
    pub message: f64,
    /// A byte sent and received.
    pub byte: f64,
    /// A byte combined with another.
    pub combine: f64,
}

impl Default for CostModel {
    /// Measured between processes of one machine over loopback TCP: a round of 1 KB takes 10 us, of which half
    /// is work, and a megabyte sent and received half a millisecond of a processor.
    fn default() -> CostModel {
        CostModel { latency: 5_000.0, message: 5_000.0, byte: 0.5, combine: 0.1 }
    }
}

impl CostModel {
    /// Nanoseconds an all-reduce of so many bytes takes by one way between so many equal ranks.
    pub fn estimate(&self, algorithm: Algorithm, bytes: usize, ranks: usize) -> f64 {
        let (n, s) = (ranks.max(1) as f64, bytes as f64);
        let levels = f64::from(power_below(ranks).ilog2());
        let odd = if ranks.is_power_of_two() { 0.0 } else { 1.0 };
        let share = s * (n - 1.0) / n;
        let (rounds, messages, moved, combined) = match algorithm {
            Algorithm::Direct => (1.0, n - 1.0, (n - 1.0) * s, (n - 1.0) * s),
            Algorithm::Doubling => {
                let rounds = levels + 2.0 * odd;
                (rounds, rounds, rounds * s, (levels + odd) * s)
            }
            Algorithm::Tree => {
                let up = levels + odd;
                (2.0 * up, 2.0 * up, 2.0 * up * s, up * s)
            }
            Algorithm::Halving => {
                let rounds = 2.0 * (levels + odd);
                (rounds, rounds, HALVING * (2.0 * share + 2.0 * odd * s), share + odd * s)
            }
            Algorithm::Ring | Algorithm::Hierarchical => {
                (2.0 * (n - 1.0), 2.0 * (n - 1.0), 2.0 * share, share)
            }
        };
        rounds * self.latency
            + messages * self.message
            + moved * self.byte
            + combined * self.combine
    }

    /// The quickest way between ranks that are all equally far from each other.
    pub fn choose_flat(&self, bytes: usize, ranks: usize) -> Algorithm {
        let cost = |a: &Algorithm| self.estimate(*a, bytes, ranks);
        Algorithm::FLAT
            .into_iter()
            // Beyond this it is not one round any more.
            .filter(|a| *a != Algorithm::Direct || bytes <= EAGER)
            .min_by(|a, b| cost(a).total_cmp(&cost(b)))
            .unwrap_or(Algorithm::Ring)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_buffers_take_few_rounds_and_large_ones_few_bytes() {
        let costs = CostModel::default();
        for ranks in 2..64 {
            let small = costs.choose_flat(64, ranks);
            assert!(!matches!(small, Algorithm::Ring | Algorithm::Halving), "{ranks}: {small:?}");
            let large = costs.choose_flat(1 << 30, ranks);
            assert!(matches!(large, Algorithm::Ring | Algorithm::Halving), "{ranks}: {large:?}");
        }
        // Few ranks are well served by a ring, many by fewer rounds.
        assert_eq!(costs.choose_flat(1 << 20, 4), Algorithm::Ring);
        assert_eq!(costs.choose_flat(1 << 20, 64), Algorithm::Halving);
        // Handing a whole buffer to another rank first is too dear for a large one.
        assert_eq!(costs.choose_flat(1 << 30, 7), Algorithm::Ring);
    }

    #[test]
    fn constants_change_the_choice() {
        let slow = CostModel { latency: 1e9, ..CostModel::default() };
        assert_eq!(slow.choose_flat(1 << 20, 8), Algorithm::Doubling);
    }
}
