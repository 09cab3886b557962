//! Sandblaster's steps: a step is an iteration of L-BFGS over all of the data.
//!
//! Every worker computes units in the background (`Replica`, on threads that may block) until the coordinator sends
//! it home. The chief also runs the coordinator, as a task beside; what it has done arrives here by a channel, and is
//! followed by what follows every step: hooks, evaluation, checkpoints, a line of progress.

mod memory;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use downpour_data::Length;
use downpour_lbfgs::{Iteration, Settings, Stop};
use downpour_params::sandblaster::{Contribution, Coordinator, Plan, Saved, Work, Worked, work};
use downpour_params::{Client, Gradient, Limits, Named};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::{Parts, Steps};
use crate::gradients::Gradient as GraphGradient;
use crate::output::Output;
use crate::session::{Fetch, PreparedStep};
use crate::training::evaluator::{columns, rows_of, scalar};
use crate::training::exchange::{Assign, gradients_of};
use crate::training::hook::StepReport;
use crate::training::program::Program;
use crate::training::run::{first_start, is_loss};
use crate::training::source::{Share, Source};
use crate::training::strategy::Sandblaster;
use crate::training::trainer::Outcome;
use memory::Memory;

/// How often the chief looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// The way to the servers, and which trained variables each of them has.
pub(crate) struct Servers {
    pub client: Arc<Client>,
    pub runtime: Handle,
    pub parameters: Vec<Vec<String>>,
}

impl Steps {
    /// Runs until the minimum, or until somebody says stop.
    pub fn blast(
        &mut self,
        mut parts: Parts<'_>,
        step: i64,
        settings: &Sandblaster,
    ) -> Result<Outcome> {
        self.begin(&parts, step);
        let servers = parts.exchange.as_ref().and_then(|exchange| exchange.servers());
        let servers = servers.ok_or_else(|| Status::internal("Sandblaster without servers"))?;
        let units = u64::from(settings.units_per_worker) * parts.run.placement.workers() as u64;
        let replica = Arc::new(Replica::new(&parts, units)?);
        if self.steps == 0 {
            self.seconds.start = parts.run.begun.elapsed().as_secs_f64();
        }
        if let Some(target) = parts.run.trainer.target_step.filter(|target| step >= *target) {
            return self.end(&mut parts, step, format!("step {target} was reached before"));
        }
        let beat = Limits::beat(settings.servers.silence);
        let working = replica.start(&servers, beat);
        let ended = match parts.run.placement.is_chief() {
            true => self.coordinate(&mut parts, step, settings, &servers, units, &replica),
            false => self.follow(&mut parts, step, &replica, &working),
        };
        if ended.is_err() {
            // Nobody sends it home.
            working.abort();
        }
        let worked = servers.runtime.block_on(working);
        self.look_at(&replica);
        let (step, reason) = ended?;
        let worked =
            worked.map_err(|e| Status::internal(format!("a replica has failed: {e}")))??;
        if !parts.run.placement.is_chief() {
            // The chief knows the loss of all data.
            self.steps += worked.units;
            self.last_loss = *replica.loss.lock();
        }
        self.end(&mut parts, step, reason)
    }

