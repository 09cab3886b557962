//! What goes wrong, and when.

use std::sync::Arc;
use std::time::Duration;

use crate::cluster::Cluster;
use crate::server::Server;
use crate::trace::Fault;
use downpour_simulation::Random;

/// Which kinds of trouble a run has, of thousand chances each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trouble {
    pub cut: u64,
    pub partition: u64,
    pub server_crash: u64,
    pub disk_lost: u64,
    pub worker_crash: u64,
    pub twin: u64,
    pub server_stop: u64,
    pub worker_stop: u64,
    pub jump: u64,
}

impl Trouble {
    pub fn of(random: &mut Random) -> Trouble {
        let mut some = |most: u64| match random.chance(600) {
            true => random.between(1, most),
            false => 0,
        };
        Trouble {
            cut: some(300),
            partition: some(200),
            server_crash: some(150),
            disk_lost: some(100),
            worker_crash: some(150),
            twin: some(100),
            server_stop: some(100),
            worker_stop: some(150),
            jump: some(60),
        }
    }
}

/// Makes trouble until the time is over.
pub async fn make(cluster: Arc<Cluster>, trouble: Trouble, mut random: Random, until: Duration) {
    let begin = tokio::time::Instant::now();
    while begin.elapsed() < until && !cluster.is_finished() {
        let pause = random.millis(1, 400);
        tokio::time::sleep(pause).await;
        let server = &cluster.servers[random.below(cluster.servers.len() as u64) as usize];
        let worker = &cluster.workers[random.below(cluster.workers.len() as u64) as usize];
        let link = &worker.links[server.index];
        if random.chance(trouble.cut) {
            link.cut();
        }
        if random.chance(trouble.partition) {
            link.block(random.millis(10, 8000));
        }
        if random.chance(trouble.server_crash) && server.store().is_some() {
            let down = random.millis(1, 4000);
            // Who has left does not come back to a server that remembers nobody.
            let may_lose = cluster.workers.iter().all(|worker| !worker.finished());
            let loses = random.chance(trouble.disk_lost) || server.disk.lock().is_none();
            if may_lose || !loses {
                crash(&cluster, server, down, loses);
            }
        }
        if random.chance(trouble.worker_crash) && worker.process().is_some() && !worker.finished() {
            let down = random.millis(1, 4000);
            worker.kill();
            cluster.trace.fault(Fault::WorkerCrash, &format!("worker {}", worker.index));
            let worker = worker.clone();
            tokio::spawn(async move {
                tokio::time::sleep(down).await;
                worker.start();
            });
        }
        if random.chance(trouble.twin)
            && let Some(process) = worker.process()
            && !worker.finished()
        {
            let time = random.millis(0, 8000);
            process.stop();
            cluster.trace.fault(Fault::Twin, &format!("worker {}", worker.index));
            worker.double();
            tokio::spawn(async move {
                tokio::time::sleep(time).await;
                process.go_on();
            });
        }
        if random.chance(trouble.server_stop)
            && let Some(process) = server.process()
        {
            let time = random.millis(10, 6000);
            process.stop();
            let what = format!("server {} for {time:?}", server.index);
            cluster.trace.fault(Fault::ServerStopped, &what);
            tokio::spawn(async move {
                tokio::time::sleep(time).await;
                process.go_on();
            });
        }
        if random.chance(trouble.worker_stop)
            && let Some(process) = worker.process()
            && !worker.finished()
        {
            let time = random.millis(10, 8000);
            process.stop();
            let what = format!("worker {} for {time:?}", worker.index);
            cluster.trace.fault(Fault::WorkerStopped, &what);
            tokio::spawn(async move {
                tokio::time::sleep(time).await;
                process.go_on();
            });
        }
        if random.chance(trouble.jump) {
            let time = random.millis(100, 6000);
            cluster.trace.fault(Fault::Jump, &format!("{time:?}"));
            tokio::time::advance(time).await;
        }
    }
    cluster.workers.iter().flat_map(|worker| &worker.links).for_each(|link| link.calm());
}

fn crash(cluster: &Cluster, server: &Arc<Server>, down: Duration, loses: bool) {
    server.kill();
    cluster.trace.fault(Fault::ServerCrash, &format!("server {}", server.index));
    if loses {
        *server.disk.lock() = None;
        cluster.trace.fault(Fault::DiskLost, &format!("server {}", server.index));
    }
    let server = server.clone();
    tokio::spawn(async move {
        tokio::time::sleep(down).await;
        server.start();
    });
}
