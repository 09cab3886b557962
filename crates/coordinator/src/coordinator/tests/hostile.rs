//! Nothing from outside breaks it.

use downpour_tensor::Code;
use proptest::prelude::*;

use super::*;

#[test]
fn what_is_too_large_or_makes_no_sense_is_refused() {
    let mut bench = Bench::new();
    bench.dataset(DatasetSpec::new("data", 100, 1, 10));
    let a = bench.join("a", 1);
    let lease = bench.lease(a).unwrap();
    let before = bench.coordinator.state.clone();
    let join = |name: &str| RequestKind::Join(Join { name: name.into(), ..Default::default() });
    let dataset =
        |spec: DatasetSpec| RequestKind::CreateDataset(CreateDataset { spec: Some(spec) });
    let beat = |heartbeat: Heartbeat| RequestKind::Heartbeat(heartbeat);
    let good = DatasetSpec::new("other", 100, 1, 10);
    let many = vec![at(&lease, 0); MAX_POSITIONS + 1];
    let wrong = [
        join(""),
        join("a\x1b[2J"),
        join(&"x".repeat(MAX_NAME_BYTES + 1)),
        RequestKind::Join(Join {
            name: "b".into(),
            capabilities: vec!["c".into(); MAX_CAPABILITIES + 1],
            ..Default::default()
        }),
        RequestKind::CreateDataset(CreateDataset { spec: None }),
        dataset(DatasetSpec { examples: 0, ..good.clone() }),
        dataset(DatasetSpec { batch: 0, ..good.clone() }),
        dataset(DatasetSpec { epochs: 0, ..good.clone() }),
        dataset(DatasetSpec { unit: 9, ..good.clone() }),
        dataset(DatasetSpec { examples: u64::MAX, unit: u64::MAX, ..good.clone() }),
        dataset(DatasetSpec { examples: 1 << 40, ..good.clone() }),
        dataset(DatasetSpec { ahead: u32::MAX, ..good.clone() }),
        dataset(DatasetSpec { epochs_ahead: u32::MAX, ..good }),
        RequestKind::SubmitTask(SubmitTask { spec: None }),
        RequestKind::SubmitTask(SubmitTask {
            spec: Some(TaskSpec {
                name: "t".into(),
                payload: "x".repeat(MAX_PAYLOAD_BYTES + 1),
                ..Default::default()
            }),
        }),
        beat(Heartbeat { positions: many, ..Default::default() }),
        beat(Heartbeat { positions: vec![at(&lease, lease.end + 1)], ..Default::default() }),
        beat(Heartbeat {
            positions: vec![UnitPosition { reached: u64::MAX, ..at(&lease, lease.start) }],
            ..Default::default()
        }),
        beat(Heartbeat {
            measurements: Some(Measurements { waiting_share: f64::NAN, ..Default::default() }),
            ..Default::default()
        }),
        RequestKind::GiveBack(GiveBack { position: None }),
        RequestKind::Complete(Complete { dataset: 1, unit: u64::MAX, attempt: 0 }),
    ];
    for kind in wrong {
        let refused = bench.ask(a, kind.clone()).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{kind:?}");
        assert!(refused.message().len() < 1000);
    }
    let nothing = bench.coordinator.handle(bench.now, &Request::default()).result().unwrap_err();
    assert_eq!(nothing.code(), Code::InvalidArgument);
    assert_eq!(bench.coordinator.state, before);
    let long = bench.coordinator.handle_bytes(bench.now, &vec![0; MAX_REQUEST_BYTES + 1]);
    assert_eq!(Response::decode(&long[..]).unwrap().code, Code::InvalidArgument as i32);
}

#[test]
fn a_dataset_as_large_as_they_come_can_be_handed_out() {
    let mut bench = Bench::new();
    let examples = i64::MAX as u64;
    let spec = DatasetSpec { unit: examples, ..DatasetSpec::new("huge", examples, 1, 3) };
    bench.dataset(spec);
    let a = bench.join("a", 1);
    for _ in 0..5 {
        let lease = bench.lease(a).unwrap();
        bench.wait_with(1.0, &[a]);
        assert!(bench.complete(a, &lease).unwrap());
        bench.coordinator.state.check().unwrap();
    }
}

/// Numbers that may well mean something.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0u64..6, 1 => 0u64..100, 1 => any::<u64>()]
}

fn position() -> impl Strategy<Value = UnitPosition> {
    (1u64..3, number(), 0u32..3, number(), number()).prop_map(
        |(dataset, unit, attempt, position, reached)| UnitPosition {
            dataset,
            unit,
            attempt,
            position,
            reached,
        },
    )
}

