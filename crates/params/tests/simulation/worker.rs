//! A worker: joins, pulls, computes, pushes, until it has seen all of its data.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use downpour_params::{Client, Connect, Mode, Patience, Pulled, Shard, Stream};
use downpour_simulation::Random;
use downpour_tensor::{Code, Result, Status};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::check::fingerprint;
use crate::layout::Layout;
use crate::net::Link;
use crate::process::Process;
use crate::server::Server;
use crate::trace::{Made, Trace};
use crate::values::{IDS, START, SUMS, first_values, ids_of, position_of, update};

pub struct Worker {
    pub index: u32,
    pub workers: u32,
    pub mode: Mode,
    pub target: i64,
    /// Milliseconds a step takes, at most.
    pub compute: u64,
    pub beat_every: Duration,
    pub patience: Patience,
    pub trace: Arc<Trace>,
    pub random: Mutex<Random>,
    pub links: Vec<Arc<Link>>,
    pub servers: Vec<Arc<Server>>,
    pub running: Mutex<Option<Process>>,
    /// How many processes it has had: an older one gives up when it is refused.
    pub processes: Mutex<u64>,
}

impl Worker {
    pub fn start(self: &Arc<Worker>) {
        let process = Process::default();
        let number = {
            let mut processes = self.processes.lock();
            *processes += 1;
            *processes
        };
        process.spawn(self.clone().live(number));
        *self.running.lock() = Some(process);
    }

    pub fn process(&self) -> Option<Process> {
        self.running.lock().clone()
    }

    pub fn kill(&self) {
        if let Some(process) = self.running.lock().take() {
            self.trace.with(|seen| seen.crashed.insert(self.index));
            process.kill();
        }
    }

    /// Starts another process while the one there is goes on.
    pub fn double(self: &Arc<Worker>) {
        self.trace.with(|seen| seen.crashed.insert(self.index));
        self.start();
    }

    pub fn finished(&self) -> bool {
        self.trace.with(|seen| seen.finished.contains(&self.index))
    }

    fn say(&self, what: impl AsRef<str>) {
        self.trace.say(format!("worker {}: {}", self.index, what.as_ref()));
    }

    /// From start to end of a process: as many incarnations as it takes.
    async fn live(self: Arc<Worker>, number: u64) {
        let token = || self.random.lock().next() as u32;
        let mut client = Client::new(self.index, token(), self.shards(), self.patience);
        loop {
            client = client.next_start(token());
            let joined = AtomicBool::new(false);
            let beating = beat(&client, &joined, self.beat_every);
            let ended = tokio::select! {
                biased;
                status = beating => Err(status),
                trained = self.train(&client, &joined) => trained,
            };
            if *self.processes.lock() != number {
                return self.say(format!("process {number} has a successor: {ended:?}"));
            }
            let Err(status) = ended else {
                self.say("has finished");
                self.trace.with(|seen| seen.finished.insert(self.index));
                return;
            };
            self.say(format!("{status}"));
            let expected = [Code::Aborted, Code::Unavailable, Code::DeadlineExceeded];
            if !expected.contains(&status.code()) {
                return self.trace.violated(format!("worker {}: {status}", self.index));
            }
            let pause = self.random.lock().millis(1, 50);
            tokio::time::sleep(pause).await;
        }
    }

    async fn train(&self, client: &Client, has_joined: &AtomicBool) -> Result<()> {
        let placed = client.layout().await?.unwrap_or_default();
        let layout = Layout::read(&placed, self.servers.len());
        client.use_layout(placed);
        client.define(&layout.definitions(self.mode)).await?;
        let joined = client.join().await?;
        has_joined.store(true, Ordering::Relaxed);
        let incarnation = client.incarnation();
        self.say(format!("start {}", incarnation >> 32));
        if self.index == 0 {
            for (server, _) in joined.iter().enumerate().filter(|(_, server)| !server.ready) {
                self.say(format!("gives server {server} its first values"));
                client.put(server, &first_values(self.workers, &layout, server)?, true, 0).await?;
            }
        }
        let mut position = 0;
        for server in 0..client.servers() {
            let read = client.read(server, &[position_of(self.index)]).await?;
            let own = ids_of(read.values.first().map(|(_, value)| value));
            position = position.max(own.first().copied().unwrap_or(0));
        }
        self.say(format!("goes on from {position}"));
        let names = vec![[IDS, SUMS, START].map(String::from).to_vec(); self.servers.len()];
        while position < self.target {
            let pulled = client.pull(&names).await?;
            let value = |server: &Pulled, place: usize| {
                ids_of(server.values.get(place).map(|(_, value)| value))
            };
            let seen: Vec<u64> = pulled.iter().map(|at| fingerprint(&value(at, 0))).collect();
            let starts = pulled.iter().map(|at| value(at, 2).first().map_or(0, |s| *s as u64));
            let starts = starts.collect();
            let time = {
                let mut random = self.random.lock();
                let longest = if random.chance(30) { self.compute * 10 } else { self.compute };
                random.millis(0, longest)
            };
            tokio::time::sleep(time).await;
            let id = self.trace.with(|trace| {
                let answered = vec![None; seen.len()];
                let worker = self.index;
                trace.made.push(Made { worker, incarnation, position, seen, starts, answered });
                trace.made.len() - 1
            });
            let own = (self.index, self.workers);
            let updates = (0..self.servers.len())
                .map(|server| update(id as i64, own, position, (&layout, server)))
                .collect::<Result<Vec<_>>>()?;
            self.say(format!("pushes {id}, of {position}"));
            let pushed = client.push(&updates, 1).await?;
            let used: Vec<bool> = pushed.iter().map(|server| server.used).collect();
            self.say(format!("push {id} is answered: used {used:?}"));
            self.trace.with(|trace| {
                trace.made[id].answered = used.into_iter().map(Some).collect();
                trace.last_answer.insert(self.index, Instant::now());
            });
            position += 1;
        }
        client.leave().await
    }

    pub fn shards(&self) -> Vec<Shard> {
        let shard = |(server, link): (&Arc<Server>, &Arc<Link>)| Shard {
            name: format!("ps/{}", server.index),
            connect: connect(server.clone(), link.clone()),
        };
        self.servers.iter().zip(&self.links).map(shard).collect()
    }
}

/// Gives signs of life until one is refused.
async fn beat(client: &Client, joined: &AtomicBool, every: Duration) -> Status {
    loop {
        tokio::time::sleep(every).await;
        match client.beat().await {
            Err(status) if status.code() == Code::Aborted && joined.load(Ordering::Relaxed) => {
                return status;
            }
            _ => {}
        }
    }
}

fn connect(server: Arc<Server>, link: Arc<Link>) -> Connect {
    Arc::new(move || {
        let (server, link) = (server.clone(), link.clone());
        Box::pin(async move {
            let (time, _) = link.segment(1);
            tokio::time::sleep(time).await;
            if let Some(open) = link.blocked_until() {
                tokio::time::sleep_until(open).await;
            }
            let (near, far) = link.open();
            match server.accept(far) {
                true => Ok(Box::new(near) as Box<dyn Stream>),
                false => Err(io::ErrorKind::ConnectionRefused.into()),
            }
        }) as Pin<Box<dyn Future<Output = _> + Send>>
    })
}
