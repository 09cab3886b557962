//! The queue: elements, and those who wait to put or take some.
//!
//! Protocol. Who comes leaves an attempt at the end of its line (enqueues and closes in one,
//! dequeues in the other) and runs the lines: the first of each line goes on as long as it can, and
//! what it changes may let the other line go on. Only the first of a line ever makes progress, so
//! nobody is overtaken. All this is under one lock; who has finished is told after it is released,
//! because that may run the rest of a step. An attempt that has to wait registers with its step's
//! cancellation, outside of the lock, and then looks again whether it still waits. So an attempt is
//! finished exactly once: by whoever takes it out of its line.

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_graph::PartialShape;
use downpour_runtime::{CancelGuard, CancellationToken, Resource};
use downpour_tensor::{DataType, Result, Status};
use parking_lot::Mutex;

use super::Tuple;
use super::store::Store;

/// What a queue's creator asked for.
#[derive(Clone, Debug)]
pub(crate) struct QueueSpec {
    pub kind: Kind,
    pub name: String,
    pub capacity: i32,
    pub dtypes: Vec<DataType>,
    /// Empty when unspecified.
    pub shapes: Vec<PartialShape>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Fifo,
    Padding,
    Shuffle { min_after_dequeue: i32, seed: i64, seed2: i64 },
    Priority,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Fifo => "FIFOQueue",
            Kind::Padding => "PaddingFIFOQueue",
            Kind::Shuffle { .. } => "RandomShuffleQueue",
            Kind::Priority => "PriorityQueue",
        }
    }

    /// The name in messages about single elements, which a padding queue treats as its base does.
    fn single_name(self) -> &'static str {
        if self == Kind::Padding { Kind::Fifo.name() } else { self.name() }
    }
}

pub(crate) struct Queue {
    pub spec: QueueSpec,
    state: Mutex<State>,
}

struct State {
    store: Store,
    closed: bool,
    enqueues: VecDeque<Attempt>,
    dequeues: VecDeque<Attempt>,
    next_id: u64,
}

type Done = Box<dyn FnOnce(Result<Vec<Tuple>>) + Send>;

struct Attempt {
    id: u64,
    action: Action,
    done: Done,
    guard: Option<CancelGuard>,
}

enum Action {
    Enqueue(VecDeque<Tuple>),
    Close,
    Dequeue { missing: usize, taken: Vec<Tuple>, many: bool, up_to: bool },
}

enum Progress {
    None,
    Some,
    Complete(Result<Vec<Tuple>>),
}

type Finished = Vec<(Attempt, Result<Vec<Tuple>>)>;

impl Resource for Queue {
    fn describe(&self) -> String {
        let state = self.state.lock();
        format!(
            "{} '{}' with {} elements",
            self.spec.kind.name(),
            self.spec.name,
            state.store.len()
        )
    }
}

impl Action {
    fn cancelled(&self) -> Status {
        Status::cancelled(match self {
            Action::Dequeue { .. } => "Dequeue operation was cancelled",
            _ => "Enqueue operation was cancelled",
        })
    }
}

impl State {
    fn line(&mut self, dequeues: bool) -> &mut VecDeque<Attempt> {
        if dequeues { &mut self.dequeues } else { &mut self.enqueues }
    }

    fn find(&mut self, id: u64) -> Option<&mut Attempt> {
        self.enqueues.iter_mut().chain(&mut self.dequeues).find(|a| a.id == id)
    }
}

impl Queue {
    pub(crate) fn new(spec: QueueSpec, store: Store) -> Queue {
        let state = State {
            store,
            closed: false,
            enqueues: VecDeque::new(),
            dequeues: VecDeque::new(),
            next_id: 0,
        };
        Queue { spec, state: Mutex::new(state) }
    }

    pub(crate) fn len(&self) -> usize {
        self.state.lock().store.len()
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.state.lock().closed
    }

    pub(crate) fn has_shapes(&self) -> bool {
        !self.spec.shapes.is_empty()
    }

    /// Puts elements, waiting for room.
    pub(crate) fn enqueue(
        self: &Arc<Queue>,
        token: &CancellationToken,
        tuples: Vec<Tuple>,
        done: impl FnOnce(Result<Vec<Tuple>>) + Send + 'static,
    ) {
        if tuples.is_empty() {
            return done(Ok(Vec::new()));
        }
        self.submit(token, Action::Enqueue(tuples.into()), Box::new(done));
    }

    /// Takes one element (`many` false) or `count` at once, waiting for them. `up_to` is content
    /// with fewer once the queue is closed.
    pub(crate) fn dequeue(
        self: &Arc<Queue>,
        token: &CancellationToken,
        count: usize,
        many: bool,
        up_to: bool,
        done: impl FnOnce(Result<Vec<Tuple>>) + Send + 'static,
    ) {
        let action = Action::Dequeue { missing: count, taken: Vec::new(), many, up_to };
        self.submit(token, action, Box::new(done));
    }

    /// Closes the queue behind the enqueues that wait, or at once, cancelling them.
    pub(crate) fn close(
        self: &Arc<Queue>,
        token: &CancellationToken,
        cancel_pending: bool,
        done: impl FnOnce(Result<Vec<Tuple>>) + Send + 'static,
    ) {
        if !cancel_pending {
            return self.submit(token, Action::Close, Box::new(done));
        }
        let finished = {
            let mut state = self.state.lock();
            state.closed = true;
            let mut finished: Finished = state
                .enqueues
                .drain(..)
                .map(|a| {
                    let e = a.action.cancelled();
                    (a, Err(e))
                })
                .collect();
            self.advance(&mut state, &mut finished);
            finished
        };
        finish(finished);
        done(Ok(Vec::new()));
    }

