//! The model against the simulation of the real code, for clusters small enough to be quick.

use downpour_collectives::Algorithm;
use downpour_scaling::cases::{Case, example};
use downpour_scaling::{Cluster, ComputeTime, Limit};

/// Without luck: what is left are the formulas.
fn steady(workers: usize, servers: usize) -> Cluster {
    Cluster { servers, compute: ComputeTime::always(0.1), ..example(workers) }
}

fn agree(case: Case, cluster: &Cluster, steps: usize, tolerance: f64) {
    let model = case.model(cluster).time();
    let simulated = case.simulate(cluster, steps, 7).unwrap();
    let error = model / simulated - 1.0;
    assert!(
        error.abs() < tolerance,
        "{} on {} workers: model {model:.4} s, simulation {simulated:.4} s",
        case.name(),
        cluster.workers
    );
}

#[test]
fn without_luck_parameter_servers_are_within_a_tenth() {
    for (workers, servers) in [(1, 1), (4, 1), (8, 2), (16, 4)] {
        let cluster = steady(workers, servers);
        agree(Case::Synchronous, &cluster, 3, 0.1);
    }
}

#[test]
fn who_goes_on_by_himself_meets_the_queues_the_model_has() {
    // With some luck: else all would come at the same moment in every step.
    let compute = ComputeTime { mean: 0.1, spread: 0.3, slow: 0.0, factor: 1.0 };
    for (workers, servers) in [(1, 1), (4, 1), (8, 2), (16, 4)] {
        let cluster = Cluster { compute, ..steady(workers, servers) };
        for case in [Case::Downpour(1, 1), Case::Downpour(2, 4), Case::Bounded(4)] {
            agree(case, &cluster, 20, 0.15);
        }
    }
}

#[test]
fn without_luck_all_reduces_are_within_a_tenth() {
    for workers in [2, 5, 10, 16] {
        let cluster = steady(workers, 1);
        for algorithm in [Algorithm::Ring, Algorithm::Halving, Algorithm::Doubling] {
            agree(Case::AllReduce(algorithm), &cluster, 2, 0.1);
        }
    }
    agree(Case::AllReduce(Algorithm::Hierarchical), &steady(10, 1), 2, 0.1);
    agree(Case::Overlapped(Algorithm::Ring, 4), &steady(8, 1), 2, 0.1);
}

#[test]
fn with_luck_stragglers_are_where_the_model_has_them() {
    let compute = ComputeTime { mean: 0.1, spread: 0.2, slow: 0.0, factor: 1.0 };
    let cluster = Cluster { bytes: 1e5, compute, ..example(12) };
    agree(Case::Synchronous, &cluster, 60, 0.1);
    agree(Case::AllReduce(Algorithm::Ring), &cluster, 60, 0.1);
    agree(Case::Units(16), &cluster, 20, 0.1);
    assert_eq!(Case::Synchronous.model(&cluster).limit(), Limit::Compute);
}

#[test]
fn a_run_follows_from_its_seed() {
    let cluster = example(6);
    for case in [Case::Synchronous, Case::Backups(1), Case::Bounded(2), Case::Downpour(2, 2)] {
        let time = |seed| case.simulate(&cluster, 3, seed).unwrap();
        assert_eq!(time(3), time(3), "{}", case.name());
        assert_ne!(time(3), time(4), "{}", case.name());
    }
}

#[test]
fn more_workers_at_the_same_servers_are_slower_and_what_limits_is_said() {
    let crowded = |workers| steady(workers, 1);
    let time = |workers| Case::Synchronous.simulate(&crowded(workers), 2, 1).unwrap();
    assert!(time(4) < time(8) && time(8) < time(16));
    assert_eq!(Case::Synchronous.model(&crowded(16)).limit(), Limit::Network);
    let far = Cluster { latency: 0.5, ..steady(4, 4) };
    assert_eq!(Case::Synchronous.model(&far).limit(), Limit::Latency);
}
