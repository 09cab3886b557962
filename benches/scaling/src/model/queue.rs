//! Workers that come to servers again and again, and the queues they find there.
//!
//! Mean value analysis of a closed network: `n` workers each think for `z` seconds, then visit stations that need
//! `d_i` seconds of work for each visit. Whoever arrives finds the queue that there would be without him:
//!
//! ```text
//! r_i(n) = d_i (1 + q_i(n-1))      time at station i
//! x(n)   = n / (z + Σ r_i(n))      visits a second
//! q_i(n) = x(n) r_i(n)             queue at station i
//! ```
//!
//! Exact where a station shares itself among those who are there, as a card does among connections.

/// Seconds from one visit of a worker to its next: of thinking, and at each station.
pub fn cycle(workers: usize, think: f64, stations: &[f64]) -> (f64, Vec<f64>) {
    let mut queues = vec![0.0; stations.len()];
    let mut times = stations.to_vec();
    let mut cycle = think + stations.iter().sum::<f64>();
    for n in 1..=workers {
        for ((time, demand), queue) in times.iter_mut().zip(stations).zip(&queues) {
            *time = demand * (1.0 + queue);
        }
        cycle = think + times.iter().sum::<f64>();
        for (queue, time) in queues.iter_mut().zip(&times) {
            *queue = n as f64 * time / cycle;
        }
    }
    (cycle, times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_workers_meet_nobody_and_many_wait_for_the_busiest() {
        assert_eq!(cycle(1, 1.0, &[0.1, 0.2]).0, 1.3);
        let (time, _) = cycle(1000, 1.0, &[0.1, 0.2]);
        assert!((time / 200.0 - 1.0).abs() < 0.01, "{time}");
    }
}
