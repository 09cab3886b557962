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
mod lookups;
mod parts;
mod plan;
mod rows;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use downpour_cluster::{ClusterSpec, Dialer, Metrics, Tcp, parameter_server};
use downpour_compress::{Compression, Compressor};
use downpour_coordinator::Extent;
use downpour_params::{Client, Gradient, Limits, Mode, Named, Packed, Patience, Pulled, Update};
use downpour_tensor::{Result, Status, Tensor};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::exchange::{
    Assign, Exchange, Local, OfData, gradients_of, handed, traffic, values_here,
};
use super::handed::Input;
use super::leases::Piece;
use super::steps::Servers;
use super::strategy::{Downpour, ParameterServer, Placement, Service, Way};
use crate::record::Traffic;
use crate::session::Fetch;
use ahead::Coming;
use lookups::lookups;
use parts::cut_gradient;
use plan::Plan;
use rows::Rows;

/// How often a worker looks whether the servers are ready for it.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct ServiceExchange {
    client: Arc<Client>,
    /// Counts the bytes of all its connections, and of those of sessions before: so many they were.
    metrics: Arc<Metrics>,
    moved_before: (u64, u64),
    runtime: Handle,
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
    /// How long it has waited for them in all.
    waited: Duration,
}

/// What a push and a pull brought.
#[derive(Default)]
struct Brought {
    steps: Option<u64>,
    /// No server has dropped it.
    used: bool,
    pulled: Option<Vec<Pulled>>,
}

impl ServiceExchange {
    /// `last` is the client of the session before, in which this worker had an earlier start; `metrics` counts the bytes
    /// of all of them.
    pub fn new(
        runtime: Handle,
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
            Some(last) => last.next_start(incarnation()),
            None => {
                let dialer = Dialer::new(Arc::new(Tcp), metrics.clone());
                let servers = cluster.tasks().filter(|task| task.job == "ps");
                let shard = |task: downpour_cluster::TaskAddress| {
                    parameter_server(&dialer, &format!("ps/{}", task.task), &task.address)
                };
                let patience = Patience { total: patience, beat: every, ..Patience::default() };
                Client::new(worker as u32, incarnation(), servers.map(shard).collect(), patience)
            }
        };
        let client = Arc::new(client);
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
            mode: service.mode(placement.workers() as u32)?,
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
            waited: Duration::ZERO,
        })
    }

    fn plan(&self) -> Result<&Plan> {
        self.plan.as_ref().ok_or_else(|| Status::internal("training has not begun"))
    }

    /// Waits until every server has values and the worker may begin. The chief gives them.
    fn wait_for_values(&mut self, local: &Local<'_>, plan: &Plan) -> Result<()> {
        let deadline = Instant::now() + local.patience;
        let warm = self.downpour.map_or(0, |downpour| downpour.warm_start);
        let mut given = false;
        loop {
            let joined = self.runtime.block_on(self.client.join())?;
            let ready = joined.iter().all(|server| server.ready);
            let warmed = self.worker == 0 || joined[0].steps >= warm;
            if ready && warmed {
                return Ok(());
            }
            if self.worker == 0 && !given {
                (local.give_values)()?;
                for (number, _) in joined.iter().enumerate().filter(|(_, server)| !server.ready) {
                    self.give(local, plan, number)?;
                }
                given = true;
                continue;
            }
            if local.stop.is_set() {
                return Err(Status::cancelled("stopped while waiting for the chief"));
            }
            if Instant::now() > deadline {
                let what = match ready {
                    true => "train alone for its warm start",
                    false => "give the parameter servers their values",
                };
                return Err(Status::deadline_exceeded(format!(
                    "waited {} s for the chief to {what}; is it running? Its log says why it is not done.",
                    local.patience.as_secs()
                )));
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// A server gets the values that are here.
    fn give(&self, local: &Local<'_>, plan: &Plan, server: usize) -> Result<()> {
        let values = plan.values_for(local, server)?;
        let step = local.session.fetch(&[], &local.program.global_step.value())?;
        let step = step.to_scalar::<i64>()?.max(0) as u64;
        self.runtime.block_on(self.client.put(server, &values, true, step))
    }

    /// Everything the servers have that updates change.
    fn take_all(&self, plan: &Plan) -> Result<()> {
        let mut values = Vec::new();
        for server in 0..self.client.servers() {
            let names = plan.all_names(server);
            values.push(self.runtime.block_on(self.client.read(server, &names))?.values);
        }
        plan.take_all(values)
    }

    fn others(&self, local: &Local<'_>, plan: &Plan) -> Result<()> {
        let names: Vec<String> = plan.others.iter().map(|v| v.name().to_string()).collect();
        if names.is_empty() {
            return Ok(());
        }
        let read = self.runtime.block_on(self.client.read(0, &names))?;
        Assign::new(local, &plan.others)?.run(read.values)
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
        self.waited += begun.elapsed();
        let lost = |e| Status::internal(format!("an exchange has failed: {e}"));
        let pushed = self.pushed.take();
        let Brought { steps, used, pulled } = brought.map_err(lost)??;
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
        let plan = Plan::new(local, self.worker)?;
        let definitions = plan.definitions(local, self.mode)?;
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
            self.waited += begun.elapsed();
            return rows.take(missing, pulled);
        }
        let Some(missing) = rows.missing(batch)? else { return Ok(()) };
        let pulled = self.runtime.block_on(self.client.read_rows(&missing.of_servers))?;
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
        Ok(self.step + self.added as i64)
    }

    fn answered(&mut self) -> Vec<(Extent, bool)> {
        std::mem::take(&mut self.answered)
    }

    fn waited(&self) -> Duration {
        self.waited
    }

    fn forget(&mut self) {
        self.sums.clear();
        (self.added, self.position, self.extent) = (0, None, None);
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
        if self.worker == 0 && !plan.others.is_empty() {
            let others = values_here(local.session, &plan.others)?;
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

    fn end(&mut self, local: &Local<'_>) {
        let left = self.flush(local).and_then(|()| self.runtime.block_on(self.client.leave()));
        if let Err(e) = left {
            tracing::warn!("leaving the parameter servers: {e}");
        }
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

/// Later starts have larger numbers.
pub(crate) fn incarnation() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(1, |time| time.as_micros() as u64)
}
