//! Training through the parameter service: Downpour SGD, synchronous with backups, bounded staleness.
//!
//! The chief tells the servers what is trained and gives their variables values; the others wait for that.
//! Every worker pushes under tags of its own start, so that whatever is repeated is applied once; its place in
//! the data goes with each push, and a worker that is started again goes on from there.
//!
//! Variables may be cut by rows over the servers (`plan`, `parts`). Of large tables a worker takes the rows its next
//! batch needs (`lookups`, `rows`), of everything else all.
//!
//! Downpour SGD overlaps: one task at a time pushes and pulls while the next step is computed; `settle` waits
//! for it and takes what it brought. Rows of the batch after that step are asked for meanwhile (`ahead`).

mod ahead;
mod beginning;
mod division;
mod lookups;
mod moves;
mod parts;
mod plan;
mod rebalance;
mod rows;

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_cluster::{ClusterKey, ClusterSpec, Dialer, Metrics, Tcp, parameter_server};
use downpour_compress::{Compression, Compressor};
use downpour_coordinator::Extent;
use downpour_params::{Client, Gradient, Limits, Mode, Named, Packed, Patience, Pulled, Update};
use downpour_tensor::{Result, Status, Tensor};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::exchange::{Exchange, Local, OfData, Toll, gradients_of, handed, traffic, values_here};
use super::handed::Input;
use super::leases::Piece;
use super::steps::Servers;
use super::stopping::{Stopping, Waits};
use super::strategy::{Downpour, ParameterServer, Placement, Service, Way};
use crate::record::Traffic;
use crate::session::Fetch;
use ahead::Coming;
use lookups::lookups;
use parts::cut_gradient;
use plan::Plan;
use rebalance::Rebalancer;
use rows::Rows;

pub(crate) struct ServiceExchange {
    client: Arc<Client>,
    /// Counts the bytes of all its connections, and of those of sessions before: so many they were.
    metrics: Arc<Metrics>,
    moved_before: (u64, u64),
    runtime: Waits,
    mode: Mode,
    downpour: Option<Downpour>,
    /// One for each server, if gradients are compressed: what is left out is left out of what a server has.
    compressors: Vec<Compressor>,
    worker: usize,
    beating: Option<JoinHandle<()>>,
    /// Made when training begins.
    plan: Option<Plan>,
    /// Tables that are not taken whole.
    rows: Option<Rows>,
    under_way: Option<JoinHandle<Result<Brought>>>,
    /// Hears when the gradients that are under way are answered.
    pushing: Option<oneshot::Receiver<()>>,
    /// Rows of the next batch.
    coming: Option<Coming>,
    sums: Vec<Gradient>,
    /// Steps whose gradients are in the sums.
    added: u64,
    /// The place in the data after them.
    position: Option<Tensor>,
    /// The positions they are of, where data is leased.
    extent: Option<Extent>,
    /// The positions that are under way.
    pushed: Option<Extent>,
    /// Positions that every server has answered, and whether all have used them.
    answered: Vec<(Extent, bool)>,
    /// Steps since the last parameters.
    since_fetch: u64,
    /// What the servers have counted.
    step: i64,
    toll: Toll,
    /// How often it is looked whether servers are unevenly busy.
    rebalance: Option<Duration>,
    rebalancer: Option<Rebalancer>,
}

/// What a push and a pull brought.
#[derive(Default)]
struct Brought {
    steps: Option<u64>,
    /// No server has dropped it.
    used: bool,
    /// By how many updates its parameters were older than a server's newest, at most.
    stale: u64,
    pulled: Option<Vec<Pulled>>,
}

