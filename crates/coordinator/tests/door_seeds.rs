//! The fuzzer's seeds are conversations of this version: they would be of no use otherwise.

use std::time::Duration;

use downpour_coordinator::message::{
    CancelTask, ChangesSince, CreateDataset, DatasetSpec, DropMember, Heartbeat, Join,
    Measurements, MoveTask, Request, RequestKind, Response, SubmitTask, SurveyRequest, TaskSpec,
};
use downpour_coordinator::{Config, Coordinator, Member, MemberConfig, MemoryStorage};
use prost::Message;

/// What a coordinator and those who talk to it say: requests and answers, as they travel.
#[derive(Default)]
struct Conversation {
    requests: Vec<u8>,
    answers: Vec<u8>,
}

impl Conversation {
    fn exchange(
        &mut self,
        coordinator: &mut Coordinator,
        now: Duration,
        request: &Request,
    ) -> Response {
        let response = coordinator.handle(now, request);
        for (side, bytes) in [
            (&mut self.requests, request.encode_to_vec()),
            (&mut self.answers, response.encode_to_vec()),
        ] {
            side.extend((bytes.len() as u32).to_le_bytes());
            side.extend(bytes);
        }
        response
    }
}

/// As the fuzzer's coordinator is: with data and a member.
fn coordinator() -> Coordinator {
    let storage = Box::new(MemoryStorage::new());
    let mut coordinator = Coordinator::open(storage, Config::default(), Duration::ZERO).unwrap();
    let spec = DatasetSpec { backups: true, ..DatasetSpec::new("data", 57, 3, 5) };
    let create = RequestKind::CreateDataset(CreateDataset { spec: Some(spec) });
    let join = Join { name: "worker/0".into(), process: 7, capacity: 4, ..Join::default() };
    for kind in [create, RequestKind::Join(join)] {
        coordinator.handle(Duration::ZERO, &Request::new(1, kind)).result().unwrap();
    }
    coordinator
}

/// A member that works until it leaves, with a task on the way.
fn working() -> Conversation {
    let (mut coordinator, mut said) = (coordinator(), Conversation::default());
    let mut member = Member::new(MemberConfig::new("worker/1", 9));
    member.work_on(1);
    member.measure(Measurements { examples_per_second: 9.0, waiting_share: 0.5, staleness: 2.0 });
    for second in 0..20 {
        let now = Duration::from_secs(second);
        while let Some(request) = member.poll(now) {
            let response = said.exchange(&mut coordinator, now, &request);
            member.receive(now, response);
        }
        if let Some(lease) = member.take_lease() {
            match second % 5 {
                0 => member.give_back(lease.unit),
                1 => member.progress(lease.unit, lease.position + 5),
                _ => member.complete(lease.unit),
            }
        }
        if second == 15 {
            member.end_task(1, 1, Ok(()));
            member.leave();
        }
    }
    said
}

/// Somebody who asks for everything else.
fn asking() -> Conversation {
    let (mut coordinator, mut said) = (coordinator(), Conversation::default());
    let task =
        TaskSpec { name: "evaluate".into(), capacity: 2, preemptible: true, ..TaskSpec::default() };
    let kinds = [
        RequestKind::SubmitTask(SubmitTask { spec: Some(task) }),
        RequestKind::MoveTask(MoveTask { task: 1, to: 1 }),
        RequestKind::ChangesSince(ChangesSince { generation: 0 }),
        RequestKind::Survey(SurveyRequest {}),
        RequestKind::CancelTask(CancelTask { task: 1 }),
        RequestKind::DropMember(DropMember { member: 1, epoch: 1 }),
    ];
    for (id, kind) in (1..).zip(kinds) {
        let response = said.exchange(&mut coordinator, Duration::ZERO, &Request::new(id, kind));
        response.result().unwrap();
    }
    let late = RequestKind::Heartbeat(Heartbeat::default());
    let refused =
        said.exchange(&mut coordinator, Duration::ZERO, &Request::of_member(9, 1, 1, late));
    refused.result().unwrap_err();
    said
}

#[test]
fn the_seeds_are_what_is_said() {
    let (working, asking) = (working(), asking());
    assert!(!working.requests.is_empty());
    for (name, said, seed) in [
        (
            "working",
            &working.requests,
            &include_bytes!("../../../fuzz/seeds/coordinator_door/working")[..],
        ),
        (
            "answers",
            &working.answers,
            include_bytes!("../../../fuzz/seeds/coordinator_door/answers"),
        ),
        ("asking", &asking.requests, include_bytes!("../../../fuzz/seeds/coordinator_door/asking")),
    ] {
        if std::env::var_os("DOWNPOUR_WRITE_SEEDS").is_some() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/coordinator_door");
            std::fs::write(format!("{folder}/{name}"), said).unwrap();
        } else {
            assert_eq!(&said[..], seed, "{name}: DOWNPOUR_WRITE_SEEDS=1 writes the seeds anew");
        }
    }
}
