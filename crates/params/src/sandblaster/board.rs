//! The work board of the first server: which evaluation is wanted, who computes which unit, what came back.
//!
//! Protocol. `state` is locked for book-keeping only. A replica has a place on the board from its first request
//! until its start takes part no longer; what the schedule gives it lies there until it reports it, so a request
//! that comes again finds the same unit. Whatever may free work or a replica calls [`Board::assign`], which wakes
//! those who were given something. Losses are kept by unit and summed in the units' order, so that the sum does
//! not depend on who was first.
//!
//! Nothing of this is in snapshots: a coordinator whose evaluation is unknown here posts it again under a new name.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_lbfgs::Schedule;
use downpour_lbfgs::units::{Answer, Unit};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::gather::MAX_UNITS;
use super::messages::{Done, Evaluation, Post, Total, WorkMessage};

/// A replica: its worker's number and start.
pub(crate) type Who = (u32, u64);

#[derive(Default)]
pub(crate) struct Board {
    state: Mutex<State>,
    /// Somebody has left, or an evaluation is complete.
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// When the schedule's time began.
    origin: Option<Instant>,
    evaluation: Evaluation,
    point: u32,
    /// Loss and weight of each unit that is done.
    done: Vec<Option<(f64, f64)>>,
    schedule: Schedule,
    places: BTreeMap<Who, Place>,
    /// Whose places they are, by the schedule's numbers.
    numbers: BTreeMap<u64, Who>,
    last_number: u64,
    ended: bool,
}

struct Place {
    number: u64,
    given: Option<(Evaluation, Unit)>,
    wake: Arc<Notify>,
}

/// What a replica gets to hear.
pub(crate) enum Taken {
    Work(WorkMessage),
    Ended,
    /// Nothing yet: wait for this, or until then.
    Wait(Arc<Notify>, Option<Instant>),
}

/// How far an evaluation is.
pub(crate) enum Progress {
    /// So many units are done.
    Going(u64),
    Complete(Total),
    /// It is not on the board.
    Unknown,
}

impl State {
    fn time(&mut self, now: Instant) -> Duration {
        now.saturating_duration_since(*self.origin.get_or_insert(now))
    }

    fn leave(&mut self, who: Who) {
        if let Some(place) = self.places.remove(&who) {
            self.numbers.remove(&place.number);
            self.schedule.leave(place.number);
            place.wake.notify_waiters();
        }
    }

    fn join(&mut self, who: Who) {
        if self.places.contains_key(&who) {
            return;
        }
        self.last_number += 1;
        let number = self.last_number;
        self.schedule.join(number);
        self.numbers.insert(number, who);
        self.places.insert(who, Place { number, given: None, wake: Arc::default() });
    }

    fn is_done(&self, unit: Unit) -> bool {
        self.done.get(unit.index).is_none_or(Option::is_some)
    }

    /// Counts a report; true if the evaluation is complete with it.
    fn report(&mut self, who: Who, report: Option<&Done>, now: Duration) -> Result<bool> {
        let current = self.evaluation;
        let Some(place) = self.places.get_mut(&who) else { return Ok(false) };
        let (number, Some((evaluation, unit))) = (place.number, place.given) else {
            return Ok(false);
        };
        let matching =
            report.filter(|done| done.evaluation == evaluation && done.unit == unit.index as u64);
        match matching {
            Some(done) => {
                place.given = None;
                let counted = self.schedule.answer(number, unit, now)?;
                if evaluation == current && matches!(counted, Answer::Counted { .. }) {
                    self.done[unit.index] = Some((done.loss, done.weight));
                    return Ok(self.schedule.is_done());
                }
            }
            // It has given up what is of no use any more; anything else it will be given again.
            None if evaluation != current || self.is_done(unit) => {
                self.schedule.release(number, unit);
                if let Some(place) = self.places.get_mut(&who) {
                    place.given = None;
                }
            }
            None => {}
        }
        Ok(false)
    }

    fn assign(&mut self, now: Duration) {
        if self.ended {
            return;
        }
        for assignment in self.schedule.assign(now) {
            let who = self.numbers.get(&assignment.replica);
            if let Some(place) = who.and_then(|who| self.places.get_mut(who)) {
                place.given = Some((self.evaluation, assignment.unit));
                place.wake.notify_waiters();
            }
        }
    }
}

impl Board {
    /// Whoever waits for changes looks again.
    pub fn wake(&self) {
        self.changed.notify_waiters();
    }

    /// The next change.
    pub fn change(&self) -> tokio::sync::futures::Notified<'_> {
        self.changed.notified()
    }

    /// Puts an evaluation up. The same again changes nothing.
    pub fn post(&self, post: &Post, now: Instant) -> Result<()> {
        if post.units == 0 || post.units > MAX_UNITS {
            return Err(Status::invalid_argument(format!(
                "an evaluation has from 1 to {MAX_UNITS} units, not {}",
                post.units
            )));
        }
        let mut state = self.state.lock();
        if post.evaluation < state.evaluation {
            return Err(Status::aborted(
                "a newer evaluation is on the board: another coordinator has taken over",
            ));
        }
        if post.evaluation == state.evaluation {
            return Ok(());
        }
        state.schedule.begin(post.units, 1)?;
        state.evaluation = post.evaluation;
        state.point = post.point;
        state.done = vec![None; post.units as usize];
        state.ended = false;
        let now = state.time(now);
        state.assign(now);
        Ok(())
    }

    /// Nothing more will come of this coordinator.
    pub fn end(&self, coordinator: u64) {
        let mut state = self.state.lock();
        if coordinator >= state.evaluation.coordinator {
            state.ended = true;
            state.places.values().for_each(|place| place.wake.notify_waiters());
        }
    }

    /// Those whose start is over make room; what is free is given out.
    pub fn assign(&self, takes_part: impl Fn(Who) -> bool, now: Instant) {
        let mut state = self.state.lock();
        let gone: Vec<Who> = state.places.keys().copied().filter(|who| !takes_part(*who)).collect();
        gone.into_iter().for_each(|who| state.leave(who));
        let now = state.time(now);
        state.assign(now);
    }

    /// Counts what a replica reports and looks for its next unit.
    pub fn take(&self, who: Who, report: Option<&Done>, now: Instant) -> Result<Taken> {
        let mut state = self.state.lock();
        let time = state.time(now);
        state.join(who);
        if state.report(who, report, time)? {
            self.changed.notify_waiters();
        }
        if state.ended {
            return Ok(Taken::Ended);
        }
        state.assign(time);
        let late =
            state.schedule.wake(time).and_then(|at| now.checked_add(at.saturating_sub(time)));
        let Some(place) = state.places.get(&who) else {
            return Err(Status::internal("a replica has no place on the board"));
        };
        let Some((evaluation, unit)) = place.given else {
            return Ok(Taken::Wait(place.wake.clone(), late));
        };
        Ok(Taken::Work(WorkMessage {
            evaluation,
            point: state.point,
            unit: unit.index as u64,
            units: state.done.len() as u64,
        }))
    }

    /// How far an evaluation is.
    pub fn progress(&self, evaluation: Evaluation) -> Progress {
        let state = self.state.lock();
        if evaluation != state.evaluation {
            return Progress::Unknown;
        }
        if !state.schedule.is_done() {
            return Progress::Going(state.schedule.progress().0 as u64);
        }
        let mut total = Total::default();
        for (loss, weight) in state.done.iter().flatten() {
            total.loss += loss;
            total.weight += weight;
        }
        Progress::Complete(total)
    }
}