impl ServiceExchange {
    /// `last` is the client of the session before, in which this worker had an earlier start; `metrics` counts the bytes
    /// of all of them.
    pub fn new(
        (runtime, stopping): (Handle, &Stopping),
        cluster: &ClusterSpec,
        placement: &Placement,
        strategy: &ParameterServer,
        patience: Duration,
        (last, metrics): (Option<&Client>, &Arc<Metrics>),
    ) -> Result<ServiceExchange> {
        let Way::Service(service) = &strategy.way else {
            return Err(Status::internal("a strategy whose gradients stay in the graph"));
        };
        let worker = placement.index();
        let moved_before = moved(metrics);
        let every = Limits::beat(strategy.silence);
        let client = match last {
            Some(last) => last.next_start(random() as u32),
            None => {
                let key = ClusterKey::from_environment()?;
                let dialer = Dialer::with_key(Arc::new(Tcp), metrics.clone(), key);
                let servers = cluster.tasks().filter(|task| task.job == "ps");
                let shard = |task: downpour_cluster::TaskAddress| {
                    parameter_server(&dialer, &format!("ps/{}", task.task), &task.address)
                };
                let patience = Patience { total: patience, beat: every, ..Patience::default() };
                let servers = servers.map(shard).collect();
                Client::new(worker as u32, random() as u32, servers, patience)
            }
        };
        let client = Arc::new(client);
        let asked = client.clone();
        let who = move || waited_for(&asked.unanswered(), &asked.names());
        let runtime = Waits::new(runtime, stopping, who);
        let beating = runtime.spawn(beat(client.clone(), every));
        let compressors = match strategy.compression {
            Compression::None => Vec::new(),
            compression => (0..client.servers())
                .map(|_| Compressor::new(compression, worker as u64))
                .collect::<Result<_>>()?,
        };
        Ok(ServiceExchange {
            client,
            metrics: metrics.clone(),
            moved_before,
            runtime,
            mode: service.mode(strategy.workers_at_least(placement.workers()))?,
            downpour: match service {
                Service::Downpour(downpour) => Some(*downpour),
                _ => None,
            },
            compressors,
            worker,
            beating: Some(beating),
            plan: None,
            rows: None,
            under_way: None,
            pushing: None,
            coming: None,
            sums: Vec::new(),
            added: 0,
            position: None,
            extent: None,
            pushed: None,
            answered: Vec::new(),
            since_fetch: 0,
            step: 0,
            toll: Toll::default(),
            rebalance: strategy.rebalance,
            rebalancer: None,
        })
    }

    fn plan(&self) -> Result<&Plan> {
        self.plan.as_ref().ok_or_else(|| Status::internal("training has not begun"))
    }

    /// The sums so far, for each server, and nothing is left of them.
    fn updates(&mut self, local: &Local<'_>, position: Tensor) -> Result<Vec<Packed>> {
        let sums = std::mem::take(&mut self.sums);
        let plan = self.plan()?;
        let mut updates: Vec<Update> = Vec::new();
        for place in &handed(local)?.places {
            let named = |input: &Input| -> Result<Named<Gradient>> {
                let name = input.variable.name();
                let own = cut_gradient(name, &sums[input.index], input.rows.as_ref())?;
                Ok((name.to_string(), own))
            };
            let gradients = place.inputs().map(named).collect::<Result<_>>()?;
            updates.push(Update { gradients, set: Vec::new() });
        }
        updates[0].set.push((plan.position.clone(), position));
        let packed = updates.iter().enumerate();
        packed.map(|(server, update)| update.pack(self.compressors.get_mut(server))).collect()
    }

    /// Waits for what is under way, and takes what it brought.
    fn settle(&mut self) -> Result<()> {
        let Some(under_way) = self.under_way.take() else { return Ok(()) };
        let begun = Instant::now();
        let brought = self.runtime.block_on(under_way);
        self.toll.waited += begun.elapsed();
        let lost = |e| Status::internal(format!("an exchange has failed: {e}"));
        let pushed = self.pushed.take();
        let Brought { steps, used, stale, pulled } = brought.map_err(lost)??;
        self.toll.pushes += u64::from(steps.is_some());
        self.toll.stale += stale;
        self.answered.extend(pushed.map(|extent| (extent, used)));
        if let Some(steps) = steps {
            self.step = steps as i64;
        }
        if let Some(pulled) = pulled {
            self.step = self.step.max(pulled[0].steps as i64);
            let values = pulled.into_iter().map(|server| server.values).collect();
            self.plan()?.take_parameters(values)?;
        }
        Ok(())
    }

    /// Pushes and pulls in the background, whatever of it is due.
    fn start(&mut self, updates: Option<(Vec<Packed>, u64)>, pull: bool) -> Result<()> {
        let client = self.client.clone();
        let extent = updates.as_ref().and_then(|_| self.extent.take());
        self.pushed = extent;
        let names = pull.then(|| self.plan().map(|plan| plan.parameters.clone())).transpose()?;
        let (tell, hear) = oneshot::channel();
        self.pushing = updates.is_some().then_some(hear);
        self.under_way = Some(self.runtime.spawn(async move {
            let mut brought = Brought::default();
            if let Some((updates, steps)) = updates {
                let pushed = client.push_made_of(updates, steps, extent).await?;
                brought.steps = pushed.first().map(|first| first.steps);
                brought.used = pushed.iter().all(|server| server.used);
                brought.stale = pushed.iter().map(|server| server.staleness).max().unwrap_or(0);
            }
            // Nobody may be listening.
            let _ = tell.send(());
            if let Some(names) = names {
                brought.pulled = Some(client.pull(&names).await?);
            }
            Ok(brought)
        }));
        Ok(())
    }
}

