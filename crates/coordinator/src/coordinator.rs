//! The coordinator: requests and the passing of time in, answers and records out.
//!
//! The protocol, for every request:
//! 1. Time passes first: members silent too long are gone, leases without progress come back.
//! 2. The sender's epoch is checked: one that is over changes nothing, ever.
//! 3. A request that was answered before gets the same answer.
//! 4. The request is checked as a whole, then turned into events; each changes the state at once, so that the next
//!    sees it.
//! 5. All events and the answer are stored as one record, together with those of requests that came at the same
//!    time. Only then is anything said.
//!
//! If storing fails, the state in memory is ahead of the storage and nobody may see it: from then on every answer is
//! UNAVAILABLE, and the coordinator must be opened anew.

mod leases;
mod membership;
mod planning;
mod scheduling;
mod survey;
mod tasks;

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use downpour_tensor::{Result, Status};
use prost::Message;

use crate::attendance::Attendance;
use crate::clock::Clock;
use crate::config::Config;
use crate::decision::{Decision, DecisionMemory};
use crate::event::{Answered, Entry, Event};
use crate::message::{Answer, Request, RequestKind, Response, check_request};
use crate::state::{Earlier, State};
use crate::storage::Storage;

/// Who takes part, and what each works on. See the [crate](crate)'s documentation.
///
/// `now` is the time since any moment the caller has chosen; it must not be another for each call. A time before the
/// latest one counts as the latest one.
pub struct Coordinator {
    config: Config,
    state: State,
    clock: Clock,
    storage: Box<dyn Storage>,
    term: u64,
    records: u64,
    /// What has happened and is not stored yet.
    pending: Vec<Event>,
    /// The answers that go with it.
    answered: Vec<Answered>,
    /// Set once something could not be stored.
    failed: Option<Status>,
    memory: DecisionMemory,
    decisions: VecDeque<(Duration, Decision)>,
    next_decision: Duration,
    attendance: Attendance,
}

impl Coordinator {
    /// Goes on where the last owner of the storage was, or begins. Members have the grace time to be heard again;
    /// leases begin their time anew.
    pub fn open(
        mut storage: Box<dyn Storage>,
        config: Config,
        now: Duration,
    ) -> Result<Coordinator> {
        config.check()?;
        let (term, stored) = storage.claim()?;
        let mut state = match &stored.snapshot {
            Some(snapshot) => read::<State>(snapshot, "snapshot")?,
            None => State::default(),
        };
        for record in &stored.records {
            state.replay(&read::<Entry>(record, "record")?)?;
        }
        state.check()?;
        if stored != Default::default() {
            tracing::info!(
                term,
                records = stored.records.len(),
                members = state.live().count(),
                generation = state.generation,
                "the coordinator goes on where it was"
            );
        }
        Ok(Coordinator {
            clock: Clock::restart(&state, &config, now),
            next_decision: now + config.decisions.every,
            config,
            state,
            storage,
            term,
            records: stored.records.len() as u64,
            pending: Vec::new(),
            answered: Vec::new(),
            failed: None,
            memory: DecisionMemory::default(),
            decisions: VecDeque::new(),
            attendance: Attendance::default(),
        })
    }

    /// Returns the record of connected members, which the connection handler maintains. Without a handler a join always ends
    /// the epoch of whoever had the name.
    pub fn attendance(&self) -> &Attendance {
        &self.attendance
    }

    /// Answers a request. Never panics, whatever it says.
    pub fn handle(&mut self, now: Duration, request: &Request) -> Response {
        let mut responses = self.handle_all(now, std::slice::from_ref(request));
        responses.pop().unwrap_or_default()
    }

    /// Answers several requests, in their order, and stores what they do as one record: the disk is waited for once.
    pub fn handle_all(&mut self, now: Duration, requests: &[Request]) -> Vec<Response> {
        let mut responses: Vec<Response> = requests
            .iter()
            .map(|request| Response::new(request.id, self.answer(now, request)))
            .collect();
        if let Err(status) = self.commit() {
            for response in &mut responses {
                *response = Response::new(response.id, Err(status.clone()));
            }
        }
        responses
    }

