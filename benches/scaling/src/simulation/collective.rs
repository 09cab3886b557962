//! All-reduces: the algorithms themselves over the simulated network.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use downpour_collectives::{
    Algorithm, CostModel, Incoming, Mesh, Outgoing, ReduceOp, Reduction, StreamMesh,
    all_reduce_bytes,
};
use downpour_tensor::{DataType, Result, Status};

use super::clock::stretched;
use super::gate::Gate;
use super::network::{Card, End, Network};
use super::{Random, Scale, simulate};
use crate::cluster::Cluster;
use crate::model::all_reduce::{BACKWARD, costs};

/// Bytes of a message's header: tag and length.
const HEADER: usize = 16;

/// A mesh that knows what its network costs: ways are chosen by that.
struct Simulated {
    mesh: StreamMesh<End>,
    costs: CostModel,
}

impl Mesh for Simulated {
    fn rank(&self) -> usize {
        self.mesh.rank()
    }

    fn size(&self) -> usize {
        self.mesh.size()
    }

    fn machine(&self, rank: usize) -> usize {
        self.mesh.machine(rank)
    }

    fn costs(&self) -> CostModel {
        self.costs
    }

    fn next_operation(&mut self) -> u32 {
        self.mesh.next_operation()
    }

    async fn exchange(
        &mut self,
        tag: u64,
        outgoing: Option<Outgoing<'_>>,
        incoming: Option<Incoming<'_>>,
    ) -> Result<()> {
        self.mesh.exchange(tag, outgoing, incoming).await
    }
}

/// Seconds of a step: computing, then an all-reduce.
pub fn all_reduce(
    cluster: Cluster,
    algorithm: Algorithm,
    scale: Scale,
    steps: usize,
    seed: u64,
) -> Result<f64> {
    all_reduce_overlapped(cluster, algorithm, 1, scale, steps, seed)
}

/// Seconds of a step whose gradients are reduced in so many buckets, each when it is ready.
pub fn all_reduce_overlapped(
    cluster: Cluster,
    algorithm: Algorithm,
    buckets: usize,
    scale: Scale,
    steps: usize,
    seed: u64,
) -> Result<f64> {
    simulate(async move {
        let ranks = cluster.workers;
        let each = scale.bytes / buckets;
        let network = Network::new(cluster.message, HEADER);
        let meshes = meshes(&network, &cluster, algorithm, scale);
        tokio::spawn(network.clone().run());
        network.begin();
        let (first, last) = (Arc::new(Gate::new(ranks)), Arc::new(Gate::new(ranks)));
        let mut random = Random::new(seed);
        let mut tasks = tokio::task::JoinSet::new();
        for mut mesh in meshes {
            let (mut random, first, last) = (random.fork(), first.clone(), last.clone());
            tasks.spawn(async move {
                let mut gradients = vec![0u8; each];
                first.pass().await;
                for _ in 0..steps {
                    let time = cluster.compute.draw(&mut random);
                    let begun = tokio::time::Instant::now();
                    for bucket in 1..=buckets {
                        let left = BACKWARD * (1.0 - bucket as f64 / buckets as f64);
                        let ready = stretched(Duration::from_secs_f64(time * (1.0 - left)));
                        tokio::time::sleep_until(begun + ready).await;
                        let sum = Reduction::new(ReduceOp::Sum, DataType::Float)?;
                        all_reduce_bytes(&mut mesh, &mut gradients, sum, algorithm).await?;
                    }
                }
                // Others may still want what this one has sent: its streams must not end before.
                last.pass().await;
                Ok::<(), Status>(())
            });
        }
        while let Some(ended) = tasks.join_next().await {
            ended.map_err(|e| Status::internal(e.to_string()))??;
        }
        Ok(network.now() / steps as f64)
    })
}

/// Connected as far as the algorithm needs it: all to all would be half a million connections of a thousand ranks.
fn meshes(
    network: &Network,
    cluster: &Cluster,
    algorithm: Algorithm,
    scale: Scale,
) -> Vec<Simulated> {
    let ranks = cluster.workers;
    let scaled = |bandwidth: f64| scale.bandwidth(cluster.bytes, bandwidth);
    let together = match algorithm {
        Algorithm::Hierarchical => cluster.machines.ranks.max(1),
        _ => 1,
    };
    let outer: Vec<Card> =
        (0..ranks.div_ceil(together)).map(|_| network.card(scaled(cluster.bandwidth))).collect();
    let inner: Vec<Card> =
        (0..ranks).map(|_| network.card(scaled(cluster.machines.bandwidth))).collect();
    let mut rows: Vec<Vec<(Option<End>, String)>> =
        (0..ranks).map(|_| (0..ranks).map(|_| (None, String::new())).collect()).collect();
    for (low, high) in pairs(ranks, algorithm, together) {
        let (near, far) = if low / together == high / together && together > 1 {
            network.connect(inner[low], inner[high], cluster.machines.latency)
        } else {
            network.connect(outer[low / together], outer[high / together], cluster.latency)
        };
        rows[low][high].0 = Some(near);
        rows[high][low].0 = Some(far);
    }
    let patience = stretched(Duration::from_secs(3000));
    let machines: Vec<usize> = (0..ranks).map(|rank| rank / together).collect();
    let mut costs = costs(cluster);
    // A byte here stands for many.
    costs.byte *= cluster.bytes / scale.bytes as f64;
    let mesh = |(rank, streams)| Simulated {
        mesh: StreamMesh::new(rank, streams, patience).on_machines(machines.clone()),
        costs,
    };
    rows.into_iter().enumerate().map(mesh).collect()
}

/// Ranks that speak with each other, the lower one first.
fn pairs(ranks: usize, algorithm: Algorithm, together: usize) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    let mut add = |a: usize, b: usize| {
        if a != b && a < ranks && b < ranks {
            pairs.insert((a.min(b), a.max(b)));
        }
    };
    for rank in 0..ranks {
        match algorithm {
            Algorithm::Ring => add(rank, (rank + 1) % ranks),
            Algorithm::Halving | Algorithm::Doubling => {
                let power = 1 << ranks.ilog2();
                (0..ranks.ilog2())
                    .filter(|_| rank < power)
                    .for_each(|bit| add(rank, rank ^ (1 << bit)));
                add(rank, rank + power);
            }
            Algorithm::Hierarchical => {
                let machine = rank / together;
                (machine * together..(machine + 1) * together).for_each(|other| add(rank, other));
                (0..ranks.div_ceil(together))
                    .for_each(|m| add(rank, m * together + rank % together));
            }
            Algorithm::Direct | Algorithm::Tree => (0..ranks).for_each(|other| add(rank, other)),
        }
    }
    pairs
}
