use std::time::Duration;

use downpour_tensor::{Result, Status};
use proptest::prelude::*;
use prost::Message;
use tokio::io::AsyncWriteExt;

use super::*;
use crate::message::{
    Answer, ChangesSince, CreateDataset, DatasetSpec, Request, RequestKind, Response,
};
use crate::{Config, Coordinator, Member, MemberConfig, MemberEvent, MemoryStorage};

fn service(examples: u64) -> Service {
    let service = Service::open(|now| {
        Coordinator::open(Box::new(MemoryStorage::new()), Config::default(), now)
    })
    .unwrap();
    let spec = DatasetSpec { unit: 40, ..DatasetSpec::new("data", examples, 2, 10) };
    let create = RequestKind::CreateDataset(CreateDataset { spec: Some(spec) });
    service.call(Request::new(1, create)).result().unwrap();
    service
}

#[tokio::test(start_paused = true)]
async fn members_work_through_a_dataset_over_a_network_that_fails_now_and_then() {
    let service = service(300);
    let ticking = service.clone();
    let mut all = tokio::task::JoinSet::new();
    for n in 0..3 {
        let handle = MemberHandle::new(Member::new(MemberConfig::new(format!("worker/{n}"), n)));
        handle.with(|member| member.work_on(1));
        let (service, runner) = (service.clone(), handle.clone());
        all.spawn(async move {
            let mut sent = 0u32;
            let call = |request: Request| {
                sent += 1;
                let (sent, service) = (sent, service.clone());
                async move {
                    tokio::time::sleep(Duration::from_millis(3)).await;
                    if sent % 5 == 1 {
                        return Err(Status::unavailable("the network is down"));
                    }
                    let response = service.call(request);
                    if sent % 7 == 1 {
                        // The answer is never heard.
                        tokio::time::sleep(Duration::from_secs(1000)).await;
                    }
                    Ok(response)
                }
            };
            runner.run(call).await;
            0
        });
        all.spawn(async move {
            let mut examples = 0;
            while let Some(lease) = handle.next_lease().await {
                for position in (lease.position..lease.end).step_by(10) {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    handle.with(|member| member.progress(lease.unit, position));
                }
                examples += lease.end - lease.position;
                handle.with(|member| member.complete(lease.unit));
            }
            while handle.next_event().await.unwrap() != MemberEvent::Finished {}
            handle.with(Member::leave);
            while handle.next_event().await != Ok(MemberEvent::Left) {}
            handle.next_event().await.unwrap_err();
            examples
        });
    }
    let total = async {
        let mut total = 0;
        while let Some(examples) = all.join_next().await {
            total += examples.unwrap();
        }
        total
    };
    tokio::select! {
        ended = ticking.run() => panic!("{ended:?}"),
        total = total => assert_eq!(total, 600),
    }
}

#[tokio::test(start_paused = true)]
async fn time_passes_without_requests() {
    let service = service(10);
    let join = RequestKind::Join(crate::message::Join { name: "a".into(), ..Default::default() });
    service.call(Request::new(1, join)).result().unwrap();
    let ticking = service.clone();
    tokio::select! {
        ended = ticking.run() => panic!("{ended:?}"),
        () = tokio::time::sleep(Duration::from_secs(11)) => {}
    }
    let since = RequestKind::ChangesSince(ChangesSince { generation: 1 });
    let Ok(Answer::Changes(changes)) = service.call(Request::new(2, since)).result() else {
        panic!()
    };
    assert_eq!(changes.changes.len(), 1);
}

/// Sends a join over a connection, and says what became of it.
async fn joins(connection: &mut tokio::io::DuplexStream, process: u64) -> Result<Answer> {
    let join = crate::message::Join { name: "worker/0".into(), process, ..Default::default() };
    let request = Request::new(1, RequestKind::Join(join));
    door::write_frame(connection, &request.encode_to_vec()).await.unwrap();
    let answer = door::read_frame(connection, door::MAX_RESPONSE).await.unwrap();
    Response::decode(&answer[..]).unwrap().result()
}

