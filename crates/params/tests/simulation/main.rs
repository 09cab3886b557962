//! The parameter service on a simulated network, with simulated time, disks and trouble: whole clusters, each
//! run a function of its seed.
//!
//! `DOWNPOUR_SEED=17` runs one seed, `DOWNPOUR_SEEDS=10000` so many, from `DOWNPOUR_FIRST_SEED` on;
//! `DOWNPOUR_TRACE=1` prints all that happens, `DOWNPOUR_GO_ON=1` does not end with the first seed that fails.

mod check;
mod cluster;
mod faults;
mod layout;
mod moves;
mod net;
mod process;
mod server;
mod trace;
mod values;
mod wire;
mod worker;

use std::collections::BTreeMap;

use cluster::{Outcome, run};
use trace::FAULTS;

/// In a normal run of the tests.
const SEEDS: u64 = 240;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn failed(seed: u64, what: &str, outcome: &Outcome) -> ! {
    panic!(
        "{}\nseed {seed}: {what}\nto see it again:\n    DOWNPOUR_SEED={seed} cargo test -p downpour-params --test simulation",
        outcome.end
    )
}

#[test]
fn whatever_happens_every_update_counts_once() {
    let one = number("DOWNPOUR_SEED");
    let first = one.or_else(|| number("DOWNPOUR_FIRST_SEED")).unwrap_or(0);
    let count = if one.is_some() { 1 } else { number("DOWNPOUR_SEEDS").unwrap_or(SEEDS) };
    let go_on = std::env::var_os("DOWNPOUR_GO_ON").is_some();
    let mut violations = 0;
    let mut faults = BTreeMap::new();
    let (mut pushes, mut repeated, mut dropped, mut refused, mut lost) = (0, 0, 0, 0, 0);
    for seed in first..first + count {
        let outcome = run(seed);
        if let Some(violation) = &outcome.violation {
            if !go_on {
                failed(seed, violation, &outcome);
            }
            println!("seed {seed}: {:?}: {violation}", outcome.mode);
            violations += 1;
        }
        if (seed % 8 == 3 || one.is_some()) && run(seed) != outcome {
            failed(seed, "it goes another way the second time", &outcome);
        }
        for (fault, times) in outcome.faults {
            *faults.entry(fault).or_insert(0) += times;
        }
        pushes += outcome.pushes;
        repeated += outcome.repeated;
        dropped += outcome.dropped;
        refused += outcome.refused;
        lost += outcome.lost;
    }
    println!(
        "{count} seeds from {first}: {pushes} pushes; at the servers' last starts {repeated} repeated, {dropped} dropped, {refused} refused; {lost} lost"
    );
    println!("faults: {faults:?}");
    assert_eq!(violations, 0, "seeds that failed");
    if count >= SEEDS {
        for fault in FAULTS {
            assert!(faults.contains_key(&fault), "no {fault:?} in {count} seeds");
        }
        assert!(repeated > 0 && dropped > 0 && refused > 0 && lost > 0);
    }
}
