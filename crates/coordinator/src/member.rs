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

mod held;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use downpour_tensor::{Code, Status};

use held::Held;

use crate::message::{
    Answer, EndTask, Heartbeat, Join, Joined, Lease, LeaseAnswer, LeaseOutcome, LeaseRequest,
    Leave, Measurements, Request, RequestKind, Response, TaskAssignment,
};

/// The longest wait before an unanswered request is repeated.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Who a member is and how it behaves.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberConfig {
    /// Name, process, capacity, priority, capabilities. The process's number is random, drawn by the owner.
    pub join: Join,
    /// So many leases are fetched before they are needed.
    pub prefetch: usize,
    /// Also take units others are slow at, when nothing else is left.
    pub backups: bool,
    /// An unanswered request is repeated after so long, and less and less often.
    pub timeout: Duration,
}

impl MemberConfig {
    /// A member with one lease ahead and no room for tasks.
    pub fn new(name: impl Into<String>, process: u64) -> MemberConfig {
        MemberConfig {
            join: Join { name: name.into(), process, ..Join::default() },
            prefetch: 1,
            backups: false,
            timeout: Duration::from_millis(500),
        }
    }
}

/// Something the owner should know.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberEvent {
    /// It takes part. Update tags are (member, epoch, a sequence that starts at 1).
    Joined(Joined),
    /// Its epoch is over: drop every unit, push nothing of them. It joins again by itself.
    Fenced,
    /// Another process has its name and lives: this one should end. Nothing more is sent.
    Replaced(Status),
    /// It has left, as asked.
    Left,
    /// A unit is another's now: drop it.
    Lost(Lease),
    /// A unit that was reported complete. If not `won` its result must not be used.
    Completed {
        /// The unit.
        lease: Lease,
        /// Whether it counts.
        won: bool,
    },
    /// Every epoch of the dataset is complete.
    Finished,
    /// Somebody came or went.
    Generation(u64),
    /// All tasks this member should run now; those that are not among them should end.
    Tasks(Vec<TaskAssignment>),
    /// A request was refused; it is not repeated.
    Refused(Status),
}

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

/// A request on its way.
#[derive(Debug)]
struct Outstanding {
    request: Request,
    telling: Option<Telling>,
    /// When it was first sent: an answer says that the epoch lived then or later.
    first_sent: Duration,
    repeat_at: Duration,
    wait: Duration,
}

/// Something that must be told.
#[derive(Clone, Debug)]
enum Telling {
    Complete(Lease),
    GiveBack(Held),
    EndTask(EndTask),
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

    /// The request to send now, if there is one.
    pub fn poll(&mut self, now: Duration) -> Option<Request> {
        if let Some(outstanding) = &mut self.outstanding {
            if now < outstanding.repeat_at {
                return None;
            }
            outstanding.repeat_at = now + outstanding.wait;
            outstanding.wait = (outstanding.wait * 2).min(LONGEST_WAIT);
            return Some(outstanding.request.clone());
        }
        let (kind, telling) = self.next_request(now)?;
        let (member, epoch) = self.identity().unwrap_or((0, 0));
        let request = Request::of_member(self.next_id, member, epoch, kind);
        self.next_id += 1;
        self.outstanding = Some(Outstanding {
            request: request.clone(),
            telling,
            first_sent: now,
            repeat_at: now + self.config.timeout,
            wait: (self.config.timeout * 2).min(LONGEST_WAIT),
        });
        Some(request)
    }

    fn next_request(&mut self, now: Duration) -> Option<(RequestKind, Option<Telling>)> {
        match self.phase {
            Phase::Over => return None,
            Phase::Joining if self.leaving => {
                self.phase = Phase::Over;
                self.events.push_back(MemberEvent::Left);
                return None;
            }
            Phase::Joining => return Some((RequestKind::Join(self.config.join.clone()), None)),
            Phase::Joined { .. } => {}
        }
        if let Some(telling) = self.outbox.pop_front() {
            return Some((telling.request(), Some(telling)));
        }
        if self.leaving {
            return Some((RequestKind::Leave(Leave {}), None));
        }
        if now >= self.heartbeat_at {
            self.heartbeat_at = now + self.heartbeat_every;
            let heartbeat = Heartbeat {
                measurements: self.measurements,
                positions: self.held.values().map(Held::position).collect(),
                tasks_revision: self.tasks_revision,
            };
            return Some((RequestKind::Heartbeat(heartbeat), None));
        }
        let dataset = self.dataset?;
        let wanted = self.ready.len() < self.config.prefetch.max(1) && now >= self.lease_at;
        let lease = LeaseRequest { dataset, backup: self.config.backups };
        wanted.then_some((RequestKind::Lease(lease), None))
    }

    /// When [`poll`](Member::poll) may have something, if nothing else happens.
    pub fn next_wake(&self) -> Duration {
        if let Some(outstanding) = &self.outstanding {
            return outstanding.repeat_at;
        }
        match self.phase {
            Phase::Over => Duration::MAX,
            Phase::Joining => Duration::ZERO,
            Phase::Joined { .. } if self.leaving || !self.outbox.is_empty() => Duration::ZERO,
            Phase::Joined { .. } => {
                let wants =
                    self.dataset.is_some() && self.ready.len() < self.config.prefetch.max(1);
                if wants { self.heartbeat_at.min(self.lease_at) } else { self.heartbeat_at }
            }
        }
    }

