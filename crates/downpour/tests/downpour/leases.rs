//! Workers that lease their data: every example counts once an epoch, whatever the strategy.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use downpour::data::Remainder;
use downpour::record::{Books, Event, LeaseCounts};
use downpour::training::{
    ClusterSpec, Downpour, ParameterServer, Positions, Share, Source, StopFlag, Strategy, Trainer,
};
use downpour::{Code, Result};
use downpour_cluster::{CoordinatorClient, Dialer, Metrics, Tcp};
use downpour_coordinator::message::{Answer, MemberStatus, RequestKind, SurveyRequest};

use crate::ports::addresses;
use crate::strategies::{EXAMPLES, adagrad, examples, model};

const BATCH: usize = 8;

fn source() -> Source {
    let by_number = |share: Share| {
        let own = examples()?.repeat().shard(share.count as u64, share.index as u64)?;
        own.batch(BATCH, Remainder::Drop)
    };
    Source::new(by_number).with_positions(|| Positions::shuffled(&examples()?, BATCH, Some(3)))
}

/// A coordinator, two servers and three workers of one process; examples the workers have trained on.
fn train(strategy: &ParameterServer, folder: &Path, steps: i64) -> Result<u64> {
    train_while(strategy, folder, steps, |_, _| {})
}

/// The same; `during` is told where the coordinator is, and how to stop the workers.
fn train_while(
    strategy: &ParameterServer,
    folder: &Path,
    steps: i64,
    during: impl FnOnce(&str, &[StopFlag]),
) -> Result<u64> {
    let places = addresses(6);
    let cluster = format!(
        r#"{{"coordinator": {:?}, "ps": {:?}, "worker": {:?}}}"#,
        &places[..1],
        &places[1..3],
        &places[3..]
    );
    let cluster = ClusterSpec::from_json(&cluster)?;
    let task = |job: &str, number: u32| {
        let strategy = strategy.clone().leases(true).task(cluster.clone(), job, number);
        let trainer = Trainer::new(model, source()).optimizer(adagrad()).threads(1);
        trainer.steps(steps).folder(folder).strategy(Strategy::from(strategy))
    };
    std::thread::scope(|threads| {
        let mut stops = Vec::new();
        for (job, number) in [("coordinator", 0), ("ps", 0), ("ps", 1)] {
            let server = task(job, number);
            stops.push(server.stop_flag());
            threads.spawn(move || server.train().unwrap());
        }
        let workers: Vec<Trainer> = (0..3).map(|number| task("worker", number)).collect();
        let flags: Vec<StopFlag> = workers.iter().map(Trainer::stop_flag).collect();
        let training = |worker: Trainer| threads.spawn(move || worker.train());
        let workers: Vec<_> = workers.into_iter().map(training).collect();
        during(&places[0], &flags);
        let ended: Vec<_> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
        stops.iter().for_each(|stop| stop.stop());
        ended.into_iter().map(|outcome| outcome.map(|outcome| outcome.examples)).sum()
    })
}

