use std::collections::BTreeMap;

use super::*;

fn spec(examples: u64, epochs: u32) -> DatasetSpec {
    DatasetSpec { unit: 40, ..DatasetSpec::new("data", examples, epochs, 10) }
}

#[test]
fn every_example_once_per_epoch_and_then_the_end() {
    let mut bench = Bench::new();
    bench.dataset(spec(95, 3));
    let workers = [bench.join("a", 1), bench.join("b", 2)];
    let mut seen: BTreeMap<(u32, u64), u32> = BTreeMap::new();
    let mut finished = 0;
    for turn in 0.. {
        let worker = workers[turn % 2];
        let answer = bench.lease_answer(worker, false).unwrap();
        match answer.outcome() {
            LeaseOutcome::Granted => {
                let lease = answer.lease.unwrap();
                assert_eq!(lease.start % 10, 0);
                for position in lease.position..lease.end {
                    *seen.entry((lease.data_epoch, position)).or_default() += 1;
                }
                bench.wait_with(1.0, &workers);
                assert!(bench.complete(worker, &lease).unwrap());
            }
            LeaseOutcome::Wait => panic!("nobody holds anything"),
            LeaseOutcome::Finished => finished += 1,
        }
        if finished == 2 {
            break;
        }
    }
    assert_eq!(seen.len(), 3 * 95);
    assert!(seen.values().all(|times| *times == 1));
}

#[test]
fn an_epoch_waits_for_its_last_unit_unless_it_may_run_ahead() {
    for ahead in [0, 1] {
        let mut bench = Bench::new();
        bench.dataset(DatasetSpec { epochs_ahead: ahead, ..spec(10, 2) });
        let (a, b) = (bench.join("a", 1), bench.join("b", 2));
        let first = bench.lease(a).unwrap();
        let second = bench.lease_answer(b, false).unwrap();
        if ahead == 0 {
            assert_eq!(second.outcome(), LeaseOutcome::Wait);
            assert!(second.retry_millis > 0);
            assert!(bench.complete(a, &first).unwrap());
            assert_eq!(bench.lease(b).unwrap().data_epoch, 1);
        } else {
            assert_eq!(second.lease.unwrap().data_epoch, 1);
            assert!(bench.complete(b, &second.lease.unwrap()).unwrap());
            assert_eq!(bench.lease_answer(b, false).unwrap().outcome(), LeaseOutcome::Wait);
            assert!(bench.complete(a, &first).unwrap());
            assert_eq!(bench.lease_answer(b, false).unwrap().outcome(), LeaseOutcome::Finished);
        }
    }
}

#[test]
fn the_rest_of_a_unit_goes_on_from_the_reported_position() {
    let mut bench = Bench::new();
    bench.dataset(DatasetSpec { unit: 800, ..spec(100, 1) });
    let (a, b) = (bench.join("a", 1), bench.join("b", 2));
    let lease = bench.lease(a).unwrap();
    assert_eq!((lease.start, lease.end, lease.attempt), (0, 50, 0));
    bench.beat(a, &[at(&lease, 20)]).unwrap();
    // A late report changes nothing.
    bench.beat(a, &[at(&lease, 10)]).unwrap();
    bench.restart();
    bench.ask(a, RequestKind::Leave(Leave {})).unwrap();
    let rest = bench.lease(b).unwrap();
    assert_eq!((rest.unit, rest.start, rest.position, rest.end), (lease.unit, 0, 20, 50));
    assert_eq!(rest.attempt, 1);
    let back = GiveBack { position: Some(at(&rest, 30)) };
    bench.ask(b, RequestKind::GiveBack(back)).unwrap();
    let again = bench.lease(b).unwrap();
    assert_eq!((again.unit, again.position, again.attempt), (lease.unit, 30, 2));
    // The attempt that was given back is over.
    assert!(!bench.complete(b, &rest).unwrap());
    assert!(bench.complete(b, &again).unwrap());
}

#[test]
fn a_lease_lives_while_its_member_moves_and_no_longer() {
    let mut bench = Bench::new();
    bench.dataset(spec(100, 1));
    let (a, b) = (bench.join("a", 1), bench.join("b", 2));
    let lease = bench.lease(a).unwrap();
    let ahead = bench.lease(a).unwrap();
    for step in 1..=10 {
        bench.wait_with(50.0, &[a, b]);
        // Reached, not applied: it moves.
        let moves = UnitPosition { reached: lease.start + step.min(5), ..at(&lease, lease.start) };
        let lost = bench.beat(a, &[moves, at(&ahead, ahead.start)]).unwrap().lost;
        assert_eq!(
            lost,
            if step <= 6 { vec![] } else { vec![lease.unit, ahead.unit] },
            "step {step}"
        );
    }
    assert!(!bench.complete(a, &lease).unwrap());
    let other = bench.lease(b).unwrap();
    assert_eq!((other.unit, other.attempt, other.position), (lease.unit, 1, lease.start));
}

