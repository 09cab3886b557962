//! A run from its beginning to its end, over losses of its session.
//!
//! Protocol between tasks. All build the same graph, variables on the servers. The chief gives variables
//! their values (from a checkpoint, else their first ones) whenever some have none; followers wait until all
//! have. A task whose session breaks (a server died, a connection is gone) makes a new one and begins with
//! this again: a restarted server has no variables, so the chief restores them and the others wait.

mod coordinating;
mod made;
mod serving;
mod task;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_cluster::{ClusterSpec, Metrics};
use downpour_collectives::Door;
use downpour_params::{Client, Named};
use downpour_tensor::{Code, Result, Status, Tensor};
use parking_lot::Mutex;

use super::all_reduce::AllReduce;
use super::checkpoints::{Saver, newest_whole, restore, save_kept};
use super::evaluator::Evaluator;
use super::exchange::{Exchange, Local};
use super::journal::Journal;
use super::layout::Layout;
use super::layouts::{Layouts, Relaid};
use super::leases::Leases;
use super::own_server::OwnServer;
use super::program::Program;
use super::service::ServiceExchange;
use super::space;
use super::steps::{Parts, Steps};
use super::stopping::{Interruptible, Stopping};
use super::strategy::{Placement, Strategy};
use super::summaries::Summaries;
use super::synchronous::Chief;
use super::trainer::{Outcome, Trainer};
use crate::record::{Event, Moved, Pushed, Started, Traffic, VariablePlace, Warned, now};
use crate::session::Session;
use made::Made;
pub(crate) use made::check;
use task::{Member, restarts};
pub(crate) use task::{first_start, run};

/// How long a follower pauses before it looks again whether the chief is done.
const PAUSE: Duration = Duration::from_millis(50);
/// How long the first recovery waits; each further one waits twice as long, up to a limit.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Everything that stays while sessions come and go.
pub(crate) struct Run {
    pub trainer: Trainer,
    pub placement: Placement,
    pub program: Arc<Program>,
    pub data: downpour_data::Dataset,
    pub evaluation: Option<downpour_data::Dataset>,
    pub schema: downpour_data::Schema,
    pub summaries: Option<Summaries>,
    pub begun: Instant,
    /// Ends waits when training is told to stop.
    pub stopping: Stopping,
    /// What people should know, and is not written down yet.
    warnings: Mutex<Vec<String>>,
    server: Option<Arc<OwnServer>>,
    address: String,
    /// The cluster, where gradients are exchanged outside of the graph.
    cluster: Option<ClusterSpec>,
    /// Where other workers connect, when they exchange with each other.
    door: Option<Door>,
    /// The data, where the coordinator hands it out.
    pub leases: Option<Leases>,
    /// What variables had when the last session was lost.
    kept: Option<Vec<Named<Tensor>>>,
    /// The last session's way to the parameter servers: what they have answered there they are told by the next.
    client: Option<Arc<Client>>,
    /// Where variables are, if they have moved.
    relaid: Option<Arc<Relaid>>,
    layouts: Layouts,
    /// Counts the bytes of all sessions' ways there.
    metrics: Arc<Metrics>,
    /// What this process's server had moved when the session began.
    moved_before: Traffic,
}

impl Run {
    fn prepare(
        trainer: Trainer,
        placement: Placement,
        member: Option<Member>,
        begun: Instant,
    ) -> Result<Run> {
        let Made { data, evaluation, schema, program } = Made::new(&trainer, &placement)?;
        let stopping = Stopping::watch(&trainer.stop)?;
        let mut warnings = Vec::new();
        if placement.is_chief() {
            warnings.extend(space::check(&trainer, &placement, &program)?);
        }
        let chief = placement.is_chief().then_some(&program.graph);
        let summaries = trainer.folder.as_deref();
        let summaries = summaries.map(|run| Summaries::create(run, &placement.task_name(), chief));
        let summaries = summaries.transpose()?;
        let (server, door, address, cluster) = match member {
            Some(Member { server, door, address, cluster }) => {
                (server, door, address, Some(cluster))
            }
            None => (None, None, String::new(), None),
        };
        let leases = match (&server, &cluster, trainer.strategy.servers()) {
            (Some(server), Some(cluster), Some(strategy)) if strategy.leases => {
                let (positions, task) = (trainer.data.positions()?, placement.task_name());
                let patience = trainer.patience;
                let runtime = (server.runtime(), &stopping);
                Some(Leases::join(runtime, cluster, &task, positions, patience)?)
            }
            _ => None,
        };
        Ok(Run {
            trainer,
            placement,
            program: Arc::new(program),
            data,
            evaluation,
            schema,
            summaries,
            begun,
            stopping,
            warnings: Mutex::new(warnings),
            server,
            address,
            cluster,
            door,
            leases,
            kept: None,
            client: None,
            relaid: None,
            layouts: Layouts::default(),
            metrics: Metrics::new(),
            moved_before: Traffic::default(),
        })
    }

