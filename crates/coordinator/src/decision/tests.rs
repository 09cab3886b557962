use super::*;

fn worker(member: u64, speed: f64, waiting_share: f64) -> MemberView {
    MemberView {
        member,
        name: format!("worker/{member}"),
        speed: Some(speed),
        measurements: Some(Measurements {
            examples_per_second: speed,
            waiting_share,
            staleness: 3.0,
        }),
        ..Default::default()
    }
}

/// What is decided over some seconds of a view, with its seconds.
fn run(
    memory: &mut DecisionMemory,
    from: u64,
    to: u64,
    view: impl Fn(u64) -> ClusterView,
) -> Vec<(u64, Decision)> {
    run_with(&DecisionConfig::default(), memory, from, to, view)
}

fn run_with(
    config: &DecisionConfig,
    memory: &mut DecisionMemory,
    from: u64,
    to: u64,
    view: impl Fn(u64) -> ClusterView,
) -> Vec<(u64, Decision)> {
    (from..to)
        .step_by(5)
        .flat_map(|s| {
            let made = decide(&view(s), memory, Duration::from_secs(s), config);
            made.into_iter().map(move |decision| (s, decision))
        })
        .collect()
}

fn four(slow: f64, waiting: f64, backups: bool) -> ClusterView {
    ClusterView {
        members: vec![
            worker(1, 100.0, waiting),
            worker(2, 105.0, waiting),
            worker(3, slow, waiting),
            worker(4, 98.0, waiting),
        ],
        backups,
        ..Default::default()
    }
}

#[test]
fn a_slow_worker_is_named_once_and_dropped_only_with_backups() {
    let without = run(&mut DecisionMemory::default(), 0, 600, |_| four(22.0, 0.3, false));
    assert_eq!(without.len(), 1, "{without:?}");
    let (second, decision) = &without[0];
    assert_eq!(*second, 60);
    assert_eq!(decision.kind, DecisionKind::Shrink { member: 3 });
    assert!(
        decision
            .why
            .starts_with("worker/3 makes 0.22 of the median speed for 60 s: its leases shrink")
    );

    let with = run(&mut DecisionMemory::default(), 0, 600, |_| four(22.0, 0.3, true));
    let kinds: Vec<_> = with.iter().map(|(_, decision)| decision.kind.clone()).collect();
    assert_eq!(kinds, [DecisionKind::Shrink { member: 3 }, DecisionKind::Drop { member: 3 }]);
}

#[test]
fn a_worker_that_swings_around_the_limit_causes_nothing() {
    let swings = |s: u64| four(if s % 40 < 20 { 45.0 } else { 55.0 }, 0.3, true);
    assert_eq!(run(&mut DecisionMemory::default(), 0, 2000, swings), []);
    // Between the limits a slow one stays slow: no news.
    let mut memory = DecisionMemory::default();
    assert_eq!(run(&mut memory, 0, 100, |_| four(30.0, 0.3, false)).len(), 1);
    assert_eq!(
        run(&mut memory, 100, 1000, |s| four(if s % 100 < 50 { 40.0 } else { 65.0 }, 0.3, false)),
        []
    );
    let better = run(&mut memory, 1000, 1200, |_| four(90.0, 0.3, false));
    assert_eq!(better.len(), 1);
    assert_eq!(better[0].1.kind, DecisionKind::Grow { member: 3 });
}

#[test]
fn waiting_members_are_too_many_and_busy_ones_too_few() {
    let many = run(&mut DecisionMemory::default(), 0, 1000, |_| four(90.0, 0.7, false));
    assert_eq!(many.len(), 1, "{many:?}");
    assert_eq!(many[0].1.kind, DecisionKind::Drop { member: 3 });
    assert!(many[0].1.why.contains("wait 0.70 of their time"));

    let busy = |work_left| move |_| ClusterView { work_left, ..four(90.0, 0.02, false) };
    let few = run(&mut DecisionMemory::default(), 0, 1000, busy(true));
    assert_eq!(few.len(), 1, "{few:?}");
    assert_eq!(few[0].1.kind, DecisionKind::Add);
    assert_eq!(run(&mut DecisionMemory::default(), 0, 1000, busy(false)), []);
}

#[test]
fn one_change_at_a_time() {
    let view = |_| {
        let mut view = four(22.0, 0.7, true);
        view.members[1].measurements = Some(Measurements { staleness: 50.0, ..Default::default() });
        view
    };
    let made = run(&mut DecisionMemory::default(), 0, 1000, view);
    let changes: Vec<u64> = made
        .iter()
        .filter(|(_, decision)| !matches!(decision.kind, DecisionKind::Shrink { .. }))
        .map(|(second, _)| *second)
        .collect();
    assert!(changes.len() >= 2, "{made:?}");
    assert!(changes.windows(2).all(|pair| pair[1] - pair[0] >= 120), "{made:?}");
}

