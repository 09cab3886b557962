//! Workers and parameter servers: the service's own stores, servers and clients over the simulated network.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use downpour_params::{
    Client, Connect, ConnectionLimits, Definition, Gradient, Limits, Mode, Patience, PlainValues,
    Shard, Store, Stream, Update, serve_within,
};
use downpour_tensor::{Result, Tensor};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::clock::{stretched, wait};
use super::gate::Gate;
use super::network::{Card, Network};
use super::processor::{Metered, Processor, Shared};
use super::{Random, Scale, simulate};
use crate::cluster::Cluster;

/// What is simulated of a cluster.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The cluster.
    pub cluster: Cluster,
    /// When gradients become updates.
    pub mode: Mode,
    /// Steps between two pushes, and between two fetches.
    pub every: (usize, usize),
    /// Buffers instead of parameters.
    pub scale: Scale,
    /// Steps that are counted, after two that are not.
    pub steps: usize,
    /// Everything follows from it.
    pub seed: u64,
}

/// Steps before it counts: everybody started at the same moment.
const WARM: usize = 2;
/// About the bytes of a push's header, or of an answer's.
const HEADER: usize = 80;
/// The variable of every server.
const NAME: &str = "w";

type Server = (Arc<Store<Metered>>, Arc<Processor>, Card);

struct Shop {
    run: Run,
    network: Network,
    servers: Vec<Server>,
    ready: Gate,
    progress: Mutex<Progress>,
    done: Notify,
}

/// Steps of all workers so far, and when it began and ended to count.
#[derive(Default)]
struct Progress {
    steps: usize,
    begun: Option<f64>,
    ended: Option<f64>,
}

/// Seconds of a step: of the update of all workers where they are made together, of a worker's own otherwise.
pub fn parameter_service(run: Run) -> Result<f64> {
    simulate(async move {
        let Run { cluster, scale, .. } = run;
        let network = Network::new(cluster.message, HEADER);
        let bandwidth = scale.bandwidth(cluster.bytes, cluster.bandwidth);
        let servers = (0..cluster.servers).map(|_| server(&network, run, bandwidth)).collect();
        let shop = Arc::new(Shop {
            run,
            network: network.clone(),
            servers,
            ready: Gate::new(cluster.workers),
            progress: Mutex::default(),
            done: Notify::new(),
        });
        tokio::spawn(network.run());
        let mut random = Random::new(run.seed);
        let mut workers = tokio::task::JoinSet::new();
        for worker in 0..cluster.workers {
            let (own, random) = (shop.clone(), random.fork());
            workers.spawn(async move { work(own, worker as u32, random, bandwidth).await });
        }
        loop {
            tokio::select! {
                biased;
                () = shop.done.notified() => break,
                ended = workers.join_next() => match ended {
                    Some(Ok(Err(status))) => return Err(status),
                    Some(_) => continue,
                    None => break,
                }
            }
        }
        let progress = shop.progress.lock();
        let time = progress.ended.unwrap_or(f64::NAN) - progress.begun.unwrap_or(f64::NAN);
        Ok(time / run.steps as f64)
    })
}

fn server(network: &Network, run: Run, bandwidth: f64) -> Server {
    let Run { cluster, mode, .. } = run;
    // The worker's gradient is added up with its push; the update of all is besides.
    let together = matches!(mode, Mode::Together { .. });
    let apply = if together { cluster.share() * cluster.apply } else { 0.0 };
    let owed = Arc::new(AtomicU64::new(0));
    let values = Metered { plain: PlainValues::new(1e-3), apply, owed: owed.clone() };
    let forever = stretched(Duration::from_secs(3000));
    let store = Store::new(values, Limits { silence: forever, wait: forever }, 1);
    let processor = Arc::new(Processor::new(cluster.processor(), owed));
    (Arc::new(store), processor, network.card(bandwidth))
}

fn connect(network: Network, card: Card, server: Server, latency: f64) -> Connect {
    Arc::new(move || {
        let (network, (store, processor, far_card)) = (network.clone(), server.clone());
        Box::pin(async move {
            let (near, far) = network.connect(card, far_card, latency);
            tokio::spawn(async move {
                let limits = ConnectionLimits { hello: forever(), stall: forever() };
                serve_within(far, store, Arc::new(Shared(processor)), &limits, || ()).await
            });
            Ok(Box::new(near) as Box<dyn Stream>)
        }) as Pin<Box<dyn Future<Output = _> + Send>>
    })
}

/// Longer than anything takes: nobody gives up.
fn forever() -> Duration {
    stretched(Duration::from_secs(3000))
}

async fn work(shop: Arc<Shop>, worker: u32, mut random: Random, bandwidth: f64) -> Result<()> {
    let Run { cluster, mode, every, scale, .. } = shop.run;
    let card = shop.network.card(bandwidth);
    let shard = |(index, server): (usize, &Server)| Shard {
        name: format!("ps/{index}"),
        connect: connect(shop.network.clone(), card, server.clone(), cluster.latency),
    };
    let shards = shop.servers.iter().enumerate().map(shard).collect();
    let patience = Patience { total: forever(), answer: forever(), ..Patience::default() };
    let client = Client::new(worker, 1, shards, patience);
    let definition = Definition { program: Default::default(), mode };
    client.define(&vec![definition; cluster.servers]).await?;
    client.join().await?;
    let numbers = (scale.bytes / cluster.servers / 4).max(1);
    let gradient = Tensor::vector(&vec![1f32; numbers])?;
    if worker == 0 {
        for server in 0..cluster.servers {
            client.put(server, &[(NAME.to_string(), gradient.clone())], true, 0).await?;
        }
    }
    shop.ready.pass().await;
    shop.network.begin();
    shop.servers.iter().for_each(|(_, processor, _)| processor.begin());
    let names = vec![vec![NAME.to_string()]; cluster.servers];
    let update =
        Update { gradients: vec![(NAME.to_string(), Gradient::Dense(gradient))], set: Vec::new() };
    let updates = vec![update; cluster.servers];
    let (push_every, fetch_every) = every;
    // Workers that exchange rarely do not all do it in the same step.
    let mut step = worker as usize;
    loop {
        if step.is_multiple_of(fetch_every) {
            client.pull(&names).await?;
        }
        wait(cluster.compute.draw(&mut random)).await;
        step += 1;
        if step.is_multiple_of(push_every) {
            client.push(&updates, push_every as u64).await?;
        }
        shop.count();
    }
}

impl Shop {
    /// A worker has done a step.
    fn count(&self) {
        let Run { cluster, mode, steps, .. } = self.run;
        let mut progress = self.progress.lock();
        progress.steps += 1;
        // Where some are not waited for, what counts is what became of it.
        let done = match mode {
            Mode::Together { .. } => self.servers[0].0.statistics().updates as usize,
            _ => progress.steps / cluster.workers,
        };
        let now = self.network.now();
        if done >= WARM {
            progress.begun.get_or_insert(now);
        }
        if done >= WARM + steps && progress.ended.is_none() {
            progress.ended = Some(now);
            self.done.notify_one();
        }
    }
}