    /// The chief's part; the step reached, and why it is the last. If its own replica fails it ends too, with the
    /// reason left to that.
    fn coordinate(
        &mut self,
        parts: &mut Parts<'_>,
        first: i64,
        settings: &Sandblaster,
        servers: &Servers,
        units: u64,
        replica: &Arc<Replica>,
    ) -> Result<(i64, String)> {
        let hooked: Vec<Vec<Output>> =
            parts.run.trainer.hooks.iter().map(|hook| hook.fetches()).collect();
        if hooked.iter().any(|fetches| !fetches.is_empty()) {
            return Err(Status::unimplemented(
                "hooks that fetch values do not go with Sandblaster, whose steps are over all of the data",
            ));
        }
        let remaining = parts.run.trainer.target_step.map(|target| (target - first).max(1) as u64);
        // A session that was lost within this process is no new run.
        let new = first_start() && self.steps == 0;
        let memory = Memory::open(parts.run.trainer.folder.as_deref(), new);
        let saved = memory.read(servers.client.servers());
        let before = saved.as_ref().map_or(0, |saved| saved.state.iterations);
        let lbfgs = Settings {
            history: settings.history,
            iterations: remaining.map_or(u64::MAX, |remaining| before.saturating_add(remaining)),
            ..Settings::default()
        };
        let plan = Plan { names: servers.parameters.clone(), units, l2: settings.l2 };
        let orders = Arc::new(Mutex::new(Orders::GoOn));
        let (coordinator, news) = coordinate(servers, plan, lbfgs, saved, orders.clone());
        let mut step = first;
        let mut ended: Option<Result<String>> = None;
        loop {
            let iteration = match news.recv_timeout(LOOK) {
                Ok((iteration, saved)) => {
                    memory.write(&saved);
                    iteration
                }
                Err(RecvTimeoutError::Timeout) => {
                    if parts.run.trainer.stop.is_set() && ended.is_none() {
                        *orders.lock() = Orders::End;
                    }
                    // This worker's start is over, and nobody may be left to compute what is waited for.
                    if replica.failed.load(Ordering::Relaxed) {
                        coordinator.abort();
                        return Ok((step, "its replica has failed".to_string()));
                    }
                    continue;
                }
                // The coordinator is done.
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if ended.is_some() || iteration.number <= before {
                continue;
            }
            step += 1;
            self.look_at(replica);
            self.add(iteration.loss, 0);
            let advanced = self.advance(parts, servers, step);
            let report = StepReport { step, loss: iteration.loss, examples: 0, fetched: &[] };
            let next = advanced.and_then(|()| self.after_step(parts, &report, &[], &hooked));
            if let Some(end) = next.transpose() {
                let lost = end.as_ref().is_err_and(is_loss);
                *orders.lock() = if lost { Orders::Leave } else { Orders::End };
                ended = Some(end);
            }
        }
        let joined = servers.runtime.block_on(coordinator);
        let summary = joined.map_err(|e| Status::internal(format!("the coordinator: {e}")))?;
        match (ended, summary) {
            (Some(end), _) => Ok((step, end?)),
            (None, Ok(why)) => Ok((step, why)),
            (None, Err(status)) if parts.run.trainer.stop.is_set() => {
                tracing::debug!("the coordinator was stopped: {status}");
                Ok((step, "stopped by a signal".to_string()))
            }
            (None, Err(status)) => Err(status),
        }
    }

    /// A follower's part while its replica works: to tell how far that is.
    fn follow<T>(
        &mut self,
        parts: &mut Parts<'_>,
        step: i64,
        replica: &Replica,
        working: &JoinHandle<T>,
    ) -> Result<(i64, String)> {
        while !working.is_finished() {
            std::thread::sleep(LOOK);
            self.look_at(replica);
            let loss = *replica.loss.lock();
            if loss.is_finite() {
                self.recent = (loss, 1);
                self.report(parts, step, false)?;
            }
        }
        Ok((step, "the chief has ended training".to_string()))
    }

    /// What the replica has done so far; what it did not compute it exchanged or waited.
    fn look_at(&mut self, replica: &Replica) {
        let (_, examples, seconds) = self.before;
        self.examples = examples + replica.examples.load(Ordering::Relaxed);
        let computed = Duration::from_nanos(replica.computing.load(Ordering::Relaxed));
        let waited = replica.begun.elapsed().saturating_sub(computed).as_secs_f64();
        let busy = [self.seconds.evaluation, self.seconds.checkpoint];
        let before = [seconds.evaluation, seconds.checkpoint];
        let busy = busy.iter().sum::<f64>() - before.iter().sum::<f64>();
        self.seconds.step = seconds.step + computed.as_secs_f64();
        self.seconds.exchange = Some(seconds.exchange.unwrap_or(0.0) + (waited - busy).max(0.0));
    }

    /// The servers' global step is this; theirs counts pushes, of which there are none.
    fn advance(&self, parts: &Parts<'_>, servers: &Servers, step: i64) -> Result<()> {
        let name = parts.run.program.global_step.name().to_string();
        let value = [(name, Tensor::scalar(step))];
        for server in 0..servers.client.servers() {
            servers.runtime.block_on(servers.client.put(server, &value, false, 0))?;
        }
        Ok(())
    }
}

/// What the coordinator is to do after an iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Orders {
    GoOn,
    /// Training has ended: the replicas go home.
    End,
    /// This session is lost: the replicas wait for the coordinator of the next.
    Leave,
}

/// Starts the coordinator; its iterations come by the channel with what is to be saved, which ends with it.
fn coordinate(
    servers: &Servers,
    plan: Plan,
    settings: Settings,
    saved: Option<Saved>,
    orders: Arc<Mutex<Orders>>,
) -> (JoinHandle<Result<String>>, Receiver<(Iteration, Saved)>) {
    let (send, news) = channel();
    let client = servers.client.clone();
    let number = crate::training::service::incarnation();
    let task = servers.runtime.spawn(async move {
        let mut coordinator = Coordinator::begin(client, plan, settings, number, saved).await?;
        let ended = coordinator
            .run(|iteration, saved| {
                // Whoever listens has gone only with an error of its own.
                let _ = send.send((*iteration, saved.clone()));
                match *orders.lock() {
                    Orders::GoOn => Ok(()),
                    _ => Err(Status::cancelled("training is to end")),
                }
            })
            .await;
        let lost = ended.as_ref().is_err_and(is_loss) || *orders.lock() == Orders::Leave;
        // Whatever else it was, nobody gives them work any more.
        let home = if lost { Ok(()) } else { coordinator.end().await };
        let summary = ended?;
        home?;
        Ok(match summary.stop {
            Stop::GradientNorm => "the gradient is as good as zero".to_string(),
            Stop::RelativeDecrease => "the loss falls no further".to_string(),
            Stop::Iterations => format!("reached {} iterations", summary.iterations),
            Stop::NoProgress => "no lower loss was found".to_string(),
        })
    });
    (task, news)
}

