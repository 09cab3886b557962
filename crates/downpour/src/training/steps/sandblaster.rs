//! Sandblaster's steps: a step is an iteration of L-BFGS over all of the data.
//!
//! Every worker computes units in the background (`Replica`, on threads that may block) until the coordinator sends
//! it home. The chief also runs the coordinator, as a task beside; what it has done arrives here by a channel, and is
//! followed by what follows every step: hooks, evaluation, checkpoints, a line of progress.

mod memory;
mod replica;
mod units;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use downpour_lbfgs::{Iteration, Settings, Stop};
use downpour_params::sandblaster::{Coordinator, Plan, Saved, WentBack};
use downpour_params::{Client, Limits};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;
use tokio::task::JoinHandle;

use super::{Parts, Steps};
use crate::output::Output;
use crate::record::{Event, Warned, now};
use crate::training::hook::StepReport;
use crate::training::run::{first_start, is_loss};
use crate::training::stopping::Waits;
use crate::training::strategy::Sandblaster;
use crate::training::trainer::Outcome;
use memory::{Memory, Remembered};
use replica::Replica;
pub(super) use units::Units;

/// How often the chief looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// The way to the servers, and which trained variables each of them has.
pub(crate) struct Servers {
    pub client: Arc<Client>,
    pub runtime: Waits,
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
        let data = self.units(&parts, units)?;
        let replica = Arc::new(Replica::new(&parts, data.clone())?);
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
        // Nobody sends it home after an error, and whoever was to may not answer in time.
        let abandoned = ended.is_err() || parts.run.stopping.is_over();
        if abandoned {
            working.abort();
        }
        let worked = servers.runtime.block_on(working);
        self.look_at(&replica);
        self.tell(&replica, &data);
        let (step, reason) = ended?;
        let worked = match worked {
            // Aborted, or ended by the same silence: the values of the last iteration are what is left.
            _ if abandoned => Default::default(),
            Err(e) => return Err(Status::internal(format!("a replica has failed: {e}"))),
            Ok(Err(status)) if parts.run.stopping.is_over() => {
                tracing::debug!("the replica was stopped: {status}");
                Default::default()
            }
            Ok(worked) => worked?,
        };
        if !parts.run.placement.is_chief() {
            // The chief knows the loss of all data.
            self.steps += worked.units;
            self.last_loss = replica.loss();
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
        // A session that was lost within this process is no new run.
        let new = first_start() && self.steps == 0;
        let memory = Memory::open(parts.run.trainer.folder.as_deref(), new);
        let (saved, first) = match memory.read(servers.client.servers()) {
            Some(Remembered { saved, first }) => (Some(saved), first),
            None => (None, first),
        };
        let iterations = |target: i64| (target - first).max(1) as u64;
        let lbfgs = Settings {
            history: settings.history,
            iterations: parts.run.trainer.target_step.map_or(u64::MAX, iterations),
            ..Settings::default()
        };
        let step_of = |iteration: u64| first.saturating_add_unsigned(iteration);
        let mut step = step_of(saved.as_ref().map_or(0, |saved| saved.state.iterations));
        let plan = Plan { names: servers.parameters.clone(), units, l2: settings.l2 };
        let orders = Arc::new(Mutex::new(Orders::GoOn));
        let remember =
            move |saved: &Saved| memory.write(&Remembered { saved: saved.clone(), first });
        let every = settings.servers.snapshot_every;
        let task = Coordination { plan, lbfgs, saved, every, orders: orders.clone() };
        let (coordinator, news) = coordinate(servers, task, remember);
        let mut ended: Option<Result<String>> = None;
        loop {
            let iteration = match news.recv_timeout(LOOK) {
                Ok(News::Iterated(iteration)) => iteration,
                Ok(News::WentBack(back)) => {
                    let mut text = back.to_string();
                    if let Some(iteration) = back.iteration {
                        step = step_of(iteration);
                        text.push_str(&format!(", and training goes on from step {step}"));
                    }
                    parts.journal.write(&Event::Warned(Warned { time: now(), text }))?;
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {
                    if parts.run.trainer.stop.is_set() && ended.is_none() {
                        *orders.lock() = Orders::End;
                    }
                    if parts.run.stopping.is_over() {
                        coordinator.abort();
                        return Ok((step, "stopped by a signal".to_string()));
                    }
                    // This worker's start is over, and nobody may be left to compute what is waited for.
                    if replica.has_failed() {
                        coordinator.abort();
                        return Ok((step, "its replica has failed".to_string()));
                    }
                    continue;
                }
                // The coordinator is done.
                Err(RecvTimeoutError::Disconnected) => break,
            };
            // An iteration is counted even if a server died before it could be published, and the next one is told
            // in its place. One that only says why training ends counts for nothing.
            let reached = step_of(iteration.number);
            if ended.is_some() || reached <= step {
                continue;
            }
            step = reached;
            tracing::debug!(
                "iteration {}: loss {:.6}, gradient {:.2e}, step {:.3}, {} evaluations{}",
                iteration.number,
                iteration.loss,
                iteration.gradient_norm,
                iteration.step,
                iteration.evaluations,
                if iteration.restarted { ", the history begins anew" } else { "" }
            );
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
            // The chief, which would send the replica home, may be gone.
            if parts.run.stopping.is_over() {
                return Ok((step, "stopped by a signal".to_string()));
            }
            std::thread::sleep(LOOK);
            self.look_at(replica);
            let loss = replica.loss();
            if loss.is_finite() {
                self.recent = (loss, 1);
                self.report(parts, step, false)?;
            }
        }
        Ok((step, "the chief has ended training".to_string()))
    }

    /// The units' data, which a session that is lost leaves to the next.
    fn units(&mut self, parts: &Parts<'_>, units: u64) -> Result<Arc<Units>> {
        if let Some(known) = &self.units {
            return Ok(known.clone());
        }
        let names = &parts.run.program.train.names;
        let data = Arc::new(Units::open(&parts.run.trainer.data, names, units)?);
        self.units = Some(data.clone());
        Ok(data)
    }

    /// What the replica has done so far; what it did neither read nor compute it exchanged or waited.
    fn look_at(&mut self, replica: &Replica) {
        let done = replica.done();
        let (_, examples, seconds) = self.before;
        self.examples = examples + done.examples;
        let busy = [self.seconds.evaluation, self.seconds.checkpoint];
        let before = [seconds.evaluation, seconds.checkpoint];
        let busy = busy.iter().sum::<f64>() - before.iter().sum::<f64>();
        self.seconds.data = seconds.data + done.reading.as_secs_f64();
        self.seconds.step = seconds.step + done.computing.as_secs_f64();
        let waited = (done.waiting.as_secs_f64() - busy).max(0.0);
        self.seconds.exchange = Some(seconds.exchange.unwrap_or(0.0) + waited);
    }

    /// Where a replica's time went.
    fn tell(&self, replica: &Replica, data: &Units) {
        let (done, (units, bytes)) = (replica.done(), data.kept());
        tracing::info!(
            "computed {} examples: {:.1} s reading, {:.1} s computing, {:.1} s exchanging and waiting; {units} units \
             ({} kB) kept besides positions",
            done.examples,
            done.reading.as_secs_f64(),
            done.computing.as_secs_f64(),
            done.waiting.as_secs_f64(),
            bytes >> 10
        );
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

/// News from the coordinator.
enum News {
    Iterated(Iteration),
    WentBack(WentBack),
}

/// The settings of the coordinator.
struct Coordination {
    plan: Plan,
    lbfgs: Settings,
    saved: Option<Saved>,
    /// How long between two snapshots.
    every: Duration,
    orders: Arc<Mutex<Orders>>,
}

/// Starts the coordinator; its news come by the channel, which ends with it. What it needs to go on is remembered
/// before servers remove anything that it names.
fn coordinate(
    servers: &Servers,
    task: Coordination,
    remember: impl Fn(&Saved) + Send + Sync + 'static,
) -> (JoinHandle<Result<String>>, Receiver<News>) {
    let (send, news) = channel();
    let client = servers.client.clone();
    // Every replica gets to know it.
    let number = client.public_incarnation();
    let Coordination { plan, lbfgs, saved, every, orders } = task;
    let task = servers.runtime.spawn(async move {
        let mut coordinator = Coordinator::begin(client, plan, lbfgs, number, saved).await?;
        let tell = send.clone();
        // Whoever listens has gone only with an error of its own.
        coordinator.keep_cuts(every, Box::new(move |back| drop(tell.send(News::WentBack(back)))));
        let ended = coordinator
            .run(|iteration, saved| {
                remember(saved);
                drop(send.send(News::Iterated(*iteration)));
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
