//! A step that is fed and fetched in several calls.
//!
//! Protocol. `slots` holds what the executor has produced, `waiting` the calls that need some of it. The
//! executor's watch and its completion both take the one lock, move what is complete out, and answer
//! outside of it; so every call is answered exactly once.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use super::prepared::{Prepared, Signature};
use super::{RunRequest, Session, StepOptions};
use crate::executor::{Run, RunOptions};
use crate::value::Value;

pub struct PartialRun {
    prepared: Arc<Prepared>,
    run: Arc<Run>,
    fetches: HashMap<String, usize>,
    targets: Vec<String>,
    state: Arc<Mutex<State>>,
}

type Answer = Box<dyn FnOnce(Result<Vec<Tensor>>) + Send>;

#[derive(Default)]
struct State {
    produced: HashMap<usize, Tensor>,
    fed: Vec<bool>,
    fetched: Vec<bool>,
    waiting: Vec<Waiting>,
    ended: Option<Result<()>>,
}

struct Waiting {
    wants: Vec<usize>,
    /// Also wait for the whole step (a target, or the last call).
    whole: bool,
    answer: Answer,
}

impl Session {
    /// Starts a step whose feeds and fetches are named now and come later.
    pub fn partial_run_setup(
        &self,
        feeds: Vec<String>,
        fetches: Vec<String>,
        targets: Vec<String>,
    ) -> Result<PartialRun> {
        let signature = Signature { feeds, fetches: fetches.clone(), targets: targets.clone() };
        let prepared = self.prepare(signature)?;
        let step = self.new_step(&StepOptions::default())?;
        self.running.lock().insert(step.id(), step.cancellation().clone());
        let state = Arc::new(Mutex::new(State {
            fed: vec![false; prepared.plan.args()],
            fetched: vec![false; fetches.len()],
            ..State::default()
        }));
        let options = RunOptions { inter_op: self.options.inter_op, cancel_on_error: true };
        let watched = state.clone();
        let watch = move |index: usize, value: Result<Tensor>| {
            if let Ok(tensor) = value {
                settle(&watched, |state| drop(state.produced.insert(index, tensor)));
            }
        };
        let completed = state.clone();
        let (running, id) = (self.running.clone(), step.id());
        let done = Box::new(move |result: Result<Vec<Tensor>>| {
            running.lock().remove(&id);
            settle(&completed, |state| state.ended = Some(result.map(drop)));
        });
        let run = Run::start_partial(&prepared.plan, &step, options, watch, done);
        let fetches = fetches.into_iter().enumerate().map(|(i, name)| (name, i)).collect();
        Ok(PartialRun { prepared, run, fetches, targets, state })
    }
}

impl PartialRun {
    /// Feeds some values and answers with some fetches, once they exist.
    pub fn run(
        &self,
        request: RunRequest,
        answer: impl FnOnce(Result<Vec<Tensor>>) + Send + 'static,
    ) {
        match self.begin(request) {
            Err(status) => answer(Err(status)),
            Ok((feeds, wants, whole)) => {
                let waiting = Waiting { wants, whole, answer: Box::new(answer) };
                settle(&self.state, |state| state.waiting.push(waiting));
                for (index, tensor) in feeds {
                    if let Err(status) = self.run.feed(index, Value::Tensor(tensor)) {
                        self.run.abandon(status);
                    }
                }
            }
        }
    }

    /// Checks a call against the setup and marks what it uses.
    #[allow(clippy::type_complexity, reason = "a local triple, taken apart by the only caller")]
    fn begin(&self, request: RunRequest) -> Result<(Vec<(usize, Tensor)>, Vec<usize>, bool)> {
        let mut state = self.state.lock();
        let mut feeds = Vec::new();
        for (name, tensor) in request.feeds {
            let index = self.prepared.feed_index(&name).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "The feed {name} was not specified in partial_run_setup."
                ))
            })?;
            if state.fed[index] {
                return Err(Status::invalid_argument(format!(
                    "The feed {name} has already been fed."
                )));
            }
            if tensor.dtype() != self.prepared.feed_dtype(index) {
                return Err(Status::invalid_argument(format!(
                    "Tensor {name} is fed a {} tensor but is of type {}",
                    tensor.dtype(),
                    self.prepared.feed_dtype(index)
                )));
            }
            feeds.push((index, tensor));
        }
        let mut wants = Vec::new();
        for name in &request.fetches {
            let index = self.fetches.get(name).copied().ok_or_else(|| {
                Status::invalid_argument(format!(
                    "The fetch {name} was not specified in partial_run_setup."
                ))
            })?;
            if state.fetched[index] {
                return Err(Status::invalid_argument(format!(
                    "The fetch {name} has already been fetched."
                )));
            }
            wants.push(index);
        }
        for name in &request.targets {
            if !self.targets.contains(name) {
                return Err(Status::invalid_argument(format!(
                    "The target {name} was not specified in partial_run_setup."
                )));
            }
        }
        feeds.iter().for_each(|(i, _)| state.fed[*i] = true);
        wants.iter().for_each(|i| state.fetched[*i] = true);
        Ok((feeds, wants, !request.targets.is_empty()))
    }

    /// True when everything was fed and fetched: the step ends by itself.
    pub fn is_complete(&self) -> bool {
        let state = self.state.lock();
        state.fed.iter().all(|f| *f) && state.fetched.iter().all(|f| *f)
    }
}

impl Drop for PartialRun {
    fn drop(&mut self) {
        if self.state.lock().ended.is_none() {
            self.run.abandon(Status::cancelled("the partial run was abandoned"));
        }
    }
}

/// Changes the state and answers every call that can be answered now.
fn settle(state: &Mutex<State>, change: impl FnOnce(&mut State)) {
    let answers = {
        let mut state = state.lock();
        change(&mut state);
        let mut answers: Vec<(Answer, Result<Vec<Tensor>>)> = Vec::new();
        let mut still = Vec::new();
        for waiting in std::mem::take(&mut state.waiting) {
            let values: Option<Vec<Tensor>> =
                waiting.wants.iter().map(|i| state.produced.get(i).cloned()).collect();
            match (&state.ended, values) {
                (Some(Err(status)), _) => answers.push((waiting.answer, Err(status.clone()))),
                (Some(Ok(())), Some(values)) => answers.push((waiting.answer, Ok(values))),
                (Some(Ok(())), None) => answers.push((
                    waiting.answer,
                    Err(Status::invalid_argument("a fetched value was never produced")),
                )),
                (None, Some(values)) if !waiting.whole => {
                    answers.push((waiting.answer, Ok(values)))
                }
                (None, _) => still.push(waiting),
            }
        }
        state.waiting = still;
        answers
    };
    answers.into_iter().for_each(|(answer, result)| answer(result));
}
