use std::io;
use std::time::Duration;

use downpour_coordinator::door::{MAX_RESPONSE, read_frame, serve};
use downpour_coordinator::message::{
    Answer, CreateDataset, DatasetSpec, RequestKind, Response, SurveyRequest,
};
use downpour_coordinator::{Member, MemberConfig, MemberHandle};
use downpour_tensor::Code;
use prost::Message;
use tokio::io::AsyncWriteExt;

use super::*;
use crate::metrics::Metrics;
use crate::network::{BoxStream, Dialer, Network};

/// Connections to a coordinator that may be replaced, as by a restart.
struct Pipes(parking_lot::Mutex<Option<Service>>);

impl Network for Pipes {
    fn connect(&self, _: &str) -> tonic::codegen::BoxFuture<BoxStream, io::Error> {
        let service = self.0.lock().clone();
        Box::pin(async move {
            let (near, far) = tokio::io::duplex(64);
            tokio::spawn(serve(far, service));
            Ok(Box::new(near) as BoxStream)
        })
    }
}

fn hosted(folder: &tempfile::TempDir) -> Hosted {
    Hosted { log: folder.path().join("coordinator/log"), config: Config::default() }
}

fn client(pipes: &Arc<Pipes>) -> CoordinatorClient {
    CoordinatorClient::new(Dialer::new(pipes.clone(), Metrics::new()), "coordinator:1")
}

#[tokio::test]
async fn a_coordinator_that_is_started_again_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let first = Coordination::start(&hosted(&folder)).unwrap();
    // Its log is taken.
    assert!(Coordination::start(&hosted(&folder)).is_err());
    let pipes = Arc::new(Pipes(parking_lot::Mutex::new(Some(first.service()))));
    let way = client(&pipes);
    let spec = DatasetSpec::new("data", 100, 3, 10);
    let create = RequestKind::CreateDataset(CreateDataset { spec: Some(spec) });
    let Ok(Answer::DatasetCreated(made)) = way.ask(create, Duration::from_secs(300)).await else {
        panic!("no dataset")
    };
    let member = MemberHandle::new(Member::new(MemberConfig::new("worker/0", 7)));
    member.with(|member| member.work_on(made.dataset));
    let (runner, calls) = (member.clone(), way.clone());
    let running = tokio::spawn(async move { runner.run(|request| calls.call(request)).await });
    let lease = member.next_lease().await.unwrap();
    member.with(|member| member.complete(lease.unit));
    let next = member.next_lease().await.unwrap();
    running.abort();
    pipes.0.lock().take();
    drop((first, way));
    // The thread that lets time pass has the log until it has ended.
    let second = loop {
        match Coordination::start(&hosted(&folder)) {
            Ok(second) => break second,
            Err(e) => assert_eq!(e.code(), Code::FailedPrecondition, "{e}"),
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    *pipes.0.lock() = Some(second.service());
    let survey = RequestKind::Survey(SurveyRequest {});
    let Ok(Answer::Survey(survey)) = client(&pipes).ask(survey, Duration::from_secs(300)).await
    else {
        panic!("no survey")
    };
    assert_eq!(survey.datasets[0].done, lease.end - lease.start);
    assert!(next.start != lease.start && survey.members[0].leases >= 1, "{survey:?}");
}

#[tokio::test]
async fn who_is_no_coordinator_says_so_and_strange_words_end_the_connection() {
    let nobody = Arc::new(Pipes(parking_lot::Mutex::new(None)));
    let survey = || RequestKind::Survey(SurveyRequest {});
    let refused = client(&nobody).ask(survey(), Duration::from_secs(300)).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert!(refused.message().contains("hosts no coordinator"), "{refused}");
    for words in [&b"coordxxx"[..], b"coord_01\xff\xff\xff\xff", b"coord_01\x05\0\0\0ab"] {
        let (mut near, far) = tokio::io::duplex(64);
        let serving = tokio::spawn(serve(far, None));
        near.write_all(words).await.unwrap();
        drop(near);
        // The last is one that went away in the middle of a request.
        let ended = serving.await.unwrap();
        assert_eq!(ended.is_ok(), words.ends_with(b"ab"), "{ended:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let coordination = Coordination::start(&hosted(&folder)).unwrap();
    let (mut near, far) = tokio::io::duplex(64);
    tokio::spawn(serve(far, Some(coordination.service())));
    near.write_all(b"coord_01\x03\0\0\0???").await.unwrap();
    let answer = read_frame(&mut near, MAX_RESPONSE).await.unwrap();
    assert_ne!(Response::decode(&answer[..]).unwrap().code, 0);
}
