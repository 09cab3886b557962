use super::*;
use crate::message::{
    CreateDataset, DatasetSpec, DropMember, Request, RequestKind, SubmitTask, TaskSpec,
};
use crate::{Config, Coordinator, MemoryStorage};

fn coordinator() -> (Coordinator, MemoryStorage) {
    let storage = MemoryStorage::new();
    let mut coordinator =
        Coordinator::open(Box::new(storage.clone()), Config::default(), Duration::ZERO).unwrap();
    let spec = DatasetSpec { unit: 80, ..DatasetSpec::new("data", 100, 1, 10) };
    let create = RequestKind::CreateDataset(CreateDataset { spec: Some(spec) });
    coordinator.handle(Duration::ZERO, &Request::new(1, create)).result().unwrap();
    (coordinator, storage)
}

fn at(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Sends and answers until nothing is left to say.
fn settle(member: &mut Member, coordinator: &mut Coordinator, now: Duration) -> Vec<MemberEvent> {
    while let Some(request) = member.poll(now) {
        member.receive(now, coordinator.handle(now, &request));
    }
    std::iter::from_fn(|| member.take_event()).collect()
}

fn joined(coordinator: &mut Coordinator) -> Member {
    let mut member = Member::new(MemberConfig::new("worker/0", 1));
    let events = settle(&mut member, coordinator, at(0));
    assert!(matches!(events[..], [MemberEvent::Joined(_)]), "{events:?}");
    member
}

#[test]
fn an_unanswered_request_is_repeated_unchanged_and_less_and_less_often() {
    let mut member = Member::new(MemberConfig::new("worker/0", 1));
    let first = member.poll(at(0)).unwrap();
    let mut times = Vec::new();
    for millis in (0..30_000).step_by(100) {
        if let Some(again) = member.poll(at(millis)) {
            assert_eq!(again, first);
            times.push(millis);
        }
    }
    assert_eq!(times, [500, 1500, 3500, 7500, 12500, 17500, 22500, 27500]);
    assert_eq!(member.next_wake(), at(32_500));
}

#[test]
fn a_lease_whose_answer_was_lost_is_the_same_lease() {
    let (mut coordinator, _) = coordinator();
    let mut member = joined(&mut coordinator);
    member.work_on(1);
    let request = member.poll(at(10)).unwrap();
    let lost = coordinator.handle(at(10), &request);
    assert!(member.poll(at(20)).is_none(), "one request at a time");
    let again = member.poll(at(600)).unwrap();
    let answer = coordinator.handle(at(600), &again);
    assert_eq!(answer, lost);
    member.receive(at(600), answer.clone());
    // The first answer comes after all, and changes nothing.
    member.receive(at(700), answer);
    let lease = member.take_lease().unwrap();
    assert_eq!(member.take_lease(), None);
    member.complete(lease.unit);
    let events = settle(&mut member, &mut coordinator, at(700));
    assert!(events.contains(&MemberEvent::Completed { lease, won: true }), "{events:?}");
}

#[test]
fn a_fenced_member_drops_everything_and_joins_again() {
    let (mut coordinator, _) = coordinator();
    let mut member = joined(&mut coordinator);
    let (id, epoch) = member.identity().unwrap();
    member.work_on(1);
    settle(&mut member, &mut coordinator, at(10));
    let lease = member.take_lease().unwrap();
    settle(&mut member, &mut coordinator, at(20));
    let drop = RequestKind::DropMember(DropMember { member: id, epoch });
    coordinator.handle(at(30), &Request::new(1, drop));
    member.complete(lease.unit);
    let events = settle(&mut member, &mut coordinator, at(40));
    assert!(matches!(events[..], [MemberEvent::Fenced, MemberEvent::Joined(_)]), "{events:?}");
    assert_eq!(member.identity().unwrap().0, id);
    assert!(member.identity().unwrap().1 > epoch);
    // It is fetched again, under another attempt, and nothing of before is left.
    let again = member.take_lease().unwrap();
    assert_eq!((again.unit, again.attempt), (lease.unit, 1));
}

#[test]
fn a_replaced_process_ends() {
    let (mut coordinator, _) = coordinator();
    let mut old = joined(&mut coordinator);
    let mut new = Member::new(MemberConfig::new("worker/0", 2));
    settle(&mut new, &mut coordinator, at(10));
    let events = settle(&mut old, &mut coordinator, at(3000));
    assert!(matches!(events[..], [MemberEvent::Fenced, MemberEvent::Replaced(_)]), "{events:?}");
    assert!(old.is_over());
    assert_eq!(old.next_wake(), Duration::MAX);
    assert!(new.identity().is_some());
}

#[test]
fn a_restarted_coordinator_goes_unnoticed() {
    let (mut coordinator, storage) = coordinator();
    let mut member = joined(&mut coordinator);
    member.work_on(1);
    settle(&mut member, &mut coordinator, at(10));
    let lease = member.take_lease().unwrap();
    member.progress(lease.unit, lease.start + 10);
    let certain = member.certain_until();
    // It dies, and requests go nowhere for a while.
    drop(coordinator);
    while member.poll(at(8000)).is_some() {}
    assert_eq!(member.certain_until(), certain);
    let mut coordinator = Coordinator::open(Box::new(storage), Config::default(), at(0)).unwrap();
    let events = settle(&mut member, &mut coordinator, at(9000));
    assert!(!events.contains(&MemberEvent::Fenced), "{events:?}");
    settle(&mut member, &mut coordinator, at(14_000));
    assert!(member.certain_until() > certain);
    member.complete(lease.unit);
    let events = settle(&mut member, &mut coordinator, at(14_000));
    assert!(events.contains(&MemberEvent::Completed { lease, won: true }), "{events:?}");
}

#[test]
fn tasks_come_and_end_and_leaving_tells_everything_first() {
    let (mut coordinator, _) = coordinator();
    let mut config = MemberConfig::new("worker/0", 1);
    config.join.capacity = 1;
    let mut member = Member::new(config);
    settle(&mut member, &mut coordinator, at(0));
    let spec = TaskSpec { name: "evaluate".into(), capacity: 1, ..Default::default() };
    coordinator
        .handle(at(0), &Request::new(1, RequestKind::SubmitTask(SubmitTask { spec: Some(spec) })));
    let events = settle(&mut member, &mut coordinator, at(2500));
    let tasks = events.iter().find_map(|event| match event {
        MemberEvent::Tasks(tasks) => Some(tasks.clone()),
        _ => None,
    });
    let tasks = tasks.unwrap();
    assert_eq!(tasks.len(), 1);
    member.end_task(tasks[0].task, tasks[0].attempt, Ok(()));
    member.work_on(1);
    member.leave();
    let events = settle(&mut member, &mut coordinator, at(2600));
    assert_eq!(events.last(), Some(&MemberEvent::Left));
    assert!(member.is_over());
    // The task is not anybody else's now.
    let mut other = Member::new(MemberConfig::new("worker/1", 2));
    let events = settle(&mut other, &mut coordinator, at(2700));
    assert!(!events.iter().any(|event| matches!(event, MemberEvent::Tasks(_))), "{events:?}");
}