    /// Over all sessions it takes.
    fn train(&mut self, journal: &mut Journal) -> Result<Outcome> {
        let mut lost = 0;
        let mut steps = Steps::new();
        loop {
            let before = steps.count();
            match self.with_session(&mut steps, journal) {
                Err(status)
                    if is_loss(&status) && self.has_moved() && !self.trainer.stop.is_set() =>
                {
                    if let Err(e) = self.follow(journal) {
                        tracing::warn!("the new layout is not known yet: {e}");
                        self.pause(FIRST_WAIT);
                    }
                }
                Err(status)
                    if is_loss(&status)
                        && !self.trainer.stop.is_set()
                        && (lost < self.trainer.recoveries || steps.count() > before) =>
                {
                    // A long run loses many sessions; only those without a step between them say that it is hopeless.
                    lost = if steps.count() > before { 1 } else { lost + 1 };
                    let wait = (FIRST_WAIT * 2u32.pow(lost.min(10) - 1)).min(LONGEST_WAIT);
                    tracing::warn!(
                        "{}: lost the session ({}); trying again in {:.1} s ({lost} of {})",
                        self.placement.task_name(),
                        status.message(),
                        wait.as_secs_f64(),
                        self.trainer.recoveries
                    );
                    self.pause(wait);
                }
                result => {
                    let result = result.or_else(|status| self.end_with_kept(status, &steps));
                    if let Some(leases) = &mut self.leases {
                        leases.leave();
                    }
                    if let Some(summaries) = self.summaries.take() {
                        summaries.close()?;
                    }
                    return result;
                }
            }
        }
    }

    /// A chief that was told to stop while it waited for the others to come back still has what it kept of the lost
    /// session.
    fn end_with_kept(&self, status: Status, steps: &Steps) -> Result<Outcome> {
        let waited = is_loss(&status) || status.code() == Code::Cancelled;
        let ours = self.placement.is_chief() && self.trainer.stop.is_set() && waited;
        let (Some(folder), Some(kept)) = (self.checkpoint_folder(), &self.kept) else {
            return Err(status);
        };
        if !ours {
            return Err(status);
        }
        tracing::warn!("told to stop: {}", status.message());
        let policy = &self.trainer.checkpoints;
        let step = save_kept(&folder, policy, &self.program.global_step, kept)?;
        Ok(steps.outcome(step, "stopped by a signal".to_string()))
    }

    /// Whether a server has said that variables are elsewhere.
    fn has_moved(&self) -> bool {
        self.client.as_ref().is_some_and(|client| client.has_moved())
    }

    /// Goes on with the layout the servers have.
    fn follow(&mut self, journal: &mut Journal) -> Result<()> {
        let (Some(client), Some(server)) = (&self.client, &self.server) else { return Ok(()) };
        let Some(placed) = server.runtime().block_on(client.layout())? else { return Ok(()) };
        let epoch = placed.epoch;
        let known = self.relaid.as_ref().map_or(0, |relaid| relaid.placed.epoch);
        if epoch <= known {
            return Ok(());
        }
        let optimizers = &self.trainer.optimizers;
        let relaid = self.layouts.relaid(&self.program, optimizers, placed)?;
        let Layout { why, moved, .. } = relaid.layout.clone();
        tracing::info!(
            "{}: goes on with layout {epoch}: {why}; moved {}",
            self.placement.task_name(),
            moved.join(", ")
        );
        self.relaid = Some(Arc::new(relaid));
        if self.placement.is_chief() {
            journal.write(&Event::Moved(Moved { time: now(), layout: epoch, why, moved }))?;
        }
        Ok(())
    }