fn events(folder: &Path, task: &str) -> Vec<Event> {
    let text = std::fs::read_to_string(folder.join(format!("tasks/{task}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a server has counted at last.
fn served(folder: &Path, task: &str) -> Books {
    let served = events(folder, task).into_iter().rev().find_map(|event| match event {
        Event::Served(served) => served.books,
        _ => None,
    });
    served.unwrap()
}

fn leases(folder: &Path, task: &str) -> LeaseCounts {
    let told = events(folder, task).into_iter().rev().find_map(|event| match event {
        Event::Progress(progress) => progress.leases,
        _ => None,
    });
    told.unwrap_or_default()
}

#[test]
fn every_example_counts_once_an_epoch() -> Result<()> {
    let seldom = Downpour { fetch_every: 3, push_every: 2, ..Downpour::default() };
    for (strategy, steps) in [
        (ParameterServer::downpour(Downpour::default()), 100),
        (ParameterServer::downpour(seldom), 100),
        (ParameterServer::bounded(2), 40),
        (ParameterServer::synchronous(), 40),
        (ParameterServer::with_backups(1), 40),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let trained = train(&strategy, folder.path(), steps)?;
        for server in ["ps-0", "ps-1"] {
            let Books { examples, data_epochs, .. } = served(folder.path(), server);
            let (newest, _) = *data_epochs.last().unwrap();
            assert!(newest >= 5, "{strategy:?}: {data_epochs:?}");
            // The coordinator has at most three epochs under way.
            let whole = data_epochs.iter().filter(|(_, count)| *count == EXAMPLES as u64).count();
            assert!(newest + 1 - whole as u32 <= 3, "{strategy:?}: {data_epochs:?}");
            let different: u64 = data_epochs.iter().map(|(_, count)| count).sum();
            assert_eq!(examples, different, "{strategy:?}");
            assert!(examples <= trained, "{strategy:?}: {examples} of {trained}");
        }
    }
    Ok(())
}

#[test]
fn steps_inside_of_one_graph_take_leases_too() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let trained = train(&ParameterServer::asynchronous(), folder.path(), 100)?;
    let workers = ["worker-0", "worker-1", "worker-2"];
    let counts: Vec<LeaseCounts> = workers.iter().map(|task| leases(folder.path(), task)).collect();
    let answered: u64 = counts.iter().map(|counts| counts.examples).sum();
    assert!(answered == trained && trained >= 100 * BATCH as u64, "{counts:?}, {trained}");
    Ok(())
}

#[test]
fn what_leases_need_is_said() -> Result<()> {
    let places = addresses(2);
    let cluster = format!(r#"{{"ps": {:?}, "worker": {:?}}}"#, &places[..1], &places[1..]);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let strategy = ParameterServer::synchronous().leases(true);
    let worker = |source: Source| {
        let strategy = strategy.clone().task(cluster.clone(), "worker", 0);
        Trainer::new(model, source).optimizer(adagrad()).threads(1).steps(2).strategy(strategy)
    };
    let refused = worker(source()).train().unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert!(refused.message().contains("job 'coordinator'"), "{refused}");
    let by_number = Source::new(|_| examples()?.batch(BATCH, Remainder::Drop));
    let refused = worker(by_number).train().unwrap_err();
    assert!(refused.message().contains("with_positions"), "{refused}");
    for way in [ParameterServer::asynchronous().leases(true), ParameterServer::synchronous()] {
        let way = way.elastic(1, 2, Duration::from_secs(1)).task(cluster.clone(), "worker", 0);
        let refused = Trainer::new(model, source()).steps(2).strategy(way).train().unwrap_err();
        assert!(refused.message().contains("workers come and go"), "{refused}");
    }
    Ok(())
}

/// What the coordinator knows of three workers that train, once it knows something of each.
fn measured(
    strategy: &ParameterServer,
    known: impl Fn(&MemberStatus) -> bool,
) -> Vec<MemberStatus> {
    let (folder, mut found) = (tempfile::tempdir().unwrap(), Vec::new());
    let strategy = strategy.clone().silence(Duration::from_secs(1));
    let ask = |address: &str, stops: &[StopFlag]| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let way = CoordinatorClient::new(Dialer::new(Arc::new(Tcp), Metrics::new()), address);
        while found.len() < 3 || !found.iter().all(&known) {
            std::thread::sleep(Duration::from_millis(50));
            let survey = RequestKind::Survey(SurveyRequest {});
            let answer = runtime.block_on(way.ask(survey, Duration::from_secs(60)));
            let Ok(Answer::Survey(survey)) = answer else { panic!("no survey: {answer:?}") };
            found = survey.members;
        }
        stops.iter().for_each(StopFlag::stop);
    };
    train_while(&strategy, folder.path(), i64::MAX, ask).unwrap();
    found
}

#[test]
fn workers_tell_how_quick_and_how_busy_they_are_and_how_stale() {
    let said = |member: &MemberStatus| member.measurements.unwrap_or_default();
    let quick =
        |member: &MemberStatus| said(member).examples_per_second > 0.0 && member.speed > 0.0;
    for strategy in [ParameterServer::synchronous(), ParameterServer::bounded(2)] {
        let members =
            measured(&strategy, |member| quick(member) && said(member).waiting_share > 0.0);
        assert!(members.iter().all(|member| said(member).waiting_share <= 1.0), "{members:?}");
    }
    // Others' updates come between a read and a write, sooner or later of everybody.
    let downpour = ParameterServer::downpour(Downpour::default());
    measured(&downpour, |member| quick(member) && said(member).staleness > 0.0);
    // Inside of a graph nobody knows what is waiting: only leases tell how quick a worker is.
    let members = measured(&ParameterServer::asynchronous(), |member| member.speed > 0.0);
    assert!(members.iter().all(|member| member.measurements.is_none()), "{members:?}");
}
