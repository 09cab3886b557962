//! Sandblaster's schedule: the one of the real coordinator, told what happens when.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::time::Duration;

use downpour_lbfgs::units::{Answer, Assignment, Schedule, Unit};
use downpour_tensor::Result;

use super::Random;
use crate::cluster::Cluster;

/// When, its number, whose, and of which unit; without one it is time to look who is late.
type End = (Duration, u64, u64, Option<Unit>);

/// Seconds of a batch of so many units for each worker; the mean of `batches`, after one that shows how fast everybody is.
pub fn units(cluster: Cluster, units: usize, batches: usize, seed: u64) -> Result<f64> {
    let mut random = Random::new(seed);
    let mut schedule = Schedule::default();
    let workers = cluster.workers as u64;
    (0..workers).for_each(|worker| schedule.join(worker));
    let slow = (cluster.compute.slow * workers as f64).round() as u64;
    let exchange = 2.0 * cluster.latency + 4.0 * cluster.message;
    let unit = crate::ComputeTime {
        mean: cluster.compute.mean / units as f64,
        slow: 0.0,
        ..cluster.compute
    };
    let mut now = Duration::ZERO;
    let mut begun = now;
    let mut ends: BinaryHeap<Reverse<End>> = BinaryHeap::new();
    // What each is at; an end that was cancelled is of another number.
    let mut at: HashMap<u64, u64> = HashMap::new();
    let mut number = 0;
    let mut alarm: Option<Duration> = None;
    for batch in 0..=batches {
        if batch == 1 {
            begun = now;
        }
        schedule.begin(units as u64 * workers, 1)?;
        let mut given = schedule.assign(now);
        while !schedule.is_done() {
            for Assignment { replica, unit: what, .. } in given.drain(..) {
                // Spread evenly: who is slow is so in every batch.
                let is_slow = replica * slow % workers < slow;
                let factor = if is_slow { cluster.compute.factor } else { 1.0 };
                let time = exchange + factor * unit.draw(&mut random);
                number += 1;
                at.insert(replica, number);
                ends.push(Reverse((
                    now + Duration::from_secs_f64(time),
                    number,
                    replica,
                    Some(what),
                )));
            }
            let next = schedule.wake(now).filter(|wake| *wake > now);
            if let Some(wake) =
                next.filter(|next| alarm.is_none_or(|set| *next < set || set <= now))
            {
                alarm = Some(wake);
                number += 1;
                ends.push(Reverse((wake, number, u64::MAX, None)));
            }
            let Some(Reverse((time, id, replica, what))) = ends.pop() else { break };
            now = now.max(time);
            let what = what.filter(|_| at.get(&replica) == Some(&id));
            if let Some(what) = what
                && let Answer::Counted { superfluous } = schedule.answer(replica, what, now)?
            {
                for other in superfluous {
                    // It hears of it and is free.
                    at.remove(&other);
                    schedule.release(other, what);
                }
            }
            given = schedule.assign(now);
        }
    }
    Ok((now - begun).as_secs_f64() / batches as f64)
}
