//! Describes a training run and runs it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use downpour_tensor::{Result, Status};

use super::checkpoints::CheckpointPolicy;
use super::evaluator::Evaluation;
use super::hook::{Hook, StopAfter, StopAtStep};
use super::model::Model;
use super::optimizers::Optimizers;
use super::run;
use super::source::Source;
use super::strategy::{Service, Strategy, Way};
use crate::optimizer::Optimizer;
use crate::precision::{LossScale, MixedPrecision};

/// Tells a training run to end: it saves a checkpoint and returns. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct StopFlag {
    set: Arc<AtomicBool>,
    /// When it was first seen to be set: a handler of a signal cannot ask for the time.
    since: Arc<OnceLock<Instant>>,
}

impl StopFlag {
    /// Training ends after the current step.
    pub fn stop(&self) {
        self.set.store(true, Ordering::Relaxed);
    }

    /// Whether it was told to.
    pub fn is_set(&self) -> bool {
        self.since().is_some()
    }

    /// Since when it is known that training is to end.
    pub(crate) fn since(&self) -> Option<Instant> {
        let set = self.set.load(Ordering::Relaxed);
        set.then(|| *self.since.get_or_init(Instant::now))
    }

    /// The flag itself, for handlers of signals.
    pub fn shared(&self) -> &Arc<AtomicBool> {
        &self.set
    }
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The global step.
    pub step: i64,
    /// The loss of this worker's last batches.
    pub loss: f64,
    /// What the last evaluation found, on the chief.
    pub evaluation: Option<Evaluation>,
    /// `reached step 2000`, `stopped by a signal`.
    pub reason: String,
    /// Batches this process has trained on.
    pub steps: u64,
    /// Examples this process has trained on.
    pub examples: u64,
}

/// A training run: a model, its data and optimizer, and what happens along the way.
///
/// ```
/// use downpour::training::{Built, Inputs, Trainer};
/// use downpour::{DataType, Optimizer, Tensor, initializers};
/// use downpour_data::{Dataset, Remainder};
/// # fn main() -> downpour::Result<()> {
/// let x = Tensor::from_vec([64, 1], (0..64).map(|i| i as f32 / 64.0).collect())?;
/// let y = Tensor::from_vec([64, 1], (0..64).map(|i| 3.0 * i as f32 / 64.0 - 1.0).collect())?;
/// let data = Dataset::from_tensors([("x", x), ("y", y)])?;
/// let batches = data.shuffle(64, 1)?.repeat().batch(16, Remainder::Drop)?;
///
/// let line = |inputs: &Inputs| {
///     let graph = inputs.graph();
///     let w = graph.variable("w", [1, 1], DataType::Float, initializers::zeros())?;
///     let b = graph.variable("b", [1], DataType::Float, initializers::zeros())?;
///     let guess = (inputs.get("x")?.matmul(&w.value())? + b.value())?;
///     Ok(Built::new((guess - inputs.get("y")?)?.square()?.mean_all()?))
/// };
/// let outcome = Trainer::new(line, batches).optimizer(Optimizer::gradient_descent(0.5)).steps(400).train()?;
/// assert!(outcome.loss < 0.01);
/// # Ok(())
/// # }
/// ```
pub struct Trainer {
    pub(crate) model: Box<dyn Model>,
    pub(crate) data: Source,
    pub(crate) evaluation: Option<Source>,
    pub(crate) optimizers: Optimizers,
    pub(crate) strategy: Strategy,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) checkpoints: CheckpointPolicy,
    pub(crate) evaluate_every: Option<i64>,
    pub(crate) report_every: Duration,
    pub(crate) histograms: bool,
    pub(crate) profile_at: Option<i64>,
    pub(crate) target_step: Option<i64>,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) precision: Option<MixedPrecision>,
    pub(crate) seed: Option<i64>,
    pub(crate) threads: usize,
    pub(crate) hooks: Vec<Box<dyn Hook>>,
    pub(crate) stop: StopFlag,
    pub(crate) job: BTreeMap<String, String>,
    pub(crate) patience: Duration,
    pub(crate) recoveries: u32,
}

impl Trainer {
    /// How gradients reach parameter servers. With a loss scale synchronous training stays in the graph, where
    /// everybody's gradients are looked at together.
    pub(crate) fn way(&self) -> Option<Way> {
        let strategy = self.strategy.servers()?;
        let scaled = self.precision.as_ref().is_some_and(|p| p.loss_scale != LossScale::None);
        Some(match &strategy.way {
            Way::Service(Service::Backups(0)) if scaled => Way::Graph { synchronous: true },
            way => way.clone(),
        })
    }

    /// Trains `model` on `data`: a dataset of batches, or a [`Source`] that cuts the data for each worker.
    pub fn new(model: impl Model + 'static, data: impl Into<Source>) -> Trainer {
        Trainer::of(Box::new(model), data)
    }

    /// The same for a model that is known only when the program runs.
    pub fn of(model: Box<dyn Model>, data: impl Into<Source>) -> Trainer {
        Trainer {
            model,
            data: data.into(),
            evaluation: None,
            optimizers: Optimizers::default(),
            strategy: Strategy::Local,
            folder: None,
            checkpoints: CheckpointPolicy::default(),
            evaluate_every: None,
            report_every: Duration::from_millis(250),
            histograms: false,
            profile_at: None,
            target_step: None,
            time_limit: None,
            precision: None,
            seed: None,
            threads: 0,
            hooks: Vec::new(),
            stop: StopFlag::default(),
            job: BTreeMap::new(),
            patience: Duration::from_secs(300),
            recoveries: 10,
        }
    }

