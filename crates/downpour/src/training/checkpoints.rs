//! The chief's checkpoints: all variables at a step, written while training goes on.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use downpour_formats::checkpoints::{
    BackgroundSaver, Better, Checkpoint, CheckpointManager, CheckpointOptions, find_good, load,
    verify,
};
use downpour_tensor::{Result, Status, Tensor};

use super::program::{Program, Restore};
use crate::output::{Operation, Output};
use crate::session::{Fetch, PreparedStep, Session};
use crate::variable::Variable;

/// When checkpoints are saved and how many are kept.
#[derive(Clone, Debug)]
pub struct CheckpointPolicy {
    /// Every so many global steps.
    pub every_steps: Option<i64>,
    /// Whenever so much time has passed.
    pub every: Option<Duration>,
    /// How many of the latest stay; 0 keeps all.
    pub keep: usize,
    /// A measure whose best checkpoint stays besides, and whether lower is better.
    pub keep_best: Option<(String, bool)>,
}

impl Default for CheckpointPolicy {
    fn default() -> CheckpointPolicy {
        let every = Some(Duration::from_secs(600));
        CheckpointPolicy { every_steps: None, every, keep: 5, keep_best: None }
    }
}

impl CheckpointPolicy {
    fn options(&self) -> CheckpointOptions {
        let lower = self.keep_best.as_ref().is_some_and(|(_, lower)| *lower);
        CheckpointOptions {
            keep_last: self.keep,
            keep_best: usize::from(self.keep_best.is_some()),
            better: if lower { Better::Lower } else { Better::Higher },
            ..CheckpointOptions::default()
        }
    }
}

/// Saves values that were kept of a lost session, unless a checkpoint of their step or a later one is there; the step.
pub(crate) fn save_kept(
    folder: &Path,
    policy: &CheckpointPolicy,
    global_step: &Variable,
    values: &[(String, Tensor)],
) -> Result<i64> {
    let step = values.iter().find(|(name, _)| name == global_step.name());
    let step = step.ok_or_else(|| Status::internal("values without a global step"))?;
    let step = step.1.to_scalar::<i64>()?;
    let mut manager = CheckpointManager::open(folder, policy.options())?;
    if manager.newest().is_none_or(|(newest, prefix)| newest < step || verify(&prefix).is_err()) {
        let tensors = values.iter().cloned().collect();
        manager.save(&Checkpoint { step, tensors, ..Checkpoint::default() })?;
    }
    Ok(step)
}

/// Saves in the background.
pub(crate) struct Saver {
    read: PreparedStep,
    names: Vec<String>,
    step_at: usize,
    policy: CheckpointPolicy,
    writer: BackgroundSaver,
    /// The newest in the folder when this was made, which may be of an earlier session or process.
    found: Option<(i64, String)>,
    /// Whether the run ends with that one.
    is_found_last: bool,
    /// The step of the last one that was handed to the writer.
    handed: Option<i64>,
    /// Where the next period of steps begins.
    last_step: i64,
    last_time: Instant,
    begun: Option<Instant>,
    reported: Option<i64>,
}

impl Saver {
    pub fn new(
        session: &Session,
        program: &Program,
        folder: &Path,
        policy: &CheckpointPolicy,
        step: i64,
    ) -> Result<Saver> {
        let variables = program.graph.variables();
        let values: Vec<Output> = variables.iter().map(|variable| variable.value()).collect();
        let fetches: Vec<&dyn Fetch> = values.iter().map(|value| value as &dyn Fetch).collect();
        let step_at = variables.iter().position(|v| *v == program.global_step);
        let manager = CheckpointManager::open(folder, policy.options())?;
        Ok(Saver {
            found: manager.newest(),
            is_found_last: false,
            handed: None,
            read: session.prepare(&[], &fetches)?,
            names: variables.iter().map(|v| v.name().to_string()).collect(),
            step_at: step_at.ok_or_else(|| Status::internal("the graph has no global step"))?,
            policy: policy.clone(),
            writer: BackgroundSaver::new(manager)?,
            last_step: step,
            last_time: Instant::now(),
            begun: None,
            reported: None,
        })
    }

    /// True if it is time for the next one.
    pub fn is_due(&self, step: i64) -> bool {
        let by_steps = self.policy.every_steps.is_some_and(|every| step - self.last_step >= every);
        by_steps || self.policy.every.is_some_and(|every| self.last_time.elapsed() >= every)
    }

    /// The global step of the last one that was handed to the writer, or at which the session began.
    pub fn last_step(&self) -> i64 {
        self.last_step
    }

    /// The step of the last one that was handed to the writer.
    pub fn handed(&self) -> Option<i64> {
        self.handed
    }

    /// True if a checkpoint of this step, or of a later one, is written or being written. One of an earlier session
    /// counts only if it is whole.
    pub fn has(&self, step: i64) -> bool {
        let found = self.found.as_ref().filter(|(found, _)| *found >= step);
        self.handed.is_some_and(|handed| handed >= step)
            || found.is_some_and(|(_, prefix)| verify(prefix).is_ok())
    }

    /// The step of the newest checkpoint on disk, as far as this process knows.
    pub fn newest(&self) -> Option<i64> {
        let written = self.writer.last_saved().map(|saved| saved.step);
        written.max(self.found.as_ref().map(|(step, _)| *step))
    }

