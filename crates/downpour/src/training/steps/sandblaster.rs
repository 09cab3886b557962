//! Sandblaster's steps: a step is an iteration of L-BFGS over all of the data.
//!
//! Every worker computes units in the background (`Replica`, on threads that may block) until the coordinator sends
//! it home. The chief also runs the coordinator, as a task beside; what it has done arrives here by a channel, and is
//! followed by what follows every step: hooks, evaluation, checkpoints, a line of progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use downpour_data::Length;
use downpour_lbfgs::{Iteration, Settings, Stop};
use downpour_params::sandblaster::{Contribution, Coordinator, Plan, Work, work};
use downpour_params::{Client, Gradient, Named};
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
use crate::training::source::{Share, Source};
use crate::training::strategy::Sandblaster;
use crate::training::trainer::Outcome;

/// How often a replica gives a sign of life.
const BEAT: Duration = Duration::from_secs(5);
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
        self.evaluated_at = step;
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
        let begun = Instant::now();
        let working = replica.start(&servers);
        let ended = match parts.run.placement.is_chief() {
            true => self.coordinate(&mut parts, step, settings, &servers, units, &replica),
            false => Ok((step, "the chief has ended training".to_string())),
        };
        let worked = servers.runtime.block_on(working);
        self.examples += replica.examples.load(Ordering::Relaxed);
        self.seconds.step += begun.elapsed().as_secs_f64();
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

    /// The chief's part; the step reached, and why it is the last.
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
        let lbfgs = Settings {
            history: settings.history,
            iterations: remaining.unwrap_or(u64::MAX),
            ..Settings::default()
        };
        let plan = Plan { names: servers.parameters.clone(), units, l2: settings.l2 };
        let stop = Arc::new(AtomicBool::new(false));
        let (coordinator, news) = coordinate(servers, plan, lbfgs, stop.clone());
        let mut step = first;
        let mut ended: Option<Result<String>> = None;
        loop {
            let iteration = match news.recv_timeout(LOOK) {
                Ok(iteration) => iteration,
                Err(RecvTimeoutError::Timeout) => {
                    if parts.run.trainer.stop.is_set() {
                        stop.store(true, Ordering::Relaxed);
                    }
                    continue;
                }
                // The coordinator is done.
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if ended.is_some() || iteration.number == 0 {
                continue;
            }
            step += 1;
            self.examples = replica.examples.load(Ordering::Relaxed);
            self.add(iteration.loss, 0);
            let advanced = self.advance(parts, servers, step);
            let report = StepReport { step, loss: iteration.loss, examples: 0, fetched: &[] };
            let next = advanced.and_then(|()| self.after_step(parts, &report, &[], &hooked));
            if let Some(end) = next.transpose() {
                stop.store(true, Ordering::Relaxed);
                ended = Some(end);
            }
        }
        self.examples = 0;
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

/// Starts the coordinator; its iterations come by the channel, which ends with it.
fn coordinate(
    servers: &Servers,
    plan: Plan,
    settings: Settings,
    stop: Arc<AtomicBool>,
) -> (JoinHandle<Result<String>>, Receiver<Iteration>) {
    let (send, news) = channel();
    let client = servers.client.clone();
    let number = crate::training::service::incarnation();
    let task = servers.runtime.spawn(async move {
        let mut coordinator = Coordinator::begin(client, plan, settings, number, None).await?;
        let ended = coordinator
            .run(|iteration, _| {
                // Whoever listens has gone only with an error of its own.
                let _ = send.send(*iteration);
                match stop.load(Ordering::Relaxed) {
                    true => Err(Status::cancelled("training is to end")),
                    false => Ok(()),
                }
            })
            .await;
        // The replicas go home whatever it was.
        let home = coordinator.end().await;
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
    /// The mean loss of the last unit.
    loss: Mutex<f64>,
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
        let (point, examples, loss) = (Mutex::default(), AtomicU64::new(0), Mutex::new(f64::NAN));
        Ok(Replica { program, source, units, step, assign, point, examples, loss })
    }

    /// Works in the background until the coordinator sends it home.
    fn start(
        self: &Arc<Self>,
        servers: &Servers,
    ) -> JoinHandle<Result<downpour_params::sandblaster::Worked>> {
        let (replica, client) = (self.clone(), servers.client.clone());
        servers.runtime.spawn(async move {
            work(&client, BEAT, |unit| {
                let replica = replica.clone();
                let computed = tokio::task::spawn_blocking(move || replica.compute(&unit));
                async move {
                    let lost = |e| Status::internal(format!("a unit has failed: {e}"));
                    computed.await.map_err(lost)?
                }
            })
            .await
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