#[tokio::test]
async fn a_join_takes_no_name_from_a_process_that_is_connected() {
    let service = service(10);
    let connect = || async {
        let (mut near, far) = tokio::io::duplex(1 << 12);
        tokio::spawn(door::serve(far, Some(service.clone())));
        near.write_all(&door::MAGIC).await.unwrap();
        near
    };
    let (mut worker, mut stranger) = (connect().await, connect().await);
    let Answer::Joined(joined) = joins(&mut worker, 1).await.unwrap() else { panic!("joined") };
    let refused = joins(&mut stranger, 2).await.unwrap_err();
    assert_eq!(refused.code(), downpour_tensor::Code::Unavailable, "{refused}");
    let Answer::Joined(again) = joins(&mut worker, 1).await.unwrap() else { panic!("joined") };
    assert_eq!(again, joined);
    drop(worker);
    while joins(&mut stranger, 2).await.is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn threads_that_call_together_each_get_their_answer() {
    let service = service(100_000);
    std::thread::scope(|scope| {
        for n in 1..=8u64 {
            let service = service.clone();
            scope.spawn(move || {
                let join =
                    crate::message::Join { name: format!("{n}"), process: n, ..Default::default() };
                let Ok(Answer::Joined(joined)) =
                    service.call(Request::new(n, RequestKind::Join(join))).result()
                else {
                    panic!("not joined")
                };
                for id in 1..200 {
                    let request =
                        RequestKind::ChangesSince(ChangesSince { generation: joined.epoch - 1 });
                    let response = service.call(Request::new(n << 32 | id, request));
                    assert_eq!(response.id, n << 32 | id);
                    let Ok(Answer::Changes(changes)) = response.result() else {
                        panic!("no changes")
                    };
                    assert_eq!(changes.changes[0].name, format!("{n}"));
                }
            });
        }
    });
}

proptest! {
    #[test]
    fn whatever_is_said_at_the_door_is_answered_once(
        words in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..6),
        cut in prop::collection::vec(any::<u8>(), 0..4),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let mut said = door::MAGIC.to_vec();
        for word in &words {
            said.extend((word.len() as u32).to_le_bytes());
            said.extend(word);
        }
        // The connection ends within the next length.
        said.extend(cut);
        for service in [Some(service(100)), None] {
            let mut heard = Vec::new();
            let connection = tokio::io::join(&said[..], &mut heard);
            prop_assert!(runtime.block_on(door::serve(connection, service)).is_ok());
            let (mut answers, mut heard) = (0, &heard[..]);
            while !heard.is_empty() {
                let answer = runtime.block_on(door::read_frame(&mut heard, door::MAX_RESPONSE)).unwrap();
                prop_assert!(Response::decode(&answer[..]).is_ok());
                answers += 1;
            }
            prop_assert_eq!(answers, words.len());
        }
    }
}

#[test]
fn half_requests_and_half_hellos_are_not_waited_for() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let limits = door::ConnectionLimits::default();
    // Nothing, a part of the first words, a request that stands still.
    let request = [&door::MAGIC[..], &[200, 0, 0, 0, 1]].concat();
    for (said, longest) in [
        (&[][..], limits.hello),
        (&door::MAGIC[..3], limits.hello),
        (&request[..], limits.hello + limits.stall),
    ] {
        runtime.block_on(async {
            let (mut near, far) = tokio::io::duplex(100);
            let start = tokio::time::Instant::now();
            tokio::io::AsyncWriteExt::write_all(&mut near, said).await.unwrap();
            let ended = door::serve(far, Some(service(100))).await.unwrap_err();
            assert_eq!(ended.kind(), std::io::ErrorKind::TimedOut);
            assert!(start.elapsed() <= longest, "{:?}", start.elapsed());
        });
    }
    // Who has said hello may be silent between requests.
    runtime.block_on(async {
        let (mut near, far) = tokio::io::duplex(100);
        tokio::io::AsyncWriteExt::write_all(&mut near, &door::MAGIC).await.unwrap();
        let serving = door::serve(far, None);
        let day = std::time::Duration::from_secs(86_400);
        assert!(tokio::time::timeout(day, serving).await.is_err());
    });
}