    /// Takes an answer. Those that nobody waits for any more change nothing.
    pub fn receive(&mut self, now: Duration, response: Response) {
        let Some(outstanding) =
            self.outstanding.take_if(|waiting| waiting.request.id == response.id)
        else {
            return;
        };
        match response.result() {
            Ok(answer) => {
                self.certain_until = outstanding.first_sent + self.silence;
                self.answered(now, outstanding, answer);
            }
            Err(status) => self.refused(now, outstanding, status),
        }
    }

    fn answered(&mut self, now: Duration, outstanding: Outstanding, answer: Answer) {
        match answer {
            Answer::Joined(joined) => {
                self.phase = Phase::Joined { member: joined.member, epoch: joined.epoch };
                self.heartbeat_every = Duration::from_millis(joined.heartbeat_millis.max(1));
                self.silence = Duration::from_millis(joined.silence_millis);
                self.certain_until = outstanding.first_sent + self.silence;
                self.heartbeat_at = now + self.heartbeat_every;
                self.tasks_revision = 0;
                self.events.push_back(MemberEvent::Joined(joined));
            }
            Answer::Heartbeat(answer) => {
                for unit in answer.lost {
                    self.lose(unit);
                }
                if self.generation != answer.generation {
                    self.generation = answer.generation;
                    self.events.retain(|event| !matches!(event, MemberEvent::Generation(_)));
                    self.events.push_back(MemberEvent::Generation(answer.generation));
                }
                if self.tasks_revision != answer.tasks_revision {
                    self.tasks_revision = answer.tasks_revision;
                    self.events.retain(|event| !matches!(event, MemberEvent::Tasks(_)));
                    self.events.push_back(MemberEvent::Tasks(answer.tasks));
                }
            }
            Answer::Lease(answer) => self.leased(now, answer),
            Answer::Completed(completed) => {
                // There is room for another now.
                self.lease_at = now;
                if let Some(Telling::Complete(lease)) = outstanding.telling {
                    self.events.push_back(MemberEvent::Completed { lease, won: completed.won });
                }
            }
            Answer::Done(_) if matches!(outstanding.request.kind, Some(RequestKind::Leave(_))) => {
                self.end(MemberEvent::Left);
            }
            _ => {}
        }
    }

    fn leased(&mut self, now: Duration, answer: LeaseAnswer) {
        match (answer.outcome(), answer.lease) {
            (LeaseOutcome::Granted, Some(lease)) => {
                self.held.insert(lease.unit, Held::new(lease));
                self.ready.push_back(lease.unit);
                self.lease_at = now;
            }
            (LeaseOutcome::Finished, _) => {
                self.dataset = None;
                self.events.push_back(MemberEvent::Finished);
            }
            _ => self.lease_at = now + Duration::from_millis(answer.retry_millis.max(1)),
        }
    }

    fn refused(&mut self, now: Duration, outstanding: Outstanding, status: Status) {
        let joining = matches!(outstanding.request.kind, Some(RequestKind::Join(_)));
        match status.code() {
            // Nothing was done, or nobody knows: the same again, later.
            Code::Unavailable | Code::DeadlineExceeded => {
                let repeat_at = outstanding.repeat_at.max(now + self.config.timeout);
                self.outstanding = Some(Outstanding { repeat_at, ..outstanding });
            }
            Code::Aborted if self.leaving => self.end(MemberEvent::Left),
            Code::Aborted => {
                self.drop_everything();
                self.phase = Phase::Joining;
                if !joining {
                    self.events.push_back(MemberEvent::Fenced);
                }
            }
            Code::AlreadyExists if joining => self.end(MemberEvent::Replaced(status)),
            _ if joining => self.end(MemberEvent::Refused(status)),
            _ => {
                if matches!(outstanding.request.kind, Some(RequestKind::Lease(_))) {
                    self.dataset = None;
                }
                self.events.push_back(MemberEvent::Refused(status));
            }
        }
    }

    fn lose(&mut self, unit: u64) {
        self.ready.retain(|ready| *ready != unit);
        if let Some(held) = self.held.remove(&unit) {
            self.events.push_back(MemberEvent::Lost(held.lease));
        }
    }

    fn drop_everything(&mut self) {
        self.held.clear();
        self.ready.clear();
        self.outbox.clear();
        self.certain_until = Duration::ZERO;
    }

    fn end(&mut self, event: MemberEvent) {
        self.drop_everything();
        self.phase = Phase::Over;
        self.events.push_back(event);
    }
}

impl Telling {
    fn request(&self) -> RequestKind {
        match self {
            Telling::Complete(lease) => RequestKind::Complete(held::complete(lease)),
            Telling::GiveBack(held) => RequestKind::GiveBack(held.give_back()),
            Telling::EndTask(end) => RequestKind::EndTask(end.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