impl Exchange for ServiceExchange {
    fn begin(&mut self, local: &Local<'_>) -> Result<i64> {
        self.take_layout(local)?;
        let plan = Plan::new(local, self.worker)?;
        let definitions = plan.division.definitions(local.program, handed(local)?, self.mode)?;
        self.runtime.block_on(self.client.define(&definitions))?;
        self.wait_for_values(local, &plan)?;
        // Everything must have a value before a part of it is taken.
        local.session.run(&[], &[&local.program.initialize])?;
        self.take_all(&plan)?;
        self.others(local, &plan)?;
        self.plan = Some(plan);
        // Its version is what the first gradients are of.
        self.start(None, true)?;
        self.settle()?;
        if let Some(every) =
            self.rebalance.filter(|_| self.worker == 0 && self.client.servers() > 1)
        {
            let epoch = local.relaid.map_or(0, |relaid| relaid.placed.epoch);
            let (runtime, mode) = (self.runtime.clone(), self.mode);
            self.rebalancer = Some(Rebalancer::new(&self.client, every, runtime, mode, epoch));
        }
        local.session.fetch(&[], &local.program.global_step.value())?.to_scalar::<i64>()
    }

    fn watch(&mut self, local: &Local<'_>, fetches: &[&dyn Fetch]) -> Result<()> {
        self.rows = Rows::new(local, lookups(local, fetches)?)?;
        if let (Some(rows), Some(plan)) = (&self.rows, &mut self.plan) {
            let tables = rows.variables();
            plan.leave_out(local, &tables)?;
            let names: Vec<&str> = tables.iter().map(|table| table.name()).collect();
            tracing::info!("only the rows that a batch needs are taken of {}", names.join(", "));
        }
        Ok(())
    }

    fn looks_ahead(&self) -> bool {
        let often = |downpour: &Downpour| downpour.fetch_every <= 1 && downpour.push_every <= 1;
        self.rows.is_some() && self.downpour.is_some_and(|d| d.overlap && often(&d))
    }

    fn soon(&mut self, _local: &Local<'_>, batch: &[Tensor]) -> Result<()> {
        let missing = self.rows.as_ref().map(|rows| rows.missing_next(batch)).transpose()?;
        let ask = |missing| Coming::ask(&self.runtime, &self.client, missing, self.pushing.take());
        self.coming = missing.flatten().map(ask);
        Ok(())
    }

    fn before(&mut self, _local: &Local<'_>, batch: &[Tensor]) -> Result<()> {
        let Some(rows) = &mut self.rows else { return Ok(()) };
        if let Some(coming) = self.coming.take() {
            let begun = Instant::now();
            let (missing, pulled) = coming.wait(&self.runtime)?;
            self.toll.waited += begun.elapsed();
            return rows.take(missing, pulled);
        }
        let Some(missing) = rows.missing(batch)? else { return Ok(()) };
        let begun = Instant::now();
        let pulled = self.runtime.block_on(self.client.read_rows(&missing.of_servers))?;
        self.toll.waited += begun.elapsed();
        rows.take(missing, pulled)
    }

    fn step(&mut self, local: &Local<'_>, gradients: &[Tensor], of: OfData) -> Result<i64> {
        let OfData { position, piece } = of;
        let gradients = gradients_of(handed(local)?, gradients)?;
        match self.sums.is_empty() {
            true => self.sums = gradients,
            false => {
                for (sum, gradient) in self.sums.iter_mut().zip(gradients) {
                    sum.add(gradient)?;
                }
            }
        }
        self.added += 1;
        self.position = Some(position.clone());
        self.since_fetch += 1;
        let Downpour { fetch_every, push_every, overlap, .. } =
            self.downpour.unwrap_or(Downpour { overlap: false, ..Downpour::default() });
        if let Some(Piece { extent, .. }) = piece {
            let start = self.extent.map_or(extent.start, |sum| sum.start);
            self.extent = Some(Extent { start, ..extent });
        }
        let push = self.added >= u64::from(push_every.max(1)) || piece.is_some_and(|p| p.last);
        let fetch = self.since_fetch >= u64::from(fetch_every.max(1));
        if push || fetch {
            self.settle()?;
            let updates = match push {
                true => Some((self.updates(local, position)?, std::mem::take(&mut self.added))),
                false => None,
            };
            if fetch {
                self.since_fetch = 0;
                self.rows.iter_mut().for_each(Rows::next_round);
            }
            self.start(updates, fetch)?;
            if !overlap {
                self.settle()?;
            }
        }
        if let Some(rebalancer) = &mut self.rebalancer
            && let Err(e) = rebalancer.look(local)
        {
            tracing::warn!("variables stay where they are from now on: {e}");
            self.rebalancer = None;
        }
        Ok(self.step + self.added as i64)
    }

