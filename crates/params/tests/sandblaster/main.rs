//! Sandblaster as a whole: a coordinator, two servers and four replicas walk as one process does, whatever
//! happens on the way.

mod accidents;
mod cluster;
mod commands;
mod cuts;
mod problem;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cluster::Cluster;
use downpour_lbfgs::{Iteration, Lbfgs, LocalSpace, Settings};
use downpour_params::Client;
use downpour_params::sandblaster::{Coordinator, Saved};
use downpour_tensor::Code;
use problem::{INPUTS, Kind, Problem, dot};
use tokio::time::Instant;

const MILLISECOND: Duration = Duration::from_millis(1);

fn settings() -> Settings {
    Settings { history: 5, gradient_norm: 1e-6, ..Settings::default() }
}

fn start() -> Vec<f64> {
    vec![0.1; INPUTS]
}

/// Every iteration's point and the last iteration, as one process finds them.
async fn alone(kind: Kind) -> (Vec<Vec<f64>>, Iteration) {
    let problem = Problem::new(kind);
    let whole = move |weights: &[f64], gradient: &mut [f64]| problem.whole(weights, gradient);
    let mut space = LocalSpace::new(2, &start(), whole);
    let mut lbfgs = Lbfgs::new(settings()).unwrap();
    let mut points = Vec::new();
    loop {
        let iteration = lbfgs.iterate(&mut space).await.unwrap();
        points.push(space.read(lbfgs.point()).unwrap());
        if iteration.stop.is_some() {
            return (points, iteration);
        }
    }
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    (dot(&difference, &difference) / dot(b, b)).sqrt()
}

async fn begin(cluster: &Cluster, number: u64, saved: Option<Saved>) -> (Arc<Client>, Coordinator) {
    let client = match saved {
        None => cluster.start(&start()).await,
        Some(_) => Arc::new(cluster.client(2000)),
    };
    let plan = cluster.plan();
    let coordinator = Coordinator::begin(client.clone(), plan, settings(), number, saved).await;
    (client, coordinator.unwrap())
}

