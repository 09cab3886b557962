//! Cuts: whatever happens to servers and coordinators, what is published is a point of the one walk, never a mixture.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use downpour_params::sandblaster::{Coordinator, Saved, WentBack};
use downpour_tensor::Code;
use parking_lot::Mutex;

use crate::accidents::Chance;
use crate::cluster::Cluster;
use crate::problem::{Kind, Problem};
use crate::{MILLISECOND, alone, apart, begin};

/// What a coordinator has told.
type Told = Arc<Mutex<Vec<WentBack>>>;

fn keep_cuts(coordinator: &mut Coordinator, told: &Told) {
    let told = told.clone();
    coordinator.keep_cuts(Duration::ZERO, Box::new(move |back| told.lock().push(back)));
}

#[tokio::test(start_paused = true)]
async fn all_servers_go_back_to_one_iteration() {
    for server in [0, 1] {
        let (expected, last) = alone(Kind::Logistic).await;
        let cluster = Cluster::new(Problem::new(Kind::Logistic), 40);
        let (client, mut coordinator) = begin(&cluster, 1, None).await;
        let told = Told::default();
        keep_cuts(&mut coordinator, &told);
        for worker in 0..4 {
            cluster.replica(worker, MILLISECOND);
        }
        for _ in 0..6 {
            coordinator.iterate().await.unwrap();
        }
        assert_eq!(*told.lock(), []);
        // Its newest cut was not written yet when it died.
        let place = &cluster.places[server];
        place.disk.lose_newest();
        place.restart_from_disk();
        let iteration = coordinator.iterate().await.unwrap();
        let back = told.lock().pop().unwrap();
        assert_eq!(back.servers, [format!("ps/{server}")]);
        let (to, lost) = (back.iteration.unwrap(), back.lost);
        assert!(to + lost == 6 && (1..=3).contains(&lost), "{back}");
        assert_eq!(iteration.number, to + 1);
        let apart_by = apart(&cluster.published(&client).await, &expected[to as usize]);
        assert!(apart_by < 1e-7, "{back}: {apart_by:e}");
        let summary = coordinator.run(|_, _| Ok(())).await.unwrap();
        assert!((summary.loss - last.loss).abs() < 1e-12, "{summary:?}");
        assert_eq!(summary.iterations, expected.len() as u64);
        assert_eq!(*told.lock(), []);
    }
}

/// Returns how often servers have gone back.
async fn run(seed: u64) -> u64 {
    let mut chance = Chance::new(seed);
    let (expected, _) = alone(Kind::Logistic).await;
    let mut cluster = Cluster::new(Problem::new(Kind::Logistic), 24);
    cluster.chance.store(chance.below(1 << 30), Ordering::Relaxed);
    cluster.frail = [0, 3000, 20_000][chance.below(3) as usize];
    let (client, mut coordinator) = begin(&cluster, 1, None).await;
    let told = Told::default();
    keep_cuts(&mut coordinator, &told);
    let mut replicas: Vec<_> = (0..3).map(|worker| cluster.replica(worker, MILLISECOND)).collect();
    let mut saved = coordinator.saved();
    let (mut number, mut accidents) = (1, 0);
    loop {
        // The rest goes well, so that it ends.
        let limit = if accidents < 40 { chance.below(250) } else { 3_600_000 };
        match tokio::time::timeout(Duration::from_millis(limit), coordinator.iterate()).await {
            Ok(Ok(iteration)) => {
                saved = coordinator.saved();
                let point = &expected[iteration.number as usize - 1];
                let apart = apart(&cluster.published(&client).await, point);
                assert!(apart < 1e-7, "seed {seed}, iteration {}: {apart:e}", iteration.number);
                if iteration.stop.is_some() {
                    break;
                }
            }
            Ok(Err(status)) => {
                assert_eq!(status.code(), Code::Unavailable, "seed {seed}: {status}")
            }
            Err(_) => {}
        }
        if accidents == 40 {
            continue;
        }
        accidents += 1;
        match chance.below(6) {
            0 => {
                let worker = chance.below(3) as usize;
                replicas[worker].abort();
                replicas[worker] = cluster.replica(worker as u32, MILLISECOND);
            }
            1 => cluster.places[chance.below(2) as usize].restart_from_disk(),
            2 => cluster.places.iter().for_each(|place| place.restart_from_disk()),
            3 => {
                number += 1;
                let text = serde_json::to_string(&saved).unwrap();
                let text: Saved = serde_json::from_str(&text).unwrap();
                coordinator = begin(&cluster, number, Some(text)).await.1;
                keep_cuts(&mut coordinator, &told);
            }
            _ => {}
        }
    }
    let told = told.lock();
    for back in told.iter() {
        assert!(back.iteration.is_some(), "seed {seed}: {back}");
    }
    told.len() as u64
}

/// `SEED=n` runs that one alone.
#[test]
fn what_is_published_is_never_a_mixture() {
    let only = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let seeds = only.map_or(0..30, |seed: u64| seed..seed + 1);
    let mut returns = 0;
    for seed in seeds.clone() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().unwrap();
        let limit = Duration::from_secs(24 * 3600);
        let found = runtime.block_on(async { tokio::time::timeout(limit, run(seed)).await });
        returns += found.unwrap_or_else(|_| panic!("seed {seed} hangs"));
    }
    println!("servers have gone back {returns} times");
    assert!(returns > 0 || only.is_some());
}