    fn answered(&mut self) -> Vec<(Extent, bool)> {
        std::mem::take(&mut self.answered)
    }

    fn toll(&self) -> Toll {
        self.toll
    }

    fn forget(&mut self) {
        self.sums.clear();
        (self.added, self.position, self.extent) = (0, None, None);
    }

    fn abandon(&mut self) {
        self.under_way.take().iter().for_each(JoinHandle::abort);
        (self.pushed, self.coming) = (None, None);
        self.forget();
    }

    fn flush(&mut self, local: &Local<'_>) -> Result<()> {
        self.settle()?;
        let Some(position) = self.position.take().filter(|_| self.added > 0) else { return Ok(()) };
        let updates = (self.updates(local, position)?, std::mem::take(&mut self.added));
        self.start(Some(updates), false)?;
        self.settle()
    }

    fn refresh(&mut self, local: &Local<'_>) -> Result<()> {
        match self.extent {
            // Whoever has the lease after us cuts its pushes as we do: not in the middle.
            Some(_) => self.settle()?,
            None => self.flush(local)?,
        }
        let plan = self.plan()?;
        self.take_all(plan)?;
        if self.worker == 0 && !plan.division.others.is_empty() {
            let others = values_here(local.session, &plan.division.others)?;
            self.runtime.block_on(self.client.put(0, &others, false, 0))?;
        }
        Ok(())
    }

    fn client(&self) -> Option<Arc<Client>> {
        Some(self.client.clone())
    }

    fn servers(&self) -> Option<Servers> {
        let parameters = self.plan.as_ref()?.parameters.clone();
        let (client, runtime) = (self.client.clone(), self.runtime.clone());
        Some(Servers { client, runtime, parameters })
    }

    fn traffic(&self) -> Option<Traffic> {
        let ((sent, received), before) = (moved(&self.metrics), self.moved_before);
        let (sent, received) = (sent.saturating_sub(before.0), received.saturating_sub(before.1));
        Some(traffic(sent, received, &self.compressors))
    }

    fn end(&mut self, local: &Local<'_>) -> Result<()> {
        if let Err(e) = self.flush(local) {
            // The place in the data is that of the last push: a run that goes on has this part before it.
            tracing::warn!("the last gradients were not handed over: {e}");
        }
        if let Err(e) = self.runtime.block_on(self.client.leave()) {
            tracing::warn!("leaving the parameter servers: {e}");
        }
        Ok(())
    }
}

impl Drop for ServiceExchange {
    fn drop(&mut self) {
        if let Some(beating) = self.beating.take() {
            beating.abort();
        }
        if let Some(under_way) = self.under_way.take() {
            under_way.abort();
        }
    }
}

/// Describes who is waited for: the servers that have not answered, or the other workers by way of all servers.
fn waited_for(unanswered: &[String], all: &[String]) -> String {
    match unanswered {
        [] => format!("other workers, by way of the parameter servers {}", all.join(" and ")),
        [one] => format!("an answer of the parameter server {one}"),
        all => format!("answers of the parameter servers {}", all.join(" and ")),
    }
}

/// Bytes sent and received.
fn moved(metrics: &Metrics) -> (u64, u64) {
    let totals = metrics.totals();
    (totals.bytes_out, totals.bytes_in)
}

/// Gives signs of life until it is ended.
async fn beat(client: Arc<Client>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        // If this start's time is over, the next push or pull says so.
        if let Err(e) = client.beat().await {
            tracing::debug!("a sign of life to the parameter servers: {e}");
        }
    }
}

/// A number that nobody else has.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(std::process::id())
}
