//! Any bytes as a conversation with a coordinator, and as answers of one to a member: an answer to everything that is
//! whole, and a coordinator that goes on.

use std::sync::LazyLock;
use std::time::Duration;

use downpour_coordinator::door::{MAGIC, MAX_RESPONSE, read_frame, serve};
use downpour_coordinator::message::{Answer, CreateDataset, DatasetSpec, Join, Request, RequestKind, Response, SurveyRequest};
use downpour_coordinator::{Config, Coordinator, Member, MemberConfig, MemoryStorage, Service};
use prost::Message;
use tokio::io::{join, sink};
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_time().build().expect("a runtime can be made"));

/// A coordinator with data and a member: numbers in what comes then mean something.
fn coordinator() -> Service {
    let config = Config { snapshot_every: 3, ..Config::default() };
    let service = Service::open(|now| Coordinator::open(Box::new(MemoryStorage::new()), config, now));
    let service = service.expect("memory is there");
    let spec = DatasetSpec { backups: true, ..DatasetSpec::new("data", 57, 3, 5) };
    let create = RequestKind::CreateDataset(CreateDataset { spec: Some(spec) });
    let join = RequestKind::Join(Join { name: "worker/0".into(), process: 7, capacity: 4, ..Join::default() });
    for kind in [create, join] {
        service.call(Request::new(1, kind)).result().expect("it is new");
    }
    service
}

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let service = coordinator();
    let said = [&MAGIC[..], data].concat();
    let mut heard = Vec::new();
    RUNTIME.block_on(async {
        let _ = serve(join(&said[..], &mut heard), Some(service.clone())).await;
        let _ = serve(join(&said[..], sink()), None).await;
        let mut heard = &heard[..];
        while !heard.is_empty() {
            let answer = read_frame(&mut heard, MAX_RESPONSE).await.expect("answers are whole");
            Response::decode(&answer[..]).expect("answers can be read");
        }
    });
    let survey = service.call(Request::new(1, RequestKind::Survey(SurveyRequest {})));
    assert!(matches!(survey.result(), Ok(Answer::Survey(_))), "it goes on, whatever was said");

    let mut member = Member::new(MemberConfig::new("worker/1", 9));
    member.work_on(1);
    let mut rest = data;
    for second in 1..64 {
        let now = Duration::from_secs(second);
        let Some((length, bytes)) = rest.split_at_checked(4) else { break };
        let length = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
        let Some((answer, later)) = bytes.split_at_checked(length) else { break };
        rest = later;
        let request = member.poll(now);
        if let Ok(response) = Response::decode(answer) {
            // Mostly to what was asked.
            let id = request.map_or(response.id, |request| request.id);
            member.receive(now, Response { id, ..response });
        }
        if let Some(lease) = member.take_lease() {
            member.progress(lease.unit, lease.position);
            member.complete(lease.unit);
        }
        while member.take_event().is_some() {}
        member.next_wake();
    }
}