    /// The other tasks of the cluster, in words for people.
    fn other_tasks(&self) -> String {
        let own = self.placement.task_name();
        let tasks = self.cluster.iter().flat_map(ClusterSpec::tasks);
        let names = tasks.map(|task| format!("{}/{}", task.job, task.task));
        let others: Vec<String> = names.filter(|name| *name != own).collect();
        if others.is_empty() { "the other tasks".to_string() } else { others.join(", ") }
    }

    /// Waits, but not longer than the run is to go on.
    fn pause(&self, wait: Duration) {
        let until = Instant::now() + wait;
        while Instant::now() < until && !self.trainer.stop.is_set() {
            std::thread::sleep(PAUSE);
        }
    }

    fn session(&self) -> Result<Session> {
        let graph = &self.program.graph;
        let shared = self.program.update.handed.is_none();
        let session = match self.server.as_ref().filter(|_| shared) {
            None => match self.trainer.threads {
                0 => Session::local(graph)?,
                threads => Session::local_with_threads(graph, threads)?,
            },
            Some(server) => {
                let filters = self.placement.device_filters();
                let runner = server.session(filters, &self.stopping)?;
                Session::new(graph, Arc::new(runner))
            }
        };
        if self.is_alone() {
            // Its steps wait for nobody.
            return Ok(session);
        }
        let others = match (shared, self.placement.device_filters()) {
            (true, filters) if !filters.is_empty() => filters.join(", "),
            _ => self.other_tasks(),
        };
        let runner = Interruptible::new(session.runner().clone(), &self.stopping, others);
        Ok(Session::new(graph, Arc::new(runner)))
    }

    /// Trains until the end or until the session breaks.
    fn with_session(&mut self, steps: &mut Steps, journal: &mut Journal) -> Result<Outcome> {
        self.moved_before = self.moved();
        let session = Arc::new(self.session()?);
        let mut exchange = self.exchange()?;
        self.client = exchange.as_ref().and_then(|exchange| exchange.client());
        let step = match &mut exchange {
            Some(exchange) => {
                exchange.begin(&self.local(&session, &|| self.give_values(&session)))?
            }
            None => self.values(&session)?,
        };
        journal.write(&Event::Started(self.started(step)))?;
        for text in std::mem::take(&mut *self.warnings.lock()) {
            journal.write(&Event::Warned(Warned { time: now(), text }))?;
        }
        let saver = match self.checkpoint_folder().filter(|_| self.placement.is_chief()) {
            Some(folder) => {
                Some(Saver::new(&session, &self.program, &folder, &self.trainer.checkpoints, step)?)
            }
            None => None,
        };
        let evaluator = match (&self.program.evaluate, &self.evaluation) {
            (Some(tower), Some(data)) => Some(Evaluator::new(&session, tower, data)?),
            _ => None,
        };
        for hook in &mut self.trainer.hooks {
            hook.started(&session, step)?;
        }
        let together = self.program.update.together.as_ref();
        let chief = together.filter(|_| self.placement.is_chief());
        let chief = chief.map(|together| Chief::start(&session, together)).transpose()?;
        let (chief_thread, exchanged) = (chief.as_ref(), exchange.as_mut());
        let parts = Parts {
            run: self,
            session: &session,
            journal,
            saver,
            evaluator,
            chief: chief_thread,
            exchange: exchanged,
        };
        let blasted = match &parts.run.trainer.strategy {
            Strategy::Sandblaster(settings) => Some(settings.clone()),
            _ => None,
        };
        let mut result = match blasted.filter(|_| parts.exchange.is_some()) {
            Some(settings) => steps.blast(parts, step, &settings),
            None => steps.run(parts, step),
        };
        if let Some(exchange) = &mut exchange {
            let local = self.local(&session, &|| Ok(()));
            match &result {
                Ok(outcome) => {
                    let ended = exchange.end(&local);
                    if let Some(client) = &self.client {
                        let used = client.used();
                        journal.write(&Event::Pushed(Pushed { time: now(), used }))?;
                    }
                    // A chief that died before it could save needs them when it is back.
                    if let Err(status) = ended
                        && self.is_unsaved(outcome.step)?
                    {
                        self.kept = exchange.keep(&local);
                        result = Err(status);
                    }
                }
                Err(_) => self.kept = exchange.keep(&local),
            }
            if let Some(leases) = &mut self.leases {
                let answered = exchange.answered();
                answered.into_iter().for_each(|(extent, used)| leases.answered(extent, used));
            }
        }
        if let Some(chief) = chief {
            chief.end(result.is_ok());
        }
        // Closing may fail when the session is what broke.
        let closed = session.close();
        result.inspect(|outcome| {
            if let Err(e) = closed {
                tracing::debug!("closing the session after step {}: {e}", outcome.step);
            }
        })
    }