    fn submit(self: &Arc<Queue>, token: &CancellationToken, action: Action, done: Done) {
        if token.is_cancelled() {
            return done(Err(action.cancelled()));
        }
        let mut finished = Vec::new();
        let waiting = {
            let mut state = self.state.lock();
            let id = state.next_id;
            state.next_id += 1;
            let dequeues = matches!(action, Action::Dequeue { .. });
            state.line(dequeues).push_back(Attempt { id, action, done, guard: None });
            self.advance(&mut state, &mut finished);
            state.find(id).is_some().then_some(id)
        };
        if let Some(id) = waiting {
            let queue = self.clone();
            let guard = token.on_cancel(move || queue.cancel(id));
            let unused = match self.state.lock().find(id) {
                Some(attempt) => attempt.guard.replace(guard),
                None => Some(guard),
            };
            drop(unused);
        }
        finish(finished);
    }

    fn cancel(&self, id: u64) {
        let mut finished = Vec::new();
        {
            let mut state = self.state.lock();
            for dequeues in [false, true] {
                let line = state.line(dequeues);
                let Some(at) = line.iter().position(|a| a.id == id) else { continue };
                let Some(mut attempt) = line.remove(at) else { continue };
                if let Action::Dequeue { taken, .. } = &mut attempt.action {
                    // What a cancelled attempt had taken goes back to where others find it.
                    let taken = std::mem::take(taken);
                    state.store.restore(taken);
                }
                let error = attempt.action.cancelled();
                finished.push((attempt, Err(error)));
            }
            self.advance(&mut state, &mut finished);
        }
        finish(finished);
    }

    /// Runs both lines until neither makes progress.
    fn advance(&self, state: &mut State, finished: &mut Finished) {
        loop {
            let enqueued = self.run_line(state, false, finished);
            let dequeued = self.run_line(state, true, finished);
            if !enqueued && !dequeued {
                return;
            }
        }
    }

    fn run_line(&self, state: &mut State, dequeues: bool, finished: &mut Finished) -> bool {
        let mut progress = false;
        while let Some(mut attempt) = state.line(dequeues).pop_front() {
            match self.run(state, &mut attempt.action) {
                Progress::Complete(result) => {
                    progress = true;
                    finished.push((attempt, result));
                }
                outcome => {
                    progress |= matches!(outcome, Progress::Some);
                    state.line(dequeues).push_front(attempt);
                    break;
                }
            }
        }
        progress
    }

    fn run(&self, state: &mut State, action: &mut Action) -> Progress {
        match action {
            Action::Close if state.closed => Progress::Complete(Err(Status::cancelled(format!(
                "Queue '{}' is already closed.",
                self.spec.name
            )))),
            Action::Close => {
                state.closed = true;
                Progress::Complete(Ok(Vec::new()))
            }
            Action::Enqueue(tuples) => self.run_enqueue(state, tuples),
            Action::Dequeue { missing, taken, many, up_to } => {
                self.run_dequeue(state, missing, taken, *many, *up_to)
            }
        }
    }

    fn run_enqueue(&self, state: &mut State, tuples: &mut VecDeque<Tuple>) -> Progress {
        if state.closed {
            return Progress::Complete(Err(Status::cancelled(format!(
                "{} '{}' is closed.",
                self.spec.kind.single_name(),
                self.spec.name
            ))));
        }
        let mut progress = Progress::None;
        while state.store.len() < self.spec.capacity as usize {
            let Some(tuple) = tuples.pop_front() else { return Progress::Complete(Ok(Vec::new())) };
            if let Err(error) = state.store.push(tuple) {
                return Progress::Complete(Err(error));
            }
            progress = Progress::Some;
        }
        if tuples.is_empty() { Progress::Complete(Ok(Vec::new())) } else { progress }
    }

    fn run_dequeue(
        &self,
        state: &mut State,
        missing: &mut usize,
        taken: &mut Vec<Tuple>,
        many: bool,
        up_to: bool,
    ) -> Progress {
        let size = state.store.len();
        if state.closed && size < *missing {
            state.store.restore(std::mem::take(taken));
            let left = state.store.len();
            if !up_to || left == 0 {
                if up_to && !state.enqueues.is_empty() {
                    return Progress::Some;
                }
                let kind = self.spec.kind;
                return Progress::Complete(Err(Status::out_of_range(format!(
                    "{} '{}' is closed and has insufficient elements (requested {missing}, \
                     current size {size})",
                    if many { kind.name() } else { kind.single_name() },
                    self.spec.name
                ))));
            }
            *missing = left;
        }
        let kept = match self.spec.kind {
            Kind::Shuffle { min_after_dequeue, .. } if !state.closed => min_after_dequeue as usize,
            // Elements that come later may belong first: a batch is taken whole or not at all.
            Kind::Priority if size < *missing && !state.closed => return Progress::None,
            _ => 0,
        };
        let mut progress = Progress::None;
        while *missing > 0 && state.store.len() > kept {
            let Some(tuple) = state.store.pop() else { break };
            taken.push(tuple);
            *missing -= 1;
            progress = Progress::Some;
        }
        if *missing == 0 { Progress::Complete(Ok(std::mem::take(taken))) } else { progress }
    }
}

fn finish(finished: Finished) {
    for (attempt, result) in finished {
        drop(attempt.guard);
        (attempt.done)(result);
    }
}