#[test]
fn a_lease_nobody_speaks_of_runs_out() {
    let mut bench = Bench::new();
    bench.dataset(DatasetSpec { unit: 80, ..spec(1000, 1) });
    let a = bench.join("a", 1);
    let known = bench.lease(a).unwrap();
    let lost_answer = bench.lease(a).unwrap();
    for step in 1..=9 {
        bench.wait_with(9.0, &[a]);
        bench
            .beat(a, &[UnitPosition { reached: known.start + step, ..at(&known, known.start) }])
            .unwrap();
    }
    let next = bench.lease(a).unwrap();
    assert_eq!(next.unit, lost_answer.unit);
    assert!(bench.complete(a, &known).unwrap());
}

#[test]
fn a_member_gets_again_what_it_had() {
    let mut bench = Bench::new();
    bench.dataset(DatasetSpec { unit: 20, ahead: 1, ..spec(400, 3) });
    let workers = [bench.join("a", 1), bench.join("b", 2)];
    let mut had: Vec<BTreeMap<u64, usize>> = Vec::new();
    let mut held: [Option<Lease>; 2] = [None; 2];
    'all: for turn in 0.. {
        // Another order each time.
        let who = (turn / 3) % 2;
        bench.wait_with(1.0, &workers);
        if let Some(lease) = held[who].take() {
            assert!(bench.complete(workers[who], &lease).unwrap());
        }
        let answer = bench.lease_answer(workers[who], false).unwrap();
        if let Some(lease) = answer.lease {
            had.resize(lease.data_epoch as usize + 1, BTreeMap::new());
            had[lease.data_epoch as usize].extend((lease.position..lease.end).map(|p| (p, who)));
            held[who] = Some(lease);
        } else if answer.outcome() == LeaseOutcome::Finished {
            break 'all;
        }
    }
    for (before, after) in had.iter().zip(&had[1..]) {
        let same = before.iter().filter(|(position, who)| after[position] == **who).count();
        assert!(same > 300, "{same} of 400 examples stayed where they were");
    }
}

#[test]
fn the_last_unit_goes_to_a_quicker_backup_and_the_first_completion_wins() {
    let mut bench = Bench::new();
    bench.dataset(DatasetSpec { unit: 80, backups: true, ahead: 1, ..spec(40, 1) });
    let (slow, quick) = (bench.join("slow", 1), bench.join("quick", 2));
    let first = bench.lease(slow).unwrap();
    bench.wait_with(4.0, &[slow, quick]);
    bench
        .beat(slow, &[UnitPosition { reached: first.start + 4, ..at(&first, first.start) }])
        .unwrap();
    while let Some(lease) = bench.lease(quick) {
        bench.wait_with(1.0, &[slow, quick]);
        assert!(bench.complete(quick, &lease).unwrap());
    }
    let backup = bench.lease_answer(quick, true).unwrap().lease.unwrap();
    assert_eq!((backup.unit, backup.attempt, backup.backup), (first.unit, 1, true));
    bench.restart();
    assert!(bench.complete(quick, &backup).unwrap());
    assert!(!bench.complete(slow, &first).unwrap());
    assert_eq!(bench.beat(slow, &[at(&first, first.start)]).unwrap().lost, [first.unit]);
    assert_eq!(bench.lease_answer(slow, true).unwrap().outcome(), LeaseOutcome::Finished);
}

#[test]
fn a_dataset_is_created_once() {
    let mut bench = Bench::new();
    assert_eq!(bench.dataset(spec(100, 1)), 1);
    assert_eq!(bench.dataset(spec(100, 1)), 1);
    let other = CreateDataset { spec: Some(spec(200, 1)) };
    let refused = bench.administer(RequestKind::CreateDataset(other)).unwrap_err();
    assert_eq!(refused.code(), downpour_tensor::Code::AlreadyExists);
    let a = bench.join("a", 1);
    let lease = LeaseRequest { dataset: 2, backup: false };
    let refused = bench.ask(a, RequestKind::Lease(lease)).unwrap_err();
    assert_eq!(refused.code(), downpour_tensor::Code::NotFound);
}

#[test]
fn units_are_as_long_as_their_member_needs_about_the_unit_time_for() {
    let mut bench = Bench::new();
    bench.dataset(DatasetSpec { ahead: 3, ..DatasetSpec::new("data", 1_000_000, 1, 10) });
    let (quick, slow) = (bench.join("quick", 1), bench.join("slow", 2));
    let first = [bench.lease(quick).unwrap(), bench.lease(slow).unwrap()];
    // Nobody is measured yet: an eighth of the largest.
    assert!(first.iter().all(|lease| lease.end - lease.start == 80), "{first:?}");
    bench.wait_with(2.0, &[quick, slow]);
    assert!(bench.complete(quick, &first[0]).unwrap());
    bench.wait_with(8.0, &[quick, slow]);
    assert!(bench.complete(slow, &first[1]).unwrap());
    // 40 and 8 examples per second.
    let lengths = [quick, slow].map(|id| {
        let lease = bench.lease(id).unwrap();
        lease.end - lease.start
    });
    assert_eq!(lengths, [200, 40]);
    // The slow one has no lease ahead, the quick one has.
    assert!(bench.lease(slow).is_none());
    assert!(bench.lease(quick).is_some());
}