    /// Whether this process sees the chief's checkpoints, and none of this step is among them. With `keep_best` the chief
    /// measures before it saves, which may take so long that this cannot be told.
    fn is_unsaved(&self, step: i64) -> Result<bool> {
        let folder = self.checkpoint_folder().filter(|folder| folder.is_dir());
        let policy = &self.trainer.checkpoints;
        Ok(match folder.filter(|_| !self.trainer.stop.is_set() && policy.keep_best.is_none()) {
            Some(folder) => newest_whole(&folder)?.is_none_or(|newest| newest < step),
            None => false,
        })
    }

    /// Whether a chief was started again after the last step was saved: only what follows is left to do, and the
    /// other workers may have ended.
    fn is_alone_at_the_end(&self) -> Result<bool> {
        let folder = self.checkpoint_folder().filter(|_| restarts() > 0);
        Ok(match (folder, self.trainer.target_step) {
            (Some(folder), Some(target)) if self.placement.is_chief() => {
                newest_whole(&folder)?.is_some_and(|newest| newest >= target)
            }
            _ => false,
        })
    }

    /// What carries gradients to the others, if the graph does not.
    fn exchange(&self) -> Result<Option<Box<dyn Exchange>>> {
        if self.program.update.handed.is_none() {
            return Ok(None);
        }
        if matches!(self.trainer.strategy, Strategy::MultiWorkerMirrored(_))
            && self.is_alone_at_the_end()?
        {
            return Ok(None);
        }
        let missing = || Status::internal("an exchange without a cluster");
        let cluster = self.cluster.as_ref().ok_or_else(missing)?;
        let patience = self.trainer.patience;
        match &self.trainer.strategy {
            Strategy::MultiWorkerMirrored(strategy) => {
                let door = self.door.as_ref().ok_or_else(missing)?;
                let addresses = self.placement.addresses(cluster)?;
                let (place, compression) = (&self.placement, strategy.compression);
                let (patience, stopping) = ((patience, &self.trainer.stop), &self.stopping);
                let exchange =
                    AllReduce::connect(door, addresses, place, compression, patience, stopping)?;
                Ok(Some(Box::new(exchange)))
            }
            strategy @ (Strategy::ParameterServer(_) | Strategy::Sandblaster(_)) => {
                let strategy = strategy.servers().ok_or_else(missing)?;
                let runtime = self.server.as_ref().ok_or_else(missing)?.runtime();
                let runtime = (runtime, &self.stopping);
                let place = &self.placement;
                let before = (self.client.as_deref(), &self.metrics);
                let exchange =
                    ServiceExchange::new(runtime, cluster, place, strategy, patience, before)?;
                Ok(Some(Box::new(exchange)))
            }
            Strategy::Local | Strategy::Mirrored(_) | Strategy::ModelParallel(_) => Ok(None),
        }
    }

