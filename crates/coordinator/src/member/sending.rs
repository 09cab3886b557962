//! What a member sends, and when.

use std::time::Duration;

use super::held::{self, Held};
use super::{Member, MemberEvent, Phase};
use crate::message::{EndTask, Heartbeat, Lease, LeaseRequest, Leave, Request, RequestKind};

/// The longest wait before an unanswered request is repeated.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// A request on its way.
#[derive(Debug)]
pub(super) struct Outstanding {
    pub request: Request,
    pub telling: Option<Telling>,
    /// When it was first sent: an answer says that the epoch lived then or later.
    pub first_sent: Duration,
    pub repeat_at: Duration,
    pub wait: Duration,
}

/// Something that must be told.
#[derive(Clone, Debug)]
pub(super) enum Telling {
    Complete(Lease),
    GiveBack(Held),
    EndTask(EndTask),
}

impl Member {
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