    /// Answers a request that came as bytes with bytes.
    pub fn handle_bytes(&mut self, now: Duration, request: &[u8]) -> Vec<u8> {
        let response = match Request::from_bytes(request) {
            Ok(request) => self.handle(now, &request),
            Err(status) => Response::new(0, Err(status)),
        };
        response.encode_to_vec()
    }

    /// Lets time pass. To be called at [`next_wake`](Coordinator::next_wake) or before.
    pub fn tick(&mut self, now: Duration) -> Result<()> {
        self.alive()?;
        let result = self.pass_time(now);
        self.commit()?;
        result
    }

    /// When [`tick`](Coordinator::tick) should be called next if nothing else happens.
    pub fn next_wake(&self) -> Duration {
        self.clock.due().min(self.next_decision).min(self.clock.now + self.config.silence / 2)
    }

    /// The generation of the membership: counts everybody who came or went.
    pub fn generation(&self) -> u64 {
        self.state.generation
    }

    /// Decisions since the last call, to be carried out (or not) by who starts processes. Each is in the log of the
    /// process already.
    pub fn take_decisions(&mut self) -> Vec<Decision> {
        let new = self.decisions.iter_mut().filter(|(_, decision)| !decision.taken);
        new.map(|(_, decision)| {
            decision.taken = true;
            decision.clone()
        })
        .collect()
    }

    fn answer(&mut self, now: Duration, request: &Request) -> Result<Answer> {
        self.alive()?;
        let kind = check_request(request)?;
        let passed = self.pass_time(now);
        let before = self.pending.len();
        let result = passed.and_then(|()| self.dispatch(request, kind));
        if let Ok(Dispatched::New(answer)) = &result
            && self.pending.len() > before
            && kind.is_kept()
        {
            let response = Response::new(request.id, Ok(answer.clone()));
            let answered = Answered { member: request.member, epoch: request.epoch, response };
            self.state.keep(&answered);
            self.answered.push(answered);
        }
        match result? {
            Dispatched::New(answer) => Ok(answer),
            Dispatched::Again(response) => response.result(),
        }
    }

    fn dispatch(&mut self, request: &Request, kind: &RequestKind) -> Result<Dispatched> {
        if kind.is_members() {
            let member = self.member(request.member, request.epoch)?;
            if kind.is_kept() {
                match member.answers.find(request.id) {
                    Earlier::No => {}
                    Earlier::Answered(response) => return Ok(Dispatched::Again(response.clone())),
                    Earlier::Forgotten => {
                        return Err(Status::failed_precondition(format!(
                            "request {} of member {} is older than the answers that are kept: count ids up",
                            request.id, request.member
                        )));
                    }
                }
            }
            self.clock.heard(request.member, &self.config);
        }
        let member = request.member;
        let answer = match kind {
            RequestKind::Join(join) => self.join(request.id, join)?,
            RequestKind::Heartbeat(heartbeat) => self.heartbeat(member, heartbeat)?,
            RequestKind::Lease(lease) => self.lease(member, lease)?,
            RequestKind::Complete(complete) => self.complete(member, complete)?,
            RequestKind::GiveBack(back) => self.give_back(member, back)?,
            RequestKind::Leave(_) => self.leave(member)?,
            RequestKind::ChangesSince(since) => self.changes_since(since.generation),
            RequestKind::CreateDataset(create) => self.create_dataset(create)?,
            RequestKind::SubmitTask(submit) => self.submit_task(submit)?,
            RequestKind::EndTask(end) => self.end_task(member, end)?,
            RequestKind::CancelTask(cancel) => self.cancel_task(cancel.task)?,
            RequestKind::MoveTask(to) => self.move_task(to.task, to.to)?,
            RequestKind::DropMember(drop) => self.drop_member(drop.member, drop.epoch)?,
            RequestKind::Survey(_) => self.survey(),
        };
        self.schedule()?;
        Ok(Dispatched::New(answer))
    }

