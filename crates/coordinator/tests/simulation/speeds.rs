//! Uneven members: leases follow measured speed.

use downpour_coordinator::message::{Answer, DatasetSpec, Request, RequestKind, SurveyRequest};
use downpour_coordinator::{Config, DecisionKind};

use super::world::{Happening, World, seconds};

#[test]
fn a_worker_of_a_quarter_of_the_speed_gets_about_a_quarter() {
    let spec = DatasetSpec::new("data", 60_000, 2, 20);
    let mut world = World::new(1, Config::default(), spec, &[200.0, 200.0, 200.0, 50.0]);
    world.run(seconds(4000.0)).unwrap();
    let shares = world.shares(seconds(0.0), seconds(4000.0));
    let expected = 50.0 / 650.0;
    println!("shares {shares:.3?}, {:.1} s of {:.1} s", world.now.as_secs_f64(), 120_000.0 / 650.0);
    assert!((0.8 * expected..1.25 * expected).contains(&shares[3]), "{shares:?}");
    for share in &shares[..3] {
        assert!((0.9..1.1).contains(&(share * 650.0 / 200.0)), "{shares:?}");
    }
    // All end together: nobody waits long for the slow one at the end of an epoch.
    let ideal = 120_000.0 / 650.0;
    let took = world.now.as_secs_f64();
    assert!(took < 1.1 * ideal, "{took} s, ideal {ideal} s");
    assert_eq!(world.repeated, 0);
}

#[test]
fn leases_shift_when_a_worker_becomes_slow_and_back_when_it_recovers() {
    let spec = DatasetSpec::new("data", 200_000, 1, 20);
    let mut world = World::new(2, Config::default(), spec, &[100.0; 4]);
    world.at(seconds(100.0), Happening::Speed(2, 25.0));
    world.at(seconds(400.0), Happening::Speed(2, 100.0));
    world.run(seconds(4000.0)).unwrap();
    let fraction = |from, to| world.shares(seconds(from), seconds(to))[2];
    let quarter = 25.0 / 325.0;
    let before = fraction(20.0, 100.0);
    assert!((0.22..0.28).contains(&before), "before: {before}");
    let during = fraction(160.0, 400.0);
    assert!(
        (0.8 * quarter..1.25 * quarter).contains(&during),
        "slow: {during}, expected {quarter}"
    );
    let after = fraction(460.0, 500.0);
    assert!((0.22..0.28).contains(&after), "after: {after}");
    assert_eq!(world.repeated, 0);
}

#[test]
fn the_slow_one_is_named_in_the_decisions() {
    let spec = DatasetSpec { backups: true, ..DatasetSpec::new("data", 200_000, 1, 20) };
    let mut world = World::new(3, Config::default(), spec, &[100.0, 100.0, 100.0, 22.0]);
    world.run(seconds(4000.0)).unwrap();
    let now = world.now;
    let coordinator = world.coordinator.as_mut().unwrap();
    let survey = coordinator.handle(now, &Request::new(1, RequestKind::Survey(SurveyRequest {})));
    let Ok(Answer::Survey(survey)) = survey.result() else { panic!("no survey") };
    let member = survey.members.iter().find(|member| member.name == "worker/3").unwrap().member;
    let kinds: Vec<_> =
        coordinator.take_decisions().into_iter().map(|decision| decision.kind).collect();
    assert_eq!(kinds, [DecisionKind::Shrink { member }, DecisionKind::Drop { member }]);
    assert_eq!(coordinator.take_decisions(), []);
    assert!(survey.decisions[0].why.starts_with("worker/3 makes 0.2"), "{survey:?}");
}
