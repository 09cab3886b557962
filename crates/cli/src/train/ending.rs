//! The results of a run that is over, seen from outside: its files and what its tasks have written down, whatever
//! their exit codes say.

use std::path::Path;

use downpour::record::Run;
use downpour_formats::checkpoints::{Found, find_good};

/// The results of a run that is over.
pub struct Ending {
    /// The step at which the chief has ended training well.
    ended: Option<i64>,
    /// The newest whole checkpoint.
    checkpoint: Option<Found>,
    /// The step of the last evaluation.
    evaluated: Option<i64>,
    /// Whether the model of that step is exported.
    exported: bool,
    resume: String,
}

impl Ending {
    pub fn of(run: &Run) -> Ending {
        let chief = run.chief();
        let life = chief.and_then(|chief| chief.lives.last());
        let finished = life.and_then(|life| life.finished.as_ref());
        let ended = finished.filter(|finished| !finished.failed).map(|finished| finished.step);
        let evaluations = chief.map(|chief| chief.evaluations.as_slice()).unwrap_or_default();
        let export = |step: i64| run.folder.join("export").join(step.to_string());
        Ending {
            ended,
            checkpoint: newest(&run.folder),
            evaluated: evaluations.last().map(|evaluated| evaluated.step),
            exported: ended.is_some_and(|step| export(step).join("saved_model.pb").exists()),
            resume: run.resume_command(),
        }
    }

    fn saved(&self) -> Option<i64> {
        self.checkpoint.as_ref().and_then(|checkpoint| checkpoint.step)
    }

    /// Returns what a run that should be complete lacks, in words for people.
    fn missing(&self) -> Vec<String> {
        let Some(step) = self.ended else {
            return vec!["the end: the chief has not said that training is over".to_string()];
        };
        let before = |found: Option<i64>| found.is_none_or(|found| found < step);
        let newest = match self.saved() {
            Some(saved) => format!("the newest is of step {saved}"),
            None => "there is none".to_string(),
        };
        let mut missing = Vec::new();
        if before(self.saved()) {
            missing.push(format!("a whole checkpoint of step {step} ({newest})"));
        }
        if before(self.evaluated) {
            missing.push(format!("the evaluation of step {step}"));
        }
        if !self.exported {
            missing.push(format!("the exported model of step {step}"));
        }
        missing
    }

    pub fn is_missing_something(&self) -> bool {
        !self.missing().is_empty()
    }

    /// The last line: what is missing of a run that seems to have ended well, or what a run has saved that has not, and
    /// how to go on. Nothing if all is as it should be.
    pub fn last_line(&self, well: bool) -> Option<String> {
        let missing = self.missing();
        let resume = &self.resume;
        match (well, &self.checkpoint) {
            (true, _) if missing.is_empty() => None,
            (true, _) => Some(format!(
                "error: the run has ended without {}; `{resume}` makes up for it",
                missing.join(" and ")
            )),
            (false, Some(Found { prefix, .. })) => Some(format!(
                "not complete: the newest whole checkpoint is {prefix}; `{resume}` goes on from it"
            )),
            (false, None) => {
                Some(format!("not complete: nothing was saved; `{resume}` begins again at step 0"))
            }
        }
    }
}

/// The newest whole checkpoint of a run; none if the folder cannot be read, which is then said as missing.
fn newest(run: &Path) -> Option<Found> {
    find_good(&run.join("checkpoints")).ok()?.good
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(saved: Option<i64>, evaluated: Option<i64>, exported: bool) -> Ending {
        let found =
            |step| Found { prefix: format!("runs/x/checkpoints/ckpt-{step}"), step: Some(step) };
        Ending {
            ended: Some(1501),
            checkpoint: saved.map(found),
            evaluated,
            exported,
            resume: "downpour train --resume runs/x".to_string(),
        }
    }

    #[test]
    fn what_is_missing_is_said_with_how_to_get_it() {
        assert_eq!(ending(Some(1501), Some(1501), true).last_line(true), None);
        // Others may have trained on while the chief saved.
        assert_eq!(ending(Some(1502), Some(1501), true).last_line(true), None);
        let line = ending(Some(905), Some(900), false).last_line(true).unwrap();
        for part in
            ["of step 1501 (the newest is of step 905)", "evaluation", "exported", "--resume"]
        {
            assert!(line.contains(part), "{line}");
        }
        assert!(!line.contains('\n'), "{line}");
        let unsaid = Ending { ended: None, ..ending(Some(905), None, false) };
        assert!(unsaid.is_missing_something());
    }

    #[test]
    fn a_run_that_was_stopped_says_what_it_saved() {
        let line = ending(Some(905), None, false).last_line(false).unwrap();
        assert!(line.contains("ckpt-905"), "{line}");
        let line = ending(None, None, false).last_line(false).unwrap();
        assert!(line.contains("nothing was saved"), "{line}");
    }
}