#[test]
fn a_task_moves_away_from_a_slow_member_and_one_without_room_asks_for_more() {
    let view = |_| {
        let mut view = four(22.0, 0.3, false);
        view.members[3].room = 2;
        view.tasks = vec![
            TaskView {
                task: 7,
                name: "evaluate".into(),
                member: Some(3),
                capacity: 2,
                movable: true,
                ..Default::default()
            },
            TaskView {
                task: 8,
                name: "export".into(),
                member: None,
                capacity: 9,
                ..Default::default()
            },
        ];
        view
    };
    let made = run(&mut DecisionMemory::default(), 0, 1000, view);
    let kinds: Vec<_> = made.iter().map(|(_, decision)| decision.kind.clone()).collect();
    let moved = DecisionKind::Move { task: 7, from: 3, to: 4 };
    assert_eq!(kinds, [DecisionKind::Shrink { member: 3 }, moved, DecisionKind::Add]);
}

/// Four that wait for each other, one of which makes `slow` examples in the time in which the others make 100.
fn in_step(slow: f64) -> ClusterView {
    let made = slow.min(100.0);
    let of = |member, pace: f64| worker(member, made, 1.0 - made / pace);
    let members = vec![of(1, 100.0), of(2, 105.0), of(3, slow), of(4, 100.0)];
    ClusterView { members, work_left: true, ..Default::default() }
}

#[test]
fn who_holds_up_the_others_is_dropped_or_replaced_if_that_helps() {
    let decided = |config: DecisionConfig, view: fn(u64) -> ClusterView| {
        let made = run_with(&config, &mut DecisionMemory::default(), 0, 600, view);
        made.into_iter().map(|(_, decision)| decision).collect::<Vec<_>>()
    };
    let config = |backups, least_members, most_members| DecisionConfig {
        together: Some(backups),
        least_members,
        most_members,
        ..DecisionConfig::default()
    };
    let quarter = |_| in_step(25.0);
    let [dropped] = &decided(config(0, 3, 4), quarter)[..] else { panic!("not one decision") };
    assert_eq!(dropped.kind, DecisionKind::Drop { member: 3 });
    assert_eq!(
        dropped.why,
        "worker/3 makes 0.25 of the median pace and all wait for it: without it the others would make 3.0 times as \
         much; drop it"
    );
    // As few as there may be, and there is room for another.
    let [replaced] = &decided(config(0, 4, 5), quarter)[..] else { panic!("not one decision") };
    assert_eq!(replaced.kind, DecisionKind::Replace { member: 3 });
    assert!(replaced.why.contains("with another in its place all would make 4.0 times as much"));
    // Neither is allowed; nobody waits for it; it has to stay.
    assert_eq!(decided(config(0, 4, 4), quarter), []);
    assert_eq!(decided(config(1, 1, 4), quarter), []);
    let stays = DecisionConfig { stays: ["worker/3".to_string()].into(), ..config(0, 1, 5) };
    assert_eq!(decided(stays, quarter), []);
    // Three of four are hardly quicker than four at almost half of their pace.
    let gain = DecisionConfig { slow_below: 0.9, ..config(0, 1, 4) };
    assert_eq!(decided(gain, |_| in_step(70.0)), []);
}

#[test]
fn where_all_wait_for_each_other_only_servers_make_too_many() {
    let config = DecisionConfig { together: Some(0), ..DecisionConfig::default() };
    // Somebody has to stay who is slow: the others wait, and none of them is too many.
    let stays = DecisionConfig { stays: ["worker/3".to_string()].into(), ..config.clone() };
    let held_up = run_with(&stays, &mut DecisionMemory::default(), 0, 600, |_| in_step(10.0));
    assert_eq!(held_up, []);
    let waiting = |_| four(90.0, 0.7, false);
    let servers = run_with(&config, &mut DecisionMemory::default(), 0, 600, waiting);
    assert_eq!(servers[0].1.kind, DecisionKind::Drop { member: 3 });
}

#[test]
fn a_stale_member_is_dropped_unless_it_stays() {
    let view = |_| {
        let mut view = four(22.0, 0.3, false);
        view.members[2].measurements = Some(Measurements { staleness: 14.0, ..Default::default() });
        view
    };
    let config = DecisionConfig::default();
    let made = run_with(&config, &mut DecisionMemory::default(), 0, 600, view);
    let kinds: Vec<_> = made.iter().map(|(_, decision)| decision.kind.clone()).collect();
    assert_eq!(kinds, [DecisionKind::Shrink { member: 3 }, DecisionKind::Drop { member: 3 }]);
    assert!(made[1].1.why.contains("4.7 times as stale"), "{made:?}");
    let config = DecisionConfig { stays: ["worker/3".to_string()].into(), ..config };
    let made = run_with(&config, &mut DecisionMemory::default(), 0, 600, view);
    assert!(made.iter().all(|(_, decision)| !matches!(decision.kind, DecisionKind::Drop { .. })));
}
