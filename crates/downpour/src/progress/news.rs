//! What is told once: evaluations, checkpoints, restarts, failures.

use std::collections::HashMap;

use crate::record::{Kind, Run, Task};
use crate::{advice, amounts};

/// A line about something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    pub text: String,
    /// Bars leave out what a line of theirs counts anyway.
    pub minor: bool,
}

/// What was told already, for each task.
#[derive(Default)]
pub struct Told {
    tasks: HashMap<String, Counts>,
    bad_loss: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Counts {
    evaluations: usize,
    checkpoints: usize,
    happenings: usize,
}

impl Told {
    /// What has happened since the last call.
    pub fn news(&mut self, run: &Run) -> Vec<News> {
        let mut news = Vec::new();
        for task in run.tasks() {
            self.of_task(run, task, &mut news);
        }
        if !self.bad_loss && run.loss().is_some_and(|loss| !loss.is_finite()) {
            self.bad_loss = true;
            news.extend(advice::bad_losses(run).map(|text| major(format!("warning: {text}"))));
        }
        news
    }

    fn of_task(&mut self, run: &Run, task: &Task, news: &mut Vec<News>) {
        let counts = self.tasks.entry(task.name.clone()).or_default();
        let happenings = task.happenings();
        let now = Counts {
            evaluations: task.evaluations.len(),
            checkpoints: task.checkpoints.len(),
            happenings: happenings.len(),
        };
        if now == *counts {
            return;
        }
        for evaluated in task.evaluations.iter().skip(counts.evaluations) {
            let value =
                |(name, value): (&String, &f64)| format!("{name} {}", amounts::figures(*value, 4));
            let metrics: Vec<String> = evaluated.metrics.iter().map(value).collect();
            news.push(major(format!(
                "step {}  evaluation: {}",
                evaluated.step,
                metrics.join("  ")
            )));
        }
        for saved in task.checkpoints.iter().skip(counts.checkpoints) {
            let (step, path, bytes) = (saved.step, &saved.path, amounts::bytes(saved.bytes));
            news.push(News {
                text: format!("step {step}  checkpoint: {path} ({bytes})"),
                minor: true,
            });
        }
        for happening in happenings.iter().skip(counts.happenings) {
            let (name, step) = (&happening.task, happening.step);
            match happening.kind {
                // A parameter server learns its step from the others.
                Kind::Restarted if step == 0 => {
                    news.push(major(format!("{name} was restarted")));
                }
                Kind::Restarted => {
                    news.push(major(format!("{name} was restarted, at step {step}")))
                }
                // The end of its only task is the end of the run, of which the last lines speak.
                Kind::Failed if run.tasks().len() > 1 => {
                    news.push(major(format!("{name} failed: {}", happening.text)));
                }
                Kind::Resumed if run.chief().is_some_and(|chief| chief.name == *name) => {
                    news.push(major(format!("going on from step {step}")));
                }
                Kind::Warned => news.push(major(format!("warning: {name}: {}", happening.text))),
                Kind::Resumed | Kind::Started | Kind::Ended | Kind::Failed => {}
            }
        }
        *counts = now;
    }
}

fn major(text: String) -> News {
    News { text, minor: false }
}
