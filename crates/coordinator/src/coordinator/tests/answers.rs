//! Repeated requests, and storage that fails.

use downpour_tensor::Code;

use super::*;
use crate::storage::Stored;

#[test]
fn a_repeated_request_has_the_same_answer_also_after_a_restart() {
    let mut bench = Bench::new();
    bench.dataset(DatasetSpec::new("data", 1000, 1, 10));
    let a = bench.join("a", 1);
    let lease = |id| {
        Request::of_member(
            id,
            a.member,
            a.epoch,
            RequestKind::Lease(LeaseRequest { dataset: 1, backup: false }),
        )
    };
    let first = bench.coordinator.handle(bench.now, &lease(100));
    assert_eq!(bench.coordinator.handle(bench.now, &lease(100)), first);
    bench.restart();
    assert_eq!(bench.coordinator.handle(bench.now, &lease(100)), first);
    let second = bench.coordinator.handle(bench.now, &lease(101));
    assert_ne!(second.answer, first.answer);
    let Ok(Answer::Lease(LeaseAnswer { lease: Some(unit), .. })) = first.result() else { panic!() };
    let complete = Complete { dataset: 1, unit: unit.unit, attempt: unit.attempt };
    let complete = Request::of_member(102, a.member, a.epoch, RequestKind::Complete(complete));
    for _ in 0..2 {
        let answer = bench.coordinator.handle(bench.now, &complete).result().unwrap();
        assert_eq!(answer, Answer::Completed(Completed { won: true }));
        bench.restart();
    }
}

#[test]
fn snapshots_take_the_place_of_the_log_and_nothing_is_lost() {
    let mut bench = Bench::with(Config { snapshot_every: 3, ..Config::default() });
    bench.dataset(DatasetSpec::new("data", 1000, 1, 10));
    let a = bench.join("a", 1);
    for _ in 0..20 {
        let Some(lease) = bench.lease(a) else { break };
        bench.beat(a, &[at(&lease, lease.start + 5)]).unwrap();
        bench.restart();
        assert!(bench.complete(a, &lease).unwrap());
    }
    let (_, stored) = bench.storage.clone().claim().unwrap();
    assert!(stored.snapshot.is_some());
    assert!(stored.records.len() < 3);
}

/// Fails when told to.
struct Failing(MemoryStorage, std::sync::Arc<std::sync::atomic::AtomicBool>);

impl Storage for Failing {
    fn claim(&mut self) -> Result<(u64, Stored)> {
        self.0.claim()
    }
    fn append(&mut self, term: u64, record: &[u8]) -> Result<()> {
        match self.1.load(std::sync::atomic::Ordering::Relaxed) {
            true => Err(Status::resource_exhausted("the disk is full")),
            false => self.0.append(term, record),
        }
    }
    fn replace(&mut self, _: u64, _: &[u8]) -> Result<()> {
        Err(Status::resource_exhausted("the disk is full"))
    }
}

#[test]
fn what_cannot_be_stored_is_not_said_and_the_next_owner_goes_on() {
    let storage = MemoryStorage::new();
    let full = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let config = Config { snapshot_every: 1, ..Config::default() };
    let failing = Failing(storage.clone(), full.clone());
    let mut coordinator =
        Coordinator::open(Box::new(failing), config.clone(), Duration::ZERO).unwrap();
    let join = |name: &str| {
        Request::new(1, RequestKind::Join(Join { name: name.into(), ..Default::default() }))
    };
    coordinator.handle(Duration::ZERO, &join("a")).result().unwrap();
    full.store(true, std::sync::atomic::Ordering::Relaxed);
    for _ in 0..2 {
        let refused = coordinator.handle(Duration::ZERO, &join("b")).result().unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable);
        assert!(refused.message().contains("the disk is full"), "{refused}");
    }
    assert_eq!(coordinator.tick(Duration::ZERO).unwrap_err().code(), Code::Unavailable);
    let next = Coordinator::open(Box::new(storage), config, Duration::ZERO).unwrap();
    let names: Vec<_> = next.state.live().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["a"]);
}

#[test]
fn a_coordinator_whose_storage_was_taken_says_nothing_more() {
    let mut bench = Bench::new();
    let a = bench.join("a", 1);
    let mut old = std::mem::replace(
        &mut bench.coordinator,
        Coordinator::open(Box::new(bench.storage.clone()), Config::default(), Duration::ZERO)
            .unwrap(),
    );
    let leave = Request::of_member(50, a.member, a.epoch, RequestKind::Leave(Leave {}));
    let refused = old.handle(bench.now, &leave).result().unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);
    assert!(refused.message().contains("another coordinator has taken the storage"), "{refused}");
    bench.beat(a, &[]).unwrap();
}

#[test]
fn requests_that_come_together_are_one_record_and_each_has_its_answer() {
    let mut bench = Bench::new();
    bench.dataset(DatasetSpec::new("data", 1000, 1, 10));
    let (a, b) = (bench.join("a", 1), bench.join("b", 2));
    let lease = |id: Id, request| {
        let kind = RequestKind::Lease(LeaseRequest { dataset: 1, backup: false });
        Request::of_member(request, id.member, id.epoch, kind)
    };
    let records = |bench: &Bench| bench.coordinator.records;
    let before = records(&bench);
    // The third is the first, repeated; the last is nobody's.
    let nobody = Id { member: 99, epoch: 99 };
    let together = [lease(a, 100), lease(b, 100), lease(a, 100), lease(nobody, 1)];
    let responses = bench.coordinator.handle_all(bench.now, &together);
    assert_eq!(records(&bench), before + 1);
    assert_eq!(responses[0], responses[2]);
    assert_ne!(responses[0].answer, responses[1].answer);
    assert_eq!(responses[3].code, Code::Aborted as i32);
    bench.restart();
    assert_eq!(bench.coordinator.handle_all(bench.now, &together[..2]), responses[..2]);
}
