//! A member's side, as a state machine: what to send when, and what an answer means.
//!
//! The owner moves messages and tells the time:
//! 1. [`poll`](Member::poll) gives the next request to send; call it again at [`next_wake`](Member::next_wake), after
//!    [`receive`](Member::receive) and after anything was asked of the member.
//! 2. [`receive`](Member::receive) takes the answers, in any order, late, twice or never.
//! 3. [`take_event`](Member::take_event) says what happened.
//!
//! There is one request on its way at a time. Without an answer it is repeated, with its id, so that it is done
//! once; the coordinator may be restarted meanwhile. ABORTED means that the epoch is over: everything held is
//! dropped, and the member joins again by itself.

mod about;
mod held;
mod receiving;
mod sending;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use downpour_tensor::Status;

pub use about::{MemberConfig, MemberEvent};
use held::Held;
use sending::{Outstanding, Telling};

use crate::message::{EndTask, Lease, Measurements};

/// Where a member is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Joining,
    Joined { member: u64, epoch: u64 },
    Over,
}

/// A member's side. See the module's text.
#[derive(Debug)]
pub struct Member {
    config: MemberConfig,
    phase: Phase,
    next_id: u64,
    outstanding: Option<Outstanding>,
    /// What must be told, in order.
    outbox: VecDeque<Telling>,
    held: BTreeMap<u64, Held>,
    /// Fetched and not taken yet.
    ready: VecDeque<u64>,
    dataset: Option<u64>,
    lease_at: Duration,
    heartbeat_at: Duration,
    heartbeat_every: Duration,
    silence: Duration,
    certain_until: Duration,
    measurements: Option<Measurements>,
    generation: u64,
    tasks_revision: u64,
    leaving: bool,
    events: VecDeque<MemberEvent>,
}

impl Member {
    /// A member that is going to join.
    pub fn new(config: MemberConfig) -> Member {
        Member {
            config,
            phase: Phase::Joining,
            next_id: 1,
            outstanding: None,
            outbox: VecDeque::new(),
            held: BTreeMap::new(),
            ready: VecDeque::new(),
            dataset: None,
            lease_at: Duration::ZERO,
            heartbeat_at: Duration::ZERO,
            heartbeat_every: Duration::from_secs(1),
            silence: Duration::ZERO,
            certain_until: Duration::ZERO,
            measurements: None,
            generation: 0,
            tasks_revision: 0,
            leaving: false,
            events: VecDeque::new(),
        }
    }

    /// Its number and epoch, if it takes part.
    pub fn identity(&self) -> Option<(u64, u64)> {
        match self.phase {
            Phase::Joined { member, epoch } => Some((member, epoch)),
            _ => None,
        }
    }

    /// Until then its epoch cannot be over, if its clock and the coordinator's run equally fast. Later it may be:
    /// a careful owner pushes nothing until an answer comes.
    pub fn certain_until(&self) -> Duration {
        self.certain_until
    }

    /// Fetches leases of this dataset from now on.
    pub fn work_on(&mut self, dataset: u64) {
        self.dataset = Some(dataset);
        self.lease_at = Duration::ZERO;
    }

    /// The next unit to work on, if one is there.
    pub fn take_lease(&mut self) -> Option<Lease> {
        let unit = self.ready.pop_front()?;
        self.held.get(&unit).map(|held| held.lease)
    }

    /// Whether a lease is this member's still: it was not lost, completed or given back, nor is it one of an epoch
    /// that is over.
    pub fn holds(&self, lease: &Lease) -> bool {
        self.held.get(&lease.unit).is_some_and(|held| held.lease.attempt == lease.attempt)
    }

    /// Everything of the unit before `position` is applied for good. Told with the next heartbeat.
    pub fn progress(&mut self, unit: u64, position: u64) {
        if let Some(held) = self.held.get_mut(&unit) {
            held.progress(position);
        }
    }

    /// Work on the unit has come to `reached`, though it may still be lost with this process.
    pub fn reached(&mut self, unit: u64, reached: u64) {
        if let Some(held) = self.held.get_mut(&unit) {
            held.reach(reached);
        }
    }

    /// The unit is done. Answered by [`MemberEvent::Completed`], or `Lost` or `Fenced` if it is not held any more.
    pub fn complete(&mut self, unit: u64) {
        self.ready.retain(|ready| *ready != unit);
        if let Some(held) = self.held.remove(&unit) {
            self.outbox.push_back(Telling::Complete(held.lease));
        }
    }

    /// The unit goes back; its rest, from the last `progress` on, is for others.
    pub fn give_back(&mut self, unit: u64) {
        self.ready.retain(|ready| *ready != unit);
        if let Some(held) = self.held.remove(&unit) {
            self.outbox.push_back(Telling::GiveBack(held));
        }
    }

    /// A task has ended, well or with an error.
    pub fn end_task(&mut self, task: u64, attempt: u32, result: Result<(), Status>) {
        let (code, message) = match result {
            Ok(()) => (0, String::new()),
            Err(status) => (status.code() as i32, status.message().into()),
        };
        self.outbox.push_back(Telling::EndTask(EndTask { task, attempt, code, message }));
    }

    /// What it measures of itself, for the next heartbeat.
    pub fn measure(&mut self, measurements: Measurements) {
        self.measurements = Some(measurements);
    }

    /// Tell what there is to tell, give everything back and leave.
    pub fn leave(&mut self) {
        self.leaving = true;
        self.dataset = None;
    }

    /// What happened.
    pub fn take_event(&mut self) -> Option<MemberEvent> {
        self.events.pop_front()
    }

    /// It has left, was replaced or refused: nothing is sent any more.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// It fetches leases, or has some that nobody has taken.
    pub fn wants_leases(&self) -> bool {
        !self.is_over() && (self.dataset.is_some() || !self.ready.is_empty())
    }
}

#[cfg(test)]
mod tests;