/// Computes units, on whichever thread.
struct Replica {
    program: Arc<Program>,
    source: Source,
    units: u64,
    step: PreparedStep,
    assign: Assign,
    /// Where the variables stand now.
    point: Mutex<Option<Arc<Vec<Named<Tensor>>>>>,
    examples: AtomicU64,
    begun: Instant,
    /// Nanoseconds since then in which units were computed.
    computing: AtomicU64,
    /// The mean loss of the last unit.
    loss: Mutex<f64>,
    /// It works no longer, for a reason of its own.
    failed: AtomicBool,
}

impl Replica {
    fn new(parts: &Parts<'_>, units: u64) -> Result<Replica> {
        let program = parts.run.program.clone();
        let handed = program.update.handed.as_ref();
        let handed = handed.ok_or_else(|| Status::internal("gradients that stay in the graph"))?;
        let inputs: Vec<&Output> = program.train.inputs.iter().collect();
        let gradients = handed.fetches();
        let mut fetches: Vec<&dyn Fetch> = vec![&program.train.built.loss];
        fetches.extend(gradients.iter().map(|value| value as &dyn Fetch));
        let step = parts.session.prepare(&inputs, &fetches)?;
        let local = parts.run.local(parts.session, &super::no_values);
        let assign = Assign::new(&local, handed.gradients.iter().map(|(variable, _)| variable))?;
        let source = parts.run.trainer.data.clone();
        let whole = source.open(Share { index: 0, count: units as usize })?;
        if whole.length() == Some(Length::Infinite) {
            return Err(Status::invalid_argument(
                "Sandblaster goes over all of the data in every step, so the data must end: leave `repeat` out",
            ));
        }
        Ok(Replica {
            program,
            source,
            units,
            step,
            assign,
            point: Mutex::default(),
            examples: AtomicU64::new(0),
            begun: Instant::now(),
            computing: AtomicU64::new(0),
            loss: Mutex::new(f64::NAN),
            failed: AtomicBool::new(false),
        })
    }

    /// Works in the background until the coordinator sends it home.
    fn start(self: &Arc<Self>, servers: &Servers, beat: Duration) -> JoinHandle<Result<Worked>> {
        let (replica, client) = (self.clone(), servers.client.clone());
        servers.runtime.spawn(async move {
            let worked = work(&client, beat, |unit| {
                let replica = replica.clone();
                let computed = tokio::task::spawn_blocking(move || {
                    let begun = Instant::now();
                    let computed = replica.compute(&unit);
                    let took = begun.elapsed().as_nanos() as u64;
                    replica.computing.fetch_add(took, Ordering::Relaxed);
                    computed
                });
                async move {
                    let lost = |e| Status::internal(format!("a unit has failed: {e}"));
                    computed.await.map_err(lost)?
                }
            })
            .await;
            replica.failed.store(worked.is_err(), Ordering::Relaxed);
            worked
        })
    }

    /// Sums over the unit's examples.
    fn compute(&self, unit: &Work) -> Result<Contribution> {
        {
            // Units come one after the other; the lock only shows it.
            let mut point = self.point.lock();
            if !point.as_ref().is_some_and(|known| Arc::ptr_eq(known, &unit.point)) {
                self.assign.run(unit.point.iter().cloned())?;
                *point = Some(unit.point.clone());
            }
        }
        let handed = self.program.update.handed.as_ref();
        let handed = handed.ok_or_else(|| Status::internal("gradients that stay in the graph"))?;
        let share = Share { index: unit.unit as usize, count: self.units as usize };
        let mut batches = self.source.open(share)?.iterate()?;
        let (mut loss, mut weight) = (0.0, 0.0);
        let mut sums: Option<Vec<Gradient>> = None;
        while let Some(batch) = batches.next()? {
            let feeds = columns(&batch, &self.program.train.names)?;
            let rows = rows_of(&feeds);
            let values = self.step.run(feeds)?;
            loss += scalar(&values[0])? * rows as f64;
            weight += rows as f64;
            self.examples.fetch_add(rows as u64, Ordering::Relaxed);
            let mut gradients = gradients_of(handed, &values[1..])?;
            gradients.iter_mut().try_for_each(|gradient| gradient.scale(rows as f64))?;
            match &mut sums {
                None => sums = Some(gradients),
                Some(sums) => {
                    for (sum, gradient) in sums.iter_mut().zip(gradients) {
                        sum.add(gradient)?;
                    }
                }
            }
        }
        if weight > 0.0 {
            *self.loss.lock() = loss / weight;
        }
        let sums = match sums {
            Some(sums) => sums,
            // More units than batches.
            None => {
                let zeros = |(variable, _): &(crate::Variable, GraphGradient)| {
                    let shape = variable.shape().clone();
                    Tensor::zeros(variable.dtype(), shape).map(Gradient::Dense)
                };
                handed.gradients.iter().map(zeros).collect::<Result<_>>()?
            }
        };
        let names = handed.gradients.iter().map(|(variable, _)| variable.name().to_string());
        Ok(Contribution { loss, weight, gradients: names.zip(sums).collect() })
    }
}
