use downpour_tensor::Code;

use super::*;

fn changes(bench: &mut Bench, generation: u64) -> Changes {
    match bench.administer(RequestKind::ChangesSince(ChangesSince { generation })).unwrap() {
        Answer::Changes(changes) => changes,
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_joins_again_ends_its_former_epoch() {
    let mut bench = Bench::new();
    let first = bench.join("worker/0", 1);
    let second = bench.join("worker/0", 2);
    assert_eq!(first.member, second.member);
    assert!(second.epoch > first.epoch);
    let refused = bench.beat(first, &[]).unwrap_err();
    assert_eq!(refused.code(), Code::Aborted);
    assert!(refused.message().contains("your epoch is over: join again"), "{refused}");
    bench.beat(second, &[]).unwrap();
    bench.restart();
    assert_eq!(bench.beat(first, &[]).unwrap_err().code(), Code::Aborted);
    bench.beat(second, &[]).unwrap();
}

#[test]
fn a_process_that_was_replaced_does_not_take_its_name_back_while_the_other_lives() {
    let mut bench = Bench::new();
    let _old = bench.join("worker/0", 1);
    let new = bench.join("worker/0", 2);
    let back = Join { name: "worker/0".into(), process: 1, ..Default::default() };
    assert_eq!(bench.join_as(back.clone()).unwrap_err().code(), Code::AlreadyExists);
    bench.beat(new, &[]).unwrap();
    bench.wait(11.0);
    bench.join_as(back).unwrap();
}

#[test]
fn a_repeated_join_is_the_same_join_and_a_late_one_is_refused() {
    let mut bench = Bench::new();
    let request = |id| {
        Request::new(
            id,
            RequestKind::Join(Join { name: "a".into(), process: 9, ..Default::default() }),
        )
    };
    let first = bench.coordinator.handle(bench.now, &request(5)).result().unwrap();
    assert_eq!(bench.coordinator.handle(bench.now, &request(5)).result().unwrap(), first);
    bench.restart();
    assert_eq!(bench.coordinator.handle(bench.now, &request(5)).result().unwrap(), first);
    let second = bench.coordinator.handle(bench.now, &request(6)).result().unwrap();
    assert_ne!(second, first);
    assert_eq!(
        bench.coordinator.handle(bench.now, &request(5)).result().unwrap_err().code(),
        Code::Aborted
    );
}

#[test]
fn the_silent_are_gone_and_the_others_are_not() {
    let mut bench = Bench::new();
    let (a, b) = (bench.join("a", 1), bench.join("b", 2));
    bench.wait_with(12.0, &[a]);
    bench.beat(a, &[]).unwrap();
    assert_eq!(bench.beat(b, &[]).unwrap_err().code(), Code::Aborted);
    let kinds: Vec<_> =
        changes(&mut bench, 0).changes.iter().map(|c| (c.name.clone(), c.kind())).collect();
    let kind = |name: &str, kind| (name.to_string(), kind);
    assert_eq!(
        kinds,
        [
            kind("a", ChangeKind::Joined),
            kind("b", ChangeKind::Joined),
            kind("b", ChangeKind::Silent)
        ]
    );
}

#[test]
fn a_coordinator_that_was_away_blames_nobody() {
    let mut bench = Bench::new();
    let a = bench.join("a", 1);
    bench.now += seconds(3600.0);
    bench.beat(a, &[]).unwrap();
    // After a restart there is the grace time, and then silence counts again.
    bench.restart();
    bench.wait(14.0);
    bench.beat(a, &[]).unwrap();
    bench.restart();
    bench.wait(16.0);
    assert_eq!(bench.beat(a, &[]).unwrap_err().code(), Code::Aborted);
}

#[test]
fn watchers_learn_what_changed_and_get_everyone_when_too_far_behind() {
    let mut bench = Bench::new();
    let a = bench.join("a", 1);
    let known = changes(&mut bench, 0).generation;
    let b = bench.join("b", 2);
    bench.ask(a, RequestKind::Leave(Leave {})).unwrap();
    let since = changes(&mut bench, known);
    assert!(!since.everyone);
    let listed: Vec<_> = since.changes.iter().map(|c| (c.member, c.epoch, c.kind())).collect();
    assert_eq!(
        listed,
        [(b.member, b.epoch, ChangeKind::Joined), (a.member, a.epoch, ChangeKind::Left)]
    );
    assert_eq!(changes(&mut bench, since.generation).changes, []);

    for process in 0..700 {
        bench.join("c", 100 + process);
    }
    let since = changes(&mut bench, known);
    assert!(since.everyone);
    let names: Vec<_> = since.changes.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["b", "c"]);
}

#[test]
fn an_administrator_drops_the_epoch_that_was_meant() {
    let mut bench = Bench::new();
    let old = bench.join("a", 1);
    let new = bench.join("a", 2);
    let drop = |id: Id| RequestKind::DropMember(DropMember { member: id.member, epoch: id.epoch });
    bench.administer(drop(old)).unwrap();
    bench.beat(new, &[]).unwrap();
    bench.administer(drop(new)).unwrap();
    assert_eq!(bench.beat(new, &[]).unwrap_err().code(), Code::Aborted);
}

#[test]
fn a_config_nobody_could_live_by_is_refused() {
    let config = Config { silence: seconds(1.0), ..Config::default() };
    let refused =
        Coordinator::open(Box::new(MemoryStorage::new()), config, Duration::ZERO).unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
}
