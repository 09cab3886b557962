//! Deaths, pauses, lost messages and restarts of the coordinator, from a seed: everything is applied exactly once.

use std::time::Duration;

use downpour_coordinator::Config;
use downpour_coordinator::message::DatasetSpec;

use super::world::{Happening, World, seconds};

const EXAMPLES: u64 = 6_000;
const EPOCHS: u32 = 2;

/// Returns how many examples were computed again.
fn run(seed: u64) -> u64 {
    let spec = DatasetSpec {
        epochs_ahead: (seed % 2) as u32,
        ..DatasetSpec::new("data", EXAMPLES, EPOCHS, 20)
    };
    let config = Config { snapshot_every: 1 + seed % 50, ..Config::default() };
    let mut world = World::new(seed, config, spec, &[100.0, 80.0, 120.0, 30.0]);
    world.loss = seed % 10;
    for _ in 0..world.random.below(12) {
        let when = Duration::from_millis(world.random.below(60_000));
        let who = world.random.below(4) as usize;
        match world.random.below(4) {
            0 => world.at(when, Happening::Kill(who)),
            1 => {
                let until = when + Duration::from_millis(world.random.below(60_000));
                world.at(when, Happening::Pause(who, until));
            }
            2 => {
                let back = when + Duration::from_millis(world.random.below(20_000));
                world.at(when, Happening::CoordinatorDies);
                world.at(back, Happening::CoordinatorStarts);
            }
            _ => {
                let speed = 10.0 + world.random.below(200) as f64;
                world.at(when, Happening::Speed(who, speed));
            }
        }
    }
    if let Err(why) = world.run(seconds(3_600.0)) {
        panic!("{why}");
    }
    for epoch in 0..EPOCHS {
        assert_eq!(world.ledger.applied(1, epoch), EXAMPLES, "epoch {epoch}");
    }
    assert_eq!(world.ledger.pieces(), EPOCHS as usize);
    world.repeated
}

#[test]
fn every_example_is_applied_exactly_once_whatever_fails() {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let (one, count) = (number("DOWNPOUR_SEED"), number("DOWNPOUR_SEEDS").unwrap_or(200));
    let mut repeated = 0;
    for seed in one.map_or(0..count, |seed| seed..seed + 1) {
        match std::panic::catch_unwind(|| run(seed)) {
            Ok(again) => repeated += again,
            Err(why) => {
                eprintln!(
                    "failed with seed {seed}; repeat: DOWNPOUR_SEED={seed} cargo test -p downpour-coordinator --test simulation"
                );
                std::panic::resume_unwind(why);
            }
        }
    }
    println!("{repeated} examples were computed more than once and applied once");
    assert!(one.is_some() || repeated > 0, "nothing that failed left anything to do again");
}
