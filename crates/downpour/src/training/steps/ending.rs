//! The end of training: the final values are saved, measured and exported by the chief, whenever it learns that the
//! last step was reached, and a run that is told to stop ends soon.

use downpour_formats::saved_model::MODEL_FILE;
use downpour_tensor::{Code, Result, Status};

use super::{Parts, Steps, no_values};
use crate::training::checkpoints::Saver;
use crate::training::export::{export, values_of};
use crate::training::run::is_loss;
use crate::training::stopping::Stopping;
use crate::training::strategy::Strategy;
use crate::training::trainer::Outcome;

impl Steps {
    /// Ends training at `step`. What was saved or measured at an earlier step, or in an earlier session, does not
    /// count: another worker may have taken the last step.
    ///
    /// # Errors
    /// If training was told to stop and the final values cannot be had, with what is saved.
    pub(super) fn end(
        &mut self,
        parts: &mut Parts<'_>,
        step: i64,
        reason: String,
    ) -> Result<Outcome> {
        self.at = step;
        let ended = self.end_at(parts, step, reason);
        ended.map_err(|status| match parts.run.stopping.is_set() && is_wait(&status) {
            true => self.unsaved(parts, "its values could not be had", &status),
            false => status,
        })
    }

    fn end_at(&mut self, parts: &mut Parts<'_>, step: i64, reason: String) -> Result<Outcome> {
        let stopped = parts.run.stopping.is_set();
        if parts.saver.is_some() {
            hand_over(parts)?;
        }
        if stopped {
            parts.run.stopping.last_values();
        }
        let mut step = step;
        // First what would be lost, unless the checkpoint is to tell how good it is.
        if stopped || parts.run.trainer.checkpoints.keep_best.is_none() {
            step = self.save_last(parts, step)?;
        }
        if parts.evaluator.is_some() && self.evaluated != Some(step) {
            match self.evaluate(parts, step, Stopping::is_over) {
                Err(status) if stopped && status.code() == Code::Cancelled => {
                    tracing::warn!("step {step} is not evaluated: {}", status.message());
                }
                other => drop(other?),
            }
        }
        let step = self.save_last(parts, step)?;
        self.report(parts, step, true)?;
        if parts.saver.is_some() {
            self.export(parts, step)?;
        }
        for hook in &mut parts.run.trainer.hooks {
            hook.ended(parts.session, step)?;
        }
        Ok(self.outcome(step, reason))
    }

    /// How training has ended here.
    pub fn outcome(&self, step: i64, reason: String) -> Outcome {
        Outcome {
            step,
            loss: self.last_loss,
            evaluation: self.evaluation.clone(),
            reason,
            steps: self.steps,
            examples: self.examples,
        }
    }

    /// Ends training after an error. A run that was told to stop while others did not answer still saves what can
    /// be had of them; any other error is returned.
    pub(super) fn end_interrupted(
        &mut self,
        parts: &mut Parts<'_>,
        status: Status,
    ) -> Result<Outcome> {
        if !parts.run.stopping.is_set() || !is_wait(&status) {
            return Err(status);
        }
        tracing::warn!("told to stop in the middle of a step: {}", status.message());
        if matches!(parts.run.trainer.strategy, Strategy::ModelParallel(_)) {
            // Some parts of the model may have this step's update and others not.
            return Err(self.unsaved(parts, "the step under way was not complete", &status));
        }
        if let Some(exchange) = &mut parts.exchange {
            exchange.abandon();
        }
        self.end(parts, self.at, "stopped by a signal".to_string())
    }

    /// What is said when a run was stopped without a last checkpoint.
    fn unsaved(&self, parts: &Parts<'_>, why: &str, status: &Status) -> Status {
        let saved = parts.saver.as_ref().and_then(Saver::newest);
        let newest = match saved {
            Some(step) => format!("the newest checkpoint is of step {step}"),
            None => "there is no checkpoint".to_string(),
        };
        let text = status.message();
        Status::new(
            status.code(),
            format!(
                "stopped by a signal at step {}, which is not saved: {why} ({text}); {newest}",
                self.at
            ),
        )
    }

    /// Saves the final values unless that has happened, and waits until they are on disk; the step they are of. That is
    /// an earlier one than `step` if the servers did not use the last gradients that were handed to them.
    fn save_last(&mut self, parts: &mut Parts<'_>, step: i64) -> Result<i64> {
        match &mut parts.saver {
            Some(saver) if saver.has(step) => saver.keep_found(),
            Some(_) => self.save(parts)?,
            None => {}
        }
        let Some(saver) = &parts.saver else { return Ok(step) };
        saver.finish()?;
        Ok(saver.handed().map_or(step, |saved| saved.min(step)))
    }

    /// The model for its users, under its step as serving systems number versions.
    fn export(&mut self, parts: &Parts<'_>, step: i64) -> Result<()> {
        let Some(folder) = &parts.run.trainer.folder else { return Ok(()) };
        let folder = folder.join("export").join(step.to_string());
        // It is written last: a folder without it is of an export that was interrupted.
        if folder.join(MODEL_FILE).exists() {
            return Ok(());
        }
        let values = |names: &[String]| values_of(parts.session, &parts.run.program.graph, names);
        let model = &*parts.run.trainer.model;
        export(model, &parts.run.schema, values, &folder).map(drop)
    }
}

/// Hands over gradients that were only added up so far: the step that was reached counts them. A run that was told to
/// stop does not wait for others who do not answer.
fn hand_over(parts: &mut Parts<'_>) -> Result<()> {
    let Some(exchange) = &mut parts.exchange else { return Ok(()) };
    match exchange.flush(&parts.run.local(parts.session, &no_values)) {
        Err(status) if parts.run.stopping.is_set() && is_wait(&status) => {
            tracing::warn!("the last gradients are not handed over: {}", status.message());
            exchange.abandon();
            Ok(())
        }
        other => other,
    }
}

/// True for the error of a wait that was ended, or whose other side is gone.
fn is_wait(status: &Status) -> bool {
    is_loss(status) || status.code() == Code::Cancelled
}