    /// Returns the error of a checkpoint that could not be written, once.
    pub fn check(&self) -> Result<()> {
        self.writer.check()
    }

    /// Reads all variables and hands them to the writer; an error may be of the one before.
    pub fn save(&mut self, metrics: Option<&BTreeMap<String, f64>>) -> Result<()> {
        let values = self.read.run(Vec::new())?;
        let step = values[self.step_at].to_scalar::<i64>()?;
        let watched = self.policy.keep_best.as_ref().map(|(name, _)| name);
        let metric = watched.and_then(|name| metrics?.get(name).copied());
        let tensors = self.names.iter().cloned().zip(values).collect();
        let checkpoint = Checkpoint { step, tensors, metric, ..Checkpoint::default() };
        (self.last_step, self.handed) = (step, Some(step));
        self.last_time = Instant::now();
        self.begun = Some(self.last_time);
        self.writer.save(checkpoint).map(drop)
    }

    /// Makes the checkpoint that was there at the start the last of this run. It is reported like one that was written
    /// now, since the process that wrote it may have died before it could report it.
    pub fn keep_found(&mut self) {
        self.is_found_last = self.handed.is_none();
    }

    /// Returns the prefix and step of the latest that was written and not yet reported, with how long that took at
    /// most.
    pub fn news(&mut self) -> Option<(String, i64, f64)> {
        let written = self.writer.last_saved().map(|saved| (saved.prefix, saved.step));
        let found = || self.found.as_ref().filter(|_| self.is_found_last);
        let (prefix, step) = written.or_else(|| found().map(|(step, p)| (p.clone(), *step)))?;
        if self.reported == Some(step) {
            return None;
        }
        self.reported = Some(step);
        let seconds = self.begun.map_or(0.0, |begun| begun.elapsed().as_secs_f64());
        Some((prefix, step, seconds))
    }

    /// Waits for what is being written.
    pub fn finish(&self) -> Result<()> {
        self.writer.wait()
    }
}

/// The step of the newest whole checkpoint of a folder.
pub(crate) fn newest_whole(folder: &Path) -> Result<Option<i64>> {
    Ok(find_good(folder)?.good.and_then(|found| found.step))
}

/// What a restored run goes on with.
pub(crate) struct Restored {
    pub step: i64,
    pub prefix: String,
}

/// Gives variables the values of the newest checkpoint that is whole; `None` if the folder has none at all. Damaged
/// ones are named in `say`.
///
/// # Errors
/// DATA_LOSS with the name of each if all checkpoints are damaged.
pub(crate) fn restore(
    session: &Session,
    program: &Program,
    folder: &Path,
    say: &mut dyn FnMut(String),
) -> Result<Option<Restored>> {
    let search = find_good(folder)?;
    if let Some(good) = &search.good {
        for damaged in &search.damaged {
            say(format!(
                "the checkpoint {} is damaged ({}); {} is used instead",
                damaged.checkpoint,
                damaged.error.message(),
                good.prefix
            ));
        }
    }
    let Some(found) = search.usable().map_err(|e| advised(e, folder))? else { return Ok(None) };
    let mut checkpoint = load(&found.prefix)?;
    // In one step and nothing twice: followers look whether every variable has a value, and must not see first
    // values that are about to be replaced.
    let may_be_new: Vec<&Variable> =
        program.positions.iter().chain(&program.update.scale).collect();
    let fresh: Vec<Operation> = may_be_new.iter().map(|variable| variable.initializer()).collect();
    let mut feeds: Vec<(&Output, Tensor)> = Vec::new();
    let mut targets: Vec<&dyn Fetch> = Vec::new();
    for Restore { variable, value, assign } in &program.restore {
        let new = may_be_new.iter().position(|v| *v == variable);
        match (checkpoint.tensors.remove(variable.name()), new) {
            (Some(tensor), _) => {
                fits(&tensor, variable, &found.prefix)?;
                feeds.push((value, tensor));
                targets.push(assign);
            }
            // The position of a worker that is new, or the loss scale of a run that went without.
            (None, Some(new)) => targets.push(&fresh[new]),
            (None, None) => {
                return Err(Status::not_found(format!(
                    "the checkpoint {} has no variable '{}': it is of another model. Start a new run in another \
                     folder, or go back to the model that was trained here.",
                    found.prefix,
                    variable.name()
                )));
            }
        }
    }
    session.run(&feeds, &targets)?;
    Ok(Some(Restored { step: checkpoint.step, prefix: found.prefix }))
}

/// What to do when every checkpoint is damaged.
fn advised(error: Status, folder: &Path) -> Status {
    let advice = format!(
        "hint: put back a copy of one of them; or begin anew at step 0 with `downpour train --resume --discard-damaged`, \
         which moves {} aside",
        folder.display()
    );
    Status::new(error.code(), format!("{}\n{advice}", error.message()))
}

fn fits(tensor: &Tensor, variable: &Variable, prefix: &str) -> Result<()> {
    if tensor.dtype() == variable.dtype() && tensor.shape() == variable.shape() {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "the variable '{}' is {} of shape {} in the checkpoint {prefix}, but {} of shape {} in the model: it is \
         of another model. Start a new run in another folder, or go back to the model that was trained here.",
        variable.name(),
        tensor.dtype(),
        tensor.shape(),
        variable.dtype(),
        variable.shape()
    )))
}