    /// Steps 1 of the protocol: what happens by itself.
    fn pass_time(&mut self, now: Duration) -> Result<()> {
        let now = now.max(self.clock.now);
        let away = now - self.clock.now;
        self.clock.now = now;
        if away >= self.config.silence {
            tracing::info!(
                seconds = away.as_secs_f64(),
                "nobody could be heard meanwhile: all deadlines begin anew"
            );
            self.clock.forgive(&self.state, &self.config, now);
        }
        if self.clock.is_due() {
            self.end_silent_members()?;
            self.return_late_leases()?;
            self.clock.set_due(&self.config);
            self.schedule()?;
        }
        if now >= self.next_decision {
            self.next_decision = now + self.config.decisions.every;
            self.decide();
        }
        Ok(())
    }

    /// Makes something have happened; it is stored with the rest of the request.
    fn happen(&mut self, event: Event) -> Result<()> {
        if let Err(status) = self.state.apply(&event) {
            // A mistake of ours: the state may have changed by half.
            let status = Status::internal(format!(
                "the coordinator's state is broken: {}",
                status.message()
            ));
            self.failed = Some(status.clone());
            return Err(status);
        }
        self.pending.push(event);
        Ok(())
    }

    /// Stores what has happened.
    fn commit(&mut self) -> Result<()> {
        self.alive()?;
        if self.pending.is_empty() {
            return Ok(());
        }
        let events = std::mem::take(&mut self.pending);
        let entry = Entry { events, answered: std::mem::take(&mut self.answered) };
        let stored = serde_json::to_vec(&entry)
            .map_err(|error| Status::internal(format!("a record cannot be written down: {error}")))
            .and_then(|record| self.storage.append(self.term, &record));
        if let Err(status) = stored {
            tracing::error!(%status, "the coordinator cannot store what happened: it answers nothing any more");
            self.failed = Some(status);
            return self.alive();
        }
        self.records += 1;
        if self.records >= self.config.snapshot_every.max(1) {
            self.snapshot();
        }
        Ok(())
    }

    /// Puts a snapshot in the place of the log. If that fails the log is still good, and it is tried again later.
    fn snapshot(&mut self) {
        self.records = 0;
        let stored = serde_json::to_vec(&self.state)
            .map_err(|error| Status::internal(format!("the state cannot be written down: {error}")))
            .and_then(|snapshot| self.storage.replace(self.term, &snapshot));
        if let Err(status) = stored {
            tracing::warn!(%status, "no snapshot could be written: the coordinator's log goes on growing");
        }
    }

    fn alive(&self) -> Result<()> {
        match &self.failed {
            None => Ok(()),
            Some(status) => Err(Status::unavailable(format!(
                "the coordinator has stopped: {}",
                status.message()
            ))),
        }
    }
}

/// An answer that was found, or given before.
enum Dispatched {
    New(Answer),
    Again(Response),
}

impl RequestKind {
    /// Only a member may ask it.
    fn is_members(&self) -> bool {
        matches!(
            self,
            RequestKind::Heartbeat(_)
                | RequestKind::Lease(_)
                | RequestKind::Complete(_)
                | RequestKind::GiveBack(_)
                | RequestKind::Leave(_)
                | RequestKind::EndTask(_)
        )
    }

    /// Its answer is kept for a repetition; the others may be done twice.
    fn is_kept(&self) -> bool {
        matches!(
            self,
            RequestKind::Lease(_)
                | RequestKind::Complete(_)
                | RequestKind::GiveBack(_)
                | RequestKind::EndTask(_)
        )
    }
}

fn read<'a, T: serde::Deserialize<'a>>(bytes: &'a [u8], what: &str) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        Status::data_loss(format!(
            "a {what} of the coordinator's log cannot be read (a newer version's?): {error}"
        ))
    })
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coordinator")
            .field("term", &self.term)
            .field("generation", &self.state.generation)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
