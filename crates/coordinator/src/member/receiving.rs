//! What answers mean to a member.

use std::time::Duration;

use downpour_tensor::{Code, Status};

use super::held::Held;
use super::sending::{Outstanding, Telling};
use super::{Member, MemberEvent, Phase};
use crate::message::{Answer, LeaseAnswer, LeaseOutcome, RequestKind, Response};

impl Member {
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