    /// This side of an exchange.
    pub fn local<'a>(
        &'a self,
        session: &'a Session,
        give_values: &'a dyn Fn() -> Result<()>,
    ) -> Local<'a> {
        Local {
            session,
            program: &self.program,
            stop: &self.trainer.stop,
            patience: self.trainer.patience,
            kept: self.kept.as_deref(),
            give_values,
            optimizers: &self.trainer.optimizers,
            relaid: self.relaid.as_deref(),
            layouts: &self.layouts,
        }
    }

    /// Nobody else takes part.
    pub fn is_alone(&self) -> bool {
        self.server.is_none() && self.door.is_none()
    }

    /// What the graph's own traffic has been since the session began.
    pub fn traffic(&self) -> Traffic {
        self.moved().since(self.moved_before)
    }

    fn moved(&self) -> Traffic {
        let server = self.server.as_ref().map(|server| server.account().bytes());
        let (sent, received) = server.unwrap_or_default();
        Traffic { sent, received, ..Traffic::default() }
    }

    pub fn checkpoint_folder(&self) -> Option<PathBuf> {
        self.trainer.folder.as_ref().map(|run| run.join("checkpoints"))
    }

    /// Variables have values when this returns: those of the global step it gives.
    fn values(&self, session: &Session) -> Result<i64> {
        let deadline = Instant::now() + self.trainer.patience;
        loop {
            let missing = session.fetch(&[], &self.program.uninitialized)?;
            let missing: Vec<String> = missing
                .strings()?
                .iter()
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .collect();
            if missing.is_empty() {
                break;
            }
            if self.placement.is_chief() {
                self.give_values(session)?;
                break;
            }
            if self.trainer.stop.is_set() {
                return Err(Status::cancelled("stopped while waiting for the chief"));
            }
            if Instant::now() > deadline {
                return Err(Status::deadline_exceeded(format!(
                    "waited {} s for the chief to initialise {} variables (the first is '{}'); is it running? Its \
                     log says why it is not done.",
                    self.trainer.patience.as_secs(),
                    missing.len(),
                    missing[0]
                )));
            }
            std::thread::sleep(PAUSE);
        }
        session.fetch(&[], &self.program.global_step.value())?.to_scalar::<i64>()
    }

    fn give_values(&self, session: &Session) -> Result<()> {
        if let Some(folder) = self.checkpoint_folder() {
            let mut say = |text: String| {
                tracing::warn!("{text}");
                self.warnings.lock().push(text);
            };
            if let Some(restored) = restore(session, &self.program, &folder, &mut say)? {
                tracing::info!("going on from {} (step {})", restored.prefix, restored.step);
                return Ok(());
            }
        }
        session.run(&[], &[&self.program.initialize]).map(drop)
    }

    /// Where a variable is, or its parts are, for the report.
    fn places_of(&self, variable: &crate::Variable) -> Vec<VariablePlace> {
        let device = variable.device();
        let on_device = device.strip_prefix("/job:").map(|rest| rest.replace("/task:", "/"));
        let whole = |task: String| VariablePlace {
            name: variable.name().to_string(),
            shape: variable.shape().iter().map(|&d| d as i64).collect(),
            bytes: (variable.shape().elements() * variable.dtype().size()) as u64,
            task,
        };
        let relaid = self.relaid.as_ref().map(|relaid| &*relaid.handed);
        let handed = relaid.or(self.program.update.handed.as_ref());
        let handed = handed.filter(|handed| handed.places.len() == self.placement.servers());
        let Some(handed) = handed.filter(|_| on_device.is_none()) else {
            return vec![whole(on_device.unwrap_or_else(|| "local".to_string()))];
        };
        let mut parts = Vec::new();
        for (number, place) in handed.places.iter().enumerate() {
            let held = place.variables.iter().find(|(held, _)| held == variable);
            let Some((_, rows)) = held else { continue };
            let task = whole(format!("ps/{number}"));
            let Some(rows) = rows else { return vec![task] };
            let all = variable.shape().dims()[0] as u64;
            let mut shape = task.shape.clone();
            shape[0] = rows.len() as i64;
            parts.push(VariablePlace {
                name: format!("{} [{}..{}]", task.name, rows.start, rows.end),
                shape,
                bytes: task.bytes / all * rows.len() as u64,
                ..task
            });
        }
        match parts.is_empty() {
            // What no update changes is with the first.
            true => vec![whole("ps/0".to_string())],
            false => parts,
        }
    }

    fn started(&self, step: i64) -> Started {
        let mut started = Started {
            time: now(),
            task: self.placement.task_name(),
            address: self.address.clone(),
            step,
            target_step: self.trainer.target_step,
            restarts: restarts(),
            ..Started::default()
        };
        if self.placement.is_chief() {
            started.job = self.trainer.job.clone();
            let variables = self.program.graph.variables();
            started.variables = variables.iter().flat_map(|v| self.places_of(v)).collect();
        }
        started
    }
}

/// True when a new session may do better: a task or connection was lost.
pub(crate) fn is_loss(status: &Status) -> bool {
    matches!(status.code(), Code::Unavailable | Code::Aborted)
}