#[tokio::test(start_paused = true)]
async fn it_walks_as_one_process_does() {
    for kind in [Kind::Ridge, Kind::Logistic] {
        let (expected, last) = alone(kind).await;
        let cluster = Cluster::new(Problem::new(kind), 40);
        let (client, mut coordinator) = begin(&cluster, 1, None).await;
        let replicas: Vec<_> = (0..4).map(|worker| cluster.replica(worker, MILLISECOND)).collect();
        for (number, point) in expected.iter().enumerate() {
            let iteration = coordinator.iterate().await.unwrap();
            let apart = apart(&cluster.published(&client).await, point);
            assert!(apart < 1e-7, "{kind:?}, iteration {number}: {apart:e} from {point:?}");
            if number + 1 == expected.len() {
                assert_eq!(iteration.stop, last.stop);
                assert!((iteration.loss - last.loss).abs() < 1e-12);
            }
        }
        coordinator.end().await.unwrap();
        let mut units = 0;
        for replica in replicas {
            let worked = replica.await.unwrap().unwrap();
            units += worked.units - worked.superfluous;
        }
        let evaluations = coordinator.saved().state.evaluations;
        assert_eq!(units, 40 * evaluations, "every unit was added once");
        assert_eq!(coordinator.repairs(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_replica_holds_up_nobody() {
    let mut times = Vec::new();
    for slow in [MILLISECOND, 4 * MILLISECOND] {
        let cluster = Cluster::new(Problem::new(Kind::Logistic), 120);
        let (_client, mut coordinator) = begin(&cluster, 1, None).await;
        for worker in 0..4 {
            cluster.replica(worker, if worker == 3 { slow } else { MILLISECOND });
        }
        // Speeds are known after this.
        coordinator.iterate().await.unwrap();
        let (before, evaluations) = (Instant::now(), coordinator.saved().state.evaluations);
        for _ in 0..5 {
            coordinator.iterate().await.unwrap();
        }
        let evaluations = coordinator.saved().state.evaluations - evaluations;
        times.push(before.elapsed().as_secs_f64() / evaluations as f64);
    }
    println!("{:.1} ms and {:.1} ms per evaluation", times[0] * 1e3, times[1] * 1e3);
    assert!(times[1] < 1.3 * times[0], "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn replicas_die_and_connections_break() {
    let (expected, _) = alone(Kind::Logistic).await;
    let mut cluster = Cluster::new(Problem::new(Kind::Logistic), 40);
    cluster.frail = 1500;
    let (client, mut coordinator) = begin(&cluster, 1, None).await;
    let mut replicas: Vec<_> = (0..4).map(|worker| cluster.replica(worker, MILLISECOND)).collect();
    for (number, point) in expected.iter().enumerate() {
        if number % 3 == 1 {
            // Killed while it computes; its unit comes back when it has been silent, or goes to another as a copy.
            let worker = number % 4;
            let (victim, next) =
                (&mut replicas[worker], cluster.replica(worker as u32, MILLISECOND));
            let iteration = {
                let mut iteration = std::pin::pin!(coordinator.iterate());
                let soon = tokio::time::timeout(20 * MILLISECOND, &mut iteration).await;
                victim.abort();
                match soon {
                    Ok(iteration) => iteration,
                    Err(_) => iteration.await,
                }
            };
            *victim = next;
            iteration.unwrap();
        } else {
            coordinator.iterate().await.unwrap();
        }
        let apart = apart(&cluster.published(&client).await, point);
        assert!(apart < 1e-7, "iteration {number}: {apart:e}");
    }
    assert_eq!(coordinator.repairs(), 0);
}

#[tokio::test(start_paused = true)]
async fn all_replicas_of_a_while_die() {
    let (expected, _) = alone(Kind::Ridge).await;
    let cluster = Cluster::new(Problem::new(Kind::Ridge), 20);
    let (client, mut coordinator) = begin(&cluster, 1, None).await;
    let first: Vec<_> = (0..2).map(|worker| cluster.replica(worker, MILLISECOND)).collect();
    {
        let mut iteration = std::pin::pin!(coordinator.iterate());
        let soon = tokio::time::timeout(15 * MILLISECOND, &mut iteration).await;
        assert!(soon.is_err());
        first.iter().for_each(|replica| replica.abort());
        // Others come; the units of the dead are theirs when these have been silent.
        cluster.replica(7, MILLISECOND);
        iteration.await.unwrap();
    }
    assert!(apart(&cluster.published(&client).await, &expected[0]) < 1e-9);
}

#[tokio::test(start_paused = true)]
async fn a_restarted_server_that_lost_nothing_changes_nothing() {
    let (expected, _) = alone(Kind::Logistic).await;
    let cluster = Cluster::new(Problem::new(Kind::Logistic), 40);
    let (client, mut coordinator) = begin(&cluster, 1, None).await;
    for worker in 0..4 {
        cluster.replica(worker, MILLISECOND);
    }
    for (number, point) in expected.iter().enumerate() {
        let mut iteration = std::pin::pin!(coordinator.iterate());
        // The board's server and the other one in turn, in the middle of an evaluation.
        let soon = tokio::time::timeout(25 * MILLISECOND, &mut iteration).await;
        let place = &cluster.places[number % 2];
        place.restart(place.snapshot());
        match soon {
            Ok(iteration) => iteration.unwrap(),
            Err(_) => iteration.await.unwrap(),
        };
        let apart = apart(&cluster.published(&client).await, point);
        assert!(apart < 1e-7, "iteration {number}: {apart:e}");
    }
    assert_eq!(coordinator.repairs(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_lost_iterations_finds_the_same_minimum() {
    for server in [0, 1] {
        let (expected, last) = alone(Kind::Ridge).await;
        let cluster = Cluster::new(Problem::new(Kind::Ridge), 40);
        let (client, mut coordinator) = begin(&cluster, 1, None).await;
        for worker in 0..4 {
            cluster.replica(worker, MILLISECOND);
        }
        for _ in 0..3 {
            coordinator.iterate().await.unwrap();
        }
        let old = cluster.places[server].snapshot();
        for _ in 0..4 {
            coordinator.iterate().await.unwrap();
        }
        cluster.places[server].restart(old);
        let summary = coordinator.run(|_, _| Ok(())).await.unwrap();
        assert_eq!(coordinator.repairs(), 1);
        assert!((summary.loss - last.loss).abs() < 1e-9, "{summary:?}");
        let found = cluster.published(&client).await;
        assert!(apart(&found, expected.last().unwrap()) < 1e-4);
    }
}

#[tokio::test(start_paused = true)]
async fn a_coordinator_that_dies_is_followed_by_another() {
    let (expected, _) = alone(Kind::Logistic).await;
    let cluster = Cluster::new(Problem::new(Kind::Logistic), 40);
    let (client, mut coordinator) = begin(&cluster, 1, None).await;
    for worker in 0..4 {
        cluster.replica(worker, MILLISECOND);
    }
    let mut saved = serde_json::to_string(&coordinator.saved()).unwrap();
    let mut number = 0;
    for start in 2.. {
        // Some die in the middle of an iteration, some after one that was not saved.
        let time = 40 * (start % 5) as u32 * MILLISECOND;
        let _ = tokio::time::timeout(time, coordinator.iterate()).await;
        let before: Saved = serde_json::from_str(&saved).unwrap();
        let (_, next) = begin(&cluster, start, Some(before)).await;
        let mut old = std::mem::replace(&mut coordinator, next);
        coordinator.iterate().await.unwrap();
        saved = serde_json::to_string(&coordinator.saved()).unwrap();
        let point = &expected[number];
        let apart = apart(&cluster.published(&client).await, point);
        assert!(apart < 1e-7, "iteration {number}: {apart:e}");
        // The dead can harm nobody.
        assert_eq!(old.iterate().await.unwrap_err().code(), Code::Aborted);
        number += 1;
        if number == expected.len() {
            break;
        }
    }
    assert_eq!(coordinator.repairs(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_moves() {
    let cluster = Cluster::new(Problem::new(Kind::Ridge), 40);
    let client = cluster.start(&start()).await;
    let settings = Settings { history: 10, gradient_norm: 0.0, ..Settings::default() };
    let coordinator = Coordinator::begin(client, cluster.plan(), settings, 1, None).await;
    let mut coordinator = coordinator.unwrap();
    for worker in 0..4 {
        cluster.replica(worker, MILLISECOND);
    }
    for _ in 0..12 {
        coordinator.iterate().await.unwrap();
    }
    let count = |bytes: &AtomicU64| bytes.load(Ordering::Relaxed);
    let before = (count(&cluster.commanded), count(&cluster.worked));
    let evaluations = coordinator.saved().state.evaluations;
    for _ in 0..5 {
        coordinator.iterate().await.unwrap();
    }
    let evaluations = coordinator.saved().state.evaluations - evaluations;
    let commanded = count(&cluster.commanded) - before.0;
    let worked = count(&cluster.worked) - before.1;
    println!(
        "5 iterations, {evaluations} evaluations: {} bytes per iteration and server between coordinator and servers, \
         {} bytes per unit of 160 bytes of parameters between replicas and servers",
        commanded / 10,
        worked / 40 / evaluations.max(1)
    );
    // However many parameters there are: the coordinator does not see them.
    assert!(commanded / 10 < 4096);
}