    /// Changes all variables that no other optimizer is for.
    pub fn optimizer(self, optimizer: Optimizer) -> Trainer {
        self.optimizer_for("", optimizer)
    }

    /// Changes the variables in a scope (`wide` is for `wide/w`, not for `wider/w`).
    pub fn optimizer_for(mut self, scope: &str, optimizer: Optimizer) -> Trainer {
        self.optimizers.set(scope, optimizer);
        self
    }

    /// Scales gradients down so that their norm, taken over all of them, is at most this.
    pub fn clip_gradients(mut self, norm: f64) -> Trainer {
        self.optimizers.clip_norm = Some(norm);
        self
    }

    /// Measures the model on this data, at the end and every so many steps.
    pub fn evaluate(mut self, data: impl Into<Source>, every_steps: Option<i64>) -> Trainer {
        self.evaluation = Some(data.into());
        self.evaluate_every = every_steps;
        self
    }

    /// How the run is spread over processes.
    pub fn strategy(mut self, strategy: impl Into<Strategy>) -> Trainer {
        self.strategy = strategy.into();
        self
    }

    /// Computes the model in 16 bits where that is safe, with weights in float32:
    /// `MixedPrecision::bfloat16()`, `MixedPrecision::float16()`. Checkpoints and exported models are those
    /// of float32.
    pub fn precision(mut self, precision: MixedPrecision) -> Trainer {
        self.precision = Some(precision);
        self
    }

    /// Where checkpoints, event files and the run's journal go. A run whose folder has a checkpoint goes on
    /// from it.
    pub fn folder(mut self, folder: impl AsRef<Path>) -> Trainer {
        self.folder = Some(folder.as_ref().to_path_buf());
        self
    }

    /// When checkpoints are saved and which are kept.
    pub fn checkpoints(mut self, policy: CheckpointPolicy) -> Trainer {
        self.checkpoints = policy;
        self
    }

    /// Ends at this global step.
    pub fn steps(mut self, steps: i64) -> Trainer {
        self.target_step = Some(steps);
        self
    }

    /// Ends after this time.
    pub fn time_limit(mut self, limit: Duration) -> Trainer {
        self.time_limit = Some(limit);
        self
    }

    /// Seeds everything random in the graph.
    pub fn seed(mut self, seed: i64) -> Trainer {
        self.seed = Some(seed);
        self
    }

    /// Compute threads of this process (default: one per processor).
    pub fn threads(mut self, threads: usize) -> Trainer {
        self.threads = threads;
        self
    }

    /// How often progress is written into the run's folder.
    pub fn report_every(mut self, time: Duration) -> Trainer {
        self.report_every = time;
        self
    }

    /// Also writes the distribution of every variable into the event files, with every checkpoint.
    pub fn histograms(mut self) -> Trainer {
        self.histograms = true;
        self
    }

    /// Records what every node of one step does and when, over all tasks, as `timeline.json` of the run's
    /// folder: for chrome://tracing or ui.perfetto.dev.
    pub fn profile_at(mut self, step: i64) -> Trainer {
        self.profile_at = Some(step);
        self
    }

    /// Code of one's own along the way.
    pub fn hook(mut self, hook: impl Hook + 'static) -> Trainer {
        self.hooks.push(Box::new(hook));
        self
    }

    /// How often a lost connection or server is waited for before the run has failed, and how long a
    /// follower waits for the chief.
    pub fn recovery(mut self, times: u32, patience: Duration) -> Trainer {
        self.recoveries = times;
        self.patience = patience;
        self
    }

    /// Lines for the report: what is trained and how.
    pub fn describe(mut self, key: &str, value: impl ToString) -> Trainer {
        self.job.insert(key.to_string(), value.to_string());
        self
    }

    /// A flag that ends the run from outside.
    pub fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    /// Ends the run, with a checkpoint, on SIGINT and SIGTERM.
    pub fn stop_on_signals(self) -> Result<Trainer> {
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            // A second signal ends the process as it always does.
            let flag = self.stop.shared();
            signal_hook::flag::register_conditional_default(signal, flag.clone())
                .and_then(|_| signal_hook::flag::register(signal, flag.clone()))
                .map_err(|e| Status::internal(format!("cannot watch for signals: {e}")))?;
        }
        Ok(self)
    }

    /// Opens the data and builds the model as [`Trainer::train`] would, and says what is wrong with them:
    /// missing files, columns the model asks for in vain, shapes that do not fit. Nothing is written.
    pub fn check(&self) -> Result<()> {
        run::check(self)
    }

    /// Runs to the end. A task of the job `ps` serves instead.
    pub fn train(mut self) -> Result<Outcome> {
        if let Some(target) = self.target_step {
            self.hooks.push(Box::new(StopAtStep(target)));
        }
        if let Some(limit) = self.time_limit {
            self.hooks.push(Box::new(StopAfter::new(limit)));
        }
        run::run(self)
    }
}