fn kind() -> impl Strategy<Value = RequestKind> {
    let spec = |(n, examples, epochs, batch): (u64, u64, u32, u64)| DatasetSpec {
        backups: true,
        ..DatasetSpec::new(format!("data/{n}"), examples, epochs, batch)
    };
    let task = |(n, priority, capacity, flags): (u64, i32, u64, u8)| TaskSpec {
        name: format!("task/{n}"),
        priority,
        capacity,
        preemptible: flags & 1 != 0,
        preempts: flags & 2 != 0,
        ..Default::default()
    };
    prop_oneof![
        1 => (number(), number(), number()).prop_map(|(n, process, capacity)| RequestKind::Join(Join {
            name: format!("member/{}", n % 4),
            process,
            capacity,
            ..Default::default()
        })),
        1 => prop::collection::vec(position(), 0..4)
            .prop_map(|positions| RequestKind::Heartbeat(Heartbeat { positions, ..Default::default() })),
        4 => (1u64..3, any::<bool>()).prop_map(|(dataset, backup)| RequestKind::Lease(LeaseRequest { dataset, backup })),
        2 => (1u64..3, number(), 0u32..3)
            .prop_map(|(dataset, unit, attempt)| RequestKind::Complete(Complete { dataset, unit, attempt })),
        1 => position().prop_map(|position| RequestKind::GiveBack(GiveBack { position: Some(position) })),
        1 => Just(RequestKind::Leave(Leave {})),
        1 => number().prop_map(|generation| RequestKind::ChangesSince(ChangesSince { generation })),
        1 => (0u64..3, number(), 0u32..4, number())
            .prop_map(move |n| RequestKind::CreateDataset(CreateDataset { spec: Some(spec(n)) })),
        2 => (number(), any::<i32>(), number(), any::<u8>())
            .prop_map(move |n| RequestKind::SubmitTask(SubmitTask { spec: Some(task(n)) })),
        1 => (number(), 0u32..3)
            .prop_map(|(task, attempt)| RequestKind::EndTask(EndTask { task, attempt, ..Default::default() })),
        1 => number().prop_map(|task| RequestKind::CancelTask(CancelTask { task })),
        1 => (number(), number()).prop_map(|(task, to)| RequestKind::MoveTask(MoveTask { task, to })),
        1 => (number(), number()).prop_map(|(member, epoch)| RequestKind::DropMember(DropMember { member, epoch })),
        1 => Just(RequestKind::Survey(SurveyRequest {})),
    ]
}

proptest! {
    #[test]
    fn no_sequence_of_requests_breaks_the_state(
        requests in prop::collection::vec((number(), number(), any::<bool>(), kind(), 0u64..4000), 0..80)) {
        let mut bench = Bench::with(Config { snapshot_every: 7, ..Config::default() });
        bench.dataset(DatasetSpec { backups: true, ..DatasetSpec::new("data", 57, 3, 5) });
        bench.join("member/1", 1);
        let mut batch = Vec::new();
        for (id, member, known, kind, millis) in requests {
            // Mostly of somebody who is there.
            let live = bench.coordinator.state.live().map(|m| (m.id, m.epoch)).nth(id as usize % 2);
            let (member, epoch) = live.filter(|_| known || id % 3 > 0).unwrap_or((member, id));
            bench.next_id += 1;
            let request = Request::of_member(if id % 5 == 0 { id } else { bench.next_id }, member, epoch, kind);
            batch.push(request);
            if millis % 3 == 0 {
                continue;
            }
            bench.now += Duration::from_millis(millis);
            bench.coordinator.handle_all(bench.now, &batch);
            prop_assert!(bench.coordinator.failed.is_none(), "{batch:?}: {:?}", bench.coordinator.failed);
            prop_assert!(bench.coordinator.state.check().is_ok(), "{batch:?}: {:?}", bench.coordinator.state.check());
            batch.clear();
        }
        bench.restart();
    }

    #[test]
    fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let mut bench = Bench::new();
        let answer = bench.coordinator.handle_bytes(bench.now, &bytes);
        prop_assert!(Response::decode(&answer[..]).is_ok());
    }

    #[test]
    fn damaged_records_are_refused_without_a_panic(at in any::<prop::sample::Index>(), byte in any::<u8>(), snapshot in any::<bool>()) {
        let mut bench = Bench::with(Config { snapshot_every: if snapshot { 1 } else { 1000 }, ..Config::default() });
        bench.dataset(DatasetSpec::new("data", 100, 1, 10));
        let a = bench.join("a", 1);
        let lease = bench.lease(a).unwrap();
        bench.complete(a, &lease).unwrap();
        bench.lease(a).unwrap();
        let (_, mut stored) = bench.storage.claim().unwrap();
        let part = match &mut stored.snapshot {
            Some(snapshot) => snapshot,
            None => stored.records.last_mut().unwrap(),
        };
        let at = at.index(part.len());
        part[at] = byte;
        let mut storage = MemoryStorage::new();
        let (term, _) = storage.claim().unwrap();
        if let Some(snapshot) = &stored.snapshot {
            storage.replace(term, snapshot).unwrap();
        }
        for record in &stored.records {
            storage.append(term, record).unwrap();
        }
        if let Ok(mut coordinator) = Coordinator::open(Box::new(storage), Config::default(), Duration::ZERO) {
            coordinator.tick(seconds(1.0)).unwrap();
            let lease = RequestKind::Lease(LeaseRequest { dataset: 1, backup: true });
            let _ = coordinator.handle(seconds(2.0), &Request::of_member(77, a.member, a.epoch, lease));
        }
    }
}
