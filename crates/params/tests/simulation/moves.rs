//! Somebody moves shards while everybody trains: again and again, and may vanish at any moment of it.

use std::sync::Arc;
use std::time::Duration;

use downpour_params::Client;
use downpour_simulation::Random;

use crate::cluster::Cluster;
use crate::layout::{Layout, SHARDS};
use crate::trace::Fault;

/// With servers that do not come to the same updates.
const PATIENCE: Duration = Duration::from_secs(6);

/// Moves until training ends; without trouble nobody vanishes.
pub async fn make(cluster: Arc<Cluster>, mut random: Random, calm: bool) {
    let servers = cluster.servers.len();
    let mut number = 0;
    while !cluster.is_finished() && servers > 1 {
        tokio::time::sleep(random.millis(50, 3000)).await;
        number += 1;
        let places: Vec<usize> =
            (0..SHARDS).map(|_| random.below(servers as u64) as usize).collect();
        let vanishes = (!calm && random.chance(400)).then(|| random.millis(0, 1500));
        let moving = one(cluster.clone(), number, places);
        let moved = match vanishes {
            Some(after) => tokio::time::timeout(after, moving).await,
            None => Ok(moving.await),
        };
        match moved {
            Ok(true) => cluster.trace.fault(Fault::Moved, &format!("move {number}")),
            Ok(false) => cluster.trace.fault(Fault::NotMoved, &format!("move {number}")),
            Err(_) => cluster.trace.fault(Fault::MoverVanished, &format!("move {number}")),
        }
    }
}

/// Whether it has happened, as far as the mover knows.
async fn one(cluster: Arc<Cluster>, number: u64, places: Vec<usize>) -> bool {
    let worker = &cluster.workers[0];
    let client = Client::new(1000, 0, worker.shards(), worker.patience);
    let Ok(Some(placed)) = client.layout().await else { return false };
    let layout = Layout::read(&placed, cluster.servers.len());
    let plan = layout.to(&places);
    cluster.trace.say(format!("move {number} from {layout:?} to {places:?}"));
    match client.mover(PATIENCE).carry_out(number, layout.epoch, &plan).await {
        Ok(moved) => {
            cluster.trace.say(format!("move {number}: {moved:?}"));
            true
        }
        Err(e) => {
            cluster.trace.say(format!("move {number}: {e}"));
            false
        }
    }
}
