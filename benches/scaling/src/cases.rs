//! Ways to train, each as the model sees it and as the simulation runs it.

use downpour_collectives::Algorithm;
use downpour_params::Mode;
use downpour_tensor::Result;

use crate::cluster::{Cluster, Machines, Step};
use crate::compute_time::ComputeTime;
use crate::constants::Constants;
use crate::model;
use crate::simulation::{self, Run, Scale};

/// A way to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Case {
    /// Servers wait for everybody.
    Synchronous,
    /// But not for these.
    Backups(usize),
    /// Nobody is more than so many steps ahead.
    Bounded(usize),
    /// Pushes and fetches every so many steps.
    Downpour(usize, usize),
    /// Without servers.
    AllReduce(Algorithm),
    /// In so many buckets, while the rest is computed.
    Overlapped(Algorithm, usize),
    /// L-BFGS: so many units for every worker.
    Units(usize),
}

impl Case {
    /// All of them, for so many workers.
    pub fn all(workers: usize) -> Vec<Case> {
        vec![
            Case::Synchronous,
            Case::Backups((workers / 20).max(1)),
            Case::Bounded(3),
            Case::Downpour(1, 1),
            Case::Downpour(5, 10),
            Case::AllReduce(Algorithm::Ring),
            Case::AllReduce(Algorithm::Halving),
            Case::AllReduce(Algorithm::Hierarchical),
            Case::Overlapped(Algorithm::Hierarchical, 4),
            Case::Units(16),
        ]
    }

    /// For tables.
    pub fn name(&self) -> String {
        match self {
            Case::Synchronous => "synchronous".to_string(),
            Case::Backups(1) => "synchronous, 1 backup".to_string(),
            Case::Backups(backups) => format!("synchronous, {backups} backups"),
            Case::Bounded(bound) => format!("bounded staleness {bound}"),
            Case::Downpour(push, fetch) => format!("Downpour, push {push}, fetch {fetch}"),
            Case::AllReduce(algorithm) => format!("all-reduce, {}", algorithm.name()),
            Case::Overlapped(algorithm, buckets) => {
                format!("all-reduce, {}, overlapped in {buckets}", algorithm.name())
            }
            Case::Units(units) => format!("Sandblaster batch, {units} units each"),
        }
    }

    /// On paper.
    pub fn model(&self, cluster: &Cluster) -> Step {
        match *self {
            Case::Synchronous => model::synchronous::step(cluster, 0),
            Case::Backups(backups) => model::synchronous::step(cluster, backups),
            Case::Bounded(bound) => model::bounded::step(cluster, bound),
            Case::Downpour(push, fetch) => model::downpour::step(cluster, push, fetch),
            Case::AllReduce(algorithm) => model::all_reduce::step(cluster, algorithm),
            Case::Overlapped(algorithm, buckets) => {
                model::all_reduce::overlapped(cluster, algorithm, buckets)
            }
            Case::Units(units) => model::units::batch(cluster, units),
        }
    }

    /// In simulated time: seconds of a step, the mean of so many.
    pub fn simulate(&self, cluster: &Cluster, steps: usize, seed: u64) -> Result<f64> {
        let workers = cluster.workers as u32;
        // Enough for every server, or every rank, to have some.
        let each = match self {
            Case::AllReduce(_) | Case::Overlapped(..) => 64 * cluster.workers,
            _ => 2048 * cluster.servers,
        };
        let scale = Scale { bytes: each };
        let service = |mode: Mode, every: (usize, usize)| {
            let steps = steps * every.0.max(every.1);
            simulation::parameter_service(Run {
                cluster: *cluster,
                mode,
                every,
                scale,
                steps,
                seed,
            })
        };
        match *self {
            Case::Synchronous => service(Mode::Together { workers, backups: 0 }, (1, 1)),
            Case::Backups(backups) => {
                service(Mode::Together { workers, backups: backups as u32 }, (1, 1))
            }
            Case::Bounded(bound) => service(Mode::Bounded { workers, bound: bound as u32 }, (1, 1)),
            Case::Downpour(push, fetch) => service(Mode::AtOnce, (push, fetch)),
            Case::AllReduce(algorithm) => {
                simulation::all_reduce(*cluster, algorithm, scale, steps, seed)
            }
            Case::Overlapped(algorithm, buckets) => {
                simulation::all_reduce_overlapped(*cluster, algorithm, buckets, scale, steps, seed)
            }
            Case::Units(units) => simulation::units(*cluster, units, steps, seed),
        }
    }
}

/// A cluster of so many workers on an ordinary network: a model of 25 MB whose step takes half a second, a server for
/// every ten workers up to 16, cards of 10 Gbit/s. One step in a hundred takes three times as long.
pub fn cluster(workers: usize, constants: Constants) -> Cluster {
    Cluster {
        workers,
        servers: workers.div_ceil(10).min(16),
        bytes: 25e6,
        bandwidth: 1.25e9,
        latency: 50e-6,
        message: constants.message,
        apply: constants.apply,
        compute: ComputeTime { mean: 0.5, spread: constants.spread, slow: 0.01, factor: 3.0 },
        machines: Machines { ranks: 5, bandwidth: 5e9, latency: 5e-6 },
    }
}

/// The same with the usual constants.
pub fn example(workers: usize) -> Cluster {
    cluster(workers, Constants::default())
}
