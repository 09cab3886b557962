//! Who takes part, and which update of each was the last: what makes an update happen once.
//!
//! A worker's updates are numbered from 1 in each of its incarnations, and it sends the next only when the
//! one before was answered. So the last number is all there is to remember.
//!
//! A server that comes back from a snapshot has lost updates it had answered. It gets to know how many from
//! the workers: they count the used updates they were answered, over all their incarnations, and say the
//! count with every update and when they join or leave.

use std::collections::BTreeMap;
use std::time::Duration;

use downpour_tensor::{Result, Status};
use tokio::time::Instant;

use crate::incarnation::{FURTHEST, number, numbered, token};
use crate::member::{Member, Receipt, Tag};
use crate::message::Join;

/// The furthest that an update's number may be beyond the last one here. A server that comes back from a snapshot has lost
/// some; with more than these its worker joins anew. Whoever could give the last number would have all others taken for
/// repetitions.
const FURTHEST_UPDATE: u64 = 1 << 20;

/// Whether an update is to be applied.
pub(crate) enum Turn {
    /// Yes.
    Begin,
    /// It was.
    Repeated(Receipt),
    /// It, or one before it, is being applied.
    Busy,
}

/// The outcome of a join.
pub(crate) enum Joining {
    /// It takes part.
    Joined(Place),
    /// Not while an update of its earlier start is being applied, or while that start lives.
    NotYet,
    /// This server knows a start with this number, which is not smaller.
    Behind(u32),
}

/// What a worker gets to know when it joins.
pub(crate) struct Place {
    pub incarnation: u64,
    pub sequence: u64,
    pub clock: u64,
    pub used: u64,
    /// Updates this server had and lost.
    pub lost: u64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub members: BTreeMap<u32, Member>,
    /// What `slowest` found, until it may have changed: with a thousand workers each of them asks a thousand times
    /// in a step.
    slowest: Option<u64>,
}

impl Ledger {
    /// A worker takes part. `lives` tells of an incarnation whether it has a connection.
    pub fn join(
        &mut self,
        join: &Join,
        lives: impl Fn(u64) -> bool,
        now: Instant,
    ) -> Result<Joining> {
        let Join { worker, again, used, replaces, .. } = *join;
        let incarnation = self.numbered(join)?;
        self.slowest = None;
        let others = self.members.iter().filter(|(id, m)| **id != worker && !m.gone);
        let clock = others.map(|(_, member)| member.clock).min();
        match self.members.get_mut(&worker) {
            Some(known) if known.incarnation == incarnation && !known.gone => {
                if known.sequence > 0 && !again {
                    return Err(over(worker, "another process has the same incarnation"));
                }
                known.seen = now;
            }
            Some(known) if number(known.incarnation) >= number(incarnation) => {
                // A worker numbered by another server gets a larger number; one that took part here is out.
                return match again || known.incarnation == incarnation {
                    true => Err(known.over(worker)),
                    false => Ok(Joining::Behind(number(known.incarnation))),
                };
            }
            Some(known) if known.busy => return Ok(Joining::NotYet),
            Some(known)
                if !known.gone && known.incarnation != replaces && lives(known.incarnation) =>
            {
                return Ok(Joining::NotYet);
            }
            Some(known) => *known = known.next(incarnation, clock.unwrap_or(known.clock), now),
            None => {
                let member = Member::new(incarnation, clock.unwrap_or(0), now);
                self.members.insert(worker, member);
            }
        }
        let Some(member) = self.members.get_mut(&worker) else { return Ok(Joining::NotYet) };
        let lost = member.learn(used);
        let Member { sequence, clock, used, .. } = *member;
        Ok(Joining::Joined(Place { incarnation, sequence, clock, used, lost }))
    }

    /// The incarnation of a join: its own, or one with the next number if it has none.
    fn numbered(&self, join: &Join) -> Result<u64> {
        let known = self.members.get(&join.worker);
        let last = known.map_or(0, |known| number(known.incarnation));
        let asked = number(join.incarnation).max(join.above);
        if asked > last.saturating_add(FURTHEST) {
            return Err(Status::invalid_argument(format!(
                "a join as start {asked} of worker {}, whose last start known here is {last}: servers number starts one after the other",
                join.worker
            )));
        }
        if number(join.incarnation) > 0 {
            return Ok(join.incarnation);
        }
        let same = |known: &&Member| {
            let own = token(known.incarnation) == token(join.incarnation);
            own && !known.gone && number(known.incarnation) > join.above
        };
        if let Some(known) = known.filter(same) {
            return Ok(known.incarnation);
        }
        match last.max(join.above).checked_add(1) {
            Some(next) => Ok(numbered(next, token(join.incarnation))),
            None => Err(Status::resource_exhausted(format!(
                "worker {} has had as many starts as can be numbered",
                join.worker
            ))),
        }
    }

    /// A sign of life.
    pub fn seen(&mut self, worker: u32, incarnation: u64, now: Instant) -> Result<&mut Member> {
        match self.members.get_mut(&worker) {
            Some(known) if known.incarnation == incarnation && !known.gone => {
                known.seen = now;
                Ok(known)
            }
            Some(known) if known.incarnation >= incarnation => Err(known.over(worker)),
            _ => Err(over(worker, "this server does not know it")),
        }
    }

    pub fn begin(&mut self, tag: Tag, now: Instant) -> Result<Turn> {
        if tag.sequence == 0 {
            return Err(Status::invalid_argument("updates are numbered from 1"));
        }
        let member = self.seen(tag.worker, tag.incarnation, now)?;
        if member.busy {
            return Ok(Turn::Busy);
        }
        if tag.sequence == member.sequence {
            return Ok(Turn::Repeated(member.receipt));
        }
        // Nobody waits for an answer to one before the last. A worker that does would take its update for applied.
        let furthest = member.sequence.saturating_add(FURTHEST_UPDATE);
        if tag.sequence < member.sequence || tag.sequence > furthest {
            let why = format!("update {} came after update {}", tag.sequence, member.sequence);
            return Err(over(tag.worker, &why));
        }
        member.busy = true;
        Ok(Turn::Begin)
    }

    /// The update was applied, or dropped for good. How many before it were lost.
    pub fn finish(&mut self, tag: Tag, clock: u64, used: u64, receipt: Receipt) -> u64 {
        let Some(member) = self.members.get_mut(&tag.worker) else { return 0 };
        let lost = member.learn(used);
        member.busy = false;
        member.sequence = tag.sequence;
        member.used += u64::from(receipt.used);
        member.receipt = receipt;
        self.advance(tag.worker, clock.saturating_add(1));
        lost
    }

    /// A worker has handed in so many steps, or more; how many.
    pub fn advance(&mut self, worker: u32, clock: u64) -> u64 {
        let Some(member) = self.members.get_mut(&worker) else { return clock };
        if member.clock < clock {
            if Some(member.clock) == self.slowest {
                self.slowest = None;
            }
            member.clock = clock;
        }
        member.clock
    }

    /// The update could not be applied.
    pub fn abandon(&mut self, tag: Tag) {
        if let Some(member) = self.members.get_mut(&tag.worker) {
            member.busy = false;
        }
    }

    /// A worker takes part no longer. How many of its updates were lost. Who is not known cannot leave: others
    /// would wait for it, as it has never come.
    pub fn leave(&mut self, worker: u32, incarnation: u64, used: u64) -> Result<u64> {
        self.slowest = None;
        match self.members.get_mut(&worker) {
            Some(known) if known.incarnation == incarnation => {
                known.gone = true;
                Ok(known.learn(used))
            }
            Some(known) if known.incarnation > incarnation => Ok(0),
            _ => Err(over(worker, "this server does not know it")),
        }
    }

    /// Those who have said nothing for so long are out.
    pub fn expire(&mut self, now: Instant, silence: Duration) -> Vec<u32> {
        self.slowest = None;
        let mut lost = Vec::new();
        for (worker, member) in &mut self.members {
            if !member.gone && !member.busy && now.duration_since(member.seen) > silence {
                member.gone = true;
                lost.push(*worker);
            }
        }
        lost
    }

    /// Everybody's silence begins anew.
    pub fn forgive(&mut self, now: Instant) {
        self.members.values_mut().for_each(|member| member.seen = now);
    }

    /// How many gradients a step can get: those that are there, and of all who may still bring one.
    pub fn possible(&self, workers: u32) -> u32 {
        let there = self.members.values().filter(|m| !m.gone || m.pending.is_some()).count();
        there as u32 + workers.saturating_sub(self.members.len() as u32)
    }

    /// What was in the sums is in the values.
    pub fn settle(&mut self) {
        self.members.values_mut().for_each(|member| member.pending = None);
    }

    /// The fewest steps anybody has handed in; who has not come yet has none.
    pub fn slowest(&mut self, workers: u32) -> u64 {
        if (self.members.len() as u32) < workers {
            return 0;
        }
        if let Some(slowest) = self.slowest {
            return slowest;
        }
        let clocks = self.members.values().filter(|m| !m.gone).map(|m| m.clock);
        *self.slowest.insert(clocks.min().unwrap_or(0))
    }
}

pub(crate) fn over(worker: u32, why: &str) -> Status {
    Status::aborted(format!(
        "the time of this start of worker {worker} is over ({why}): join again"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(start: u32, sequence: u64) -> Tag {
        Tag { worker: 1, incarnation: numbered(start, 0), sequence }
    }

    fn join(ledger: &mut Ledger, start: u32, used: u64, now: Instant) -> Option<Place> {
        joins(ledger, 1, start, Join { used, ..Join::default() }, now).unwrap()
    }

    /// Nobody has a connection.
    fn joins(
        ledger: &mut Ledger,
        worker: u32,
        start: u32,
        join: Join,
        now: Instant,
    ) -> Result<Option<Place>> {
        let join = Join { worker, incarnation: numbered(start, 0), ..join };
        Ok(match ledger.join(&join, |_| false, now)? {
            Joining::Joined(place) => Some(place),
            _ => None,
        })
    }

    fn again() -> Join {
        Join { again: true, ..Join::default() }
    }

    #[tokio::test]
    async fn an_update_happens_once() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        assert!(ledger.begin(tag(5, 1), now).is_err());
        assert_eq!(join(&mut ledger, 5, 0, now).unwrap().sequence, 0);
        assert!(matches!(ledger.begin(tag(5, 1), now).unwrap(), Turn::Begin));
        assert!(matches!(ledger.begin(tag(5, 1), now).unwrap(), Turn::Busy));
        // Its next start has to wait for what is being applied: it must see where that leaves it.
        assert!(join(&mut ledger, 6, 0, now).is_none());
        ledger.finish(tag(5, 1), 0, 0, Receipt { version: 7, used: true, ..Receipt::default() });
        let Turn::Repeated(receipt) = ledger.begin(tag(5, 1), now).unwrap() else {
            panic!("again")
        };
        assert_eq!(receipt.version, 7);
        assert!(matches!(ledger.begin(tag(5, 4), now).unwrap(), Turn::Begin));
        ledger.abandon(tag(5, 4));
        let place = join(&mut ledger, 6, 1, now).unwrap();
        assert_eq!((place.sequence, place.used, place.lost), (0, 1, 0));
        let refused = ledger.begin(tag(5, 2), now).err().unwrap();
        assert_eq!(refused.code(), downpour_tensor::Code::Aborted);
    }

    #[tokio::test]
    async fn no_update_is_taken_for_one_that_somebody_has_forged() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        join(&mut ledger, 5, 0, now);
        for sequence in [u64::MAX, FURTHEST_UPDATE + 1] {
            let refused = ledger.begin(tag(5, sequence), now).err().unwrap();
            assert_eq!(refused.code(), downpour_tensor::Code::Aborted, "{refused}");
        }
        assert!(matches!(ledger.begin(tag(5, FURTHEST_UPDATE), now).unwrap(), Turn::Begin));
        ledger.finish(tag(5, FURTHEST_UPDATE), 0, 0, Receipt::default());
        // The worker itself is told to join again, and not that its update was applied.
        assert!(ledger.begin(tag(5, 2), now).is_err());
        let repeated = ledger.begin(tag(5, FURTHEST_UPDATE), now).unwrap();
        assert!(matches!(repeated, Turn::Repeated(_)));
    }

    #[tokio::test]
    async fn what_was_lost_is_counted_once() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        join(&mut ledger, 5, 0, now);
        ledger.begin(tag(5, 4), now).unwrap();
        let used = Receipt { used: true, ..Receipt::default() };
        // Three were answered before; this server has none of them.
        assert_eq!(ledger.finish(tag(5, 4), 0, 3, used), 3);
        ledger.begin(tag(5, 5), now).unwrap();
        assert_eq!(ledger.finish(tag(5, 5), 0, 4, Receipt::default()), 0);
        assert_eq!(join(&mut ledger, 6, 4, now).unwrap().lost, 0);
        assert_eq!(join(&mut ledger, 7, 6, now).unwrap().lost, 2);
        assert_eq!(ledger.leave(1, numbered(7, 0), 6).unwrap(), 0);
        assert!(ledger.leave(2, numbered(7, 0), 6).is_err());
    }

    #[tokio::test]
    async fn two_processes_with_one_incarnation_do_not_share_numbers() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        join(&mut ledger, 5, 0, now);
        ledger.begin(tag(5, 1), now).unwrap();
        ledger.finish(tag(5, 1), 0, 0, Receipt::default());
        assert!(joins(&mut ledger, 1, 5, again(), now).is_ok());
        let refused = joins(&mut ledger, 1, 5, Join::default(), now).err().unwrap();
        assert!(refused.message().contains("same incarnation"), "{refused}");
    }

    #[tokio::test]
    async fn the_slowest_is_whoever_it_is_now() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        joins(&mut ledger, 1, 5, Join::default(), now).unwrap();
        assert_eq!(ledger.slowest(2), 0);
        joins(&mut ledger, 2, 5, Join::default(), now).unwrap();
        ledger.advance(1, 3);
        assert_eq!(ledger.slowest(2), 0);
        ledger.advance(2, 2);
        assert_eq!(ledger.slowest(2), 2);
        ledger.advance(2, 9);
        assert_eq!(ledger.slowest(2), 3);
        ledger.leave(1, numbered(5, 0), 0).unwrap();
        assert_eq!(ledger.slowest(2), 9);
        // Who joins begins with the slowest of the others.
        joins(&mut ledger, 3, 1, Join::default(), now).unwrap();
        ledger.advance(2, 11);
        assert_eq!(ledger.slowest(2), 9);
    }

    #[tokio::test]
    async fn the_silent_are_out_until_they_join_anew() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        joins(&mut ledger, 1, 5, Join::default(), now).unwrap();
        joins(&mut ledger, 2, 5, Join::default(), now).unwrap();
        let later = now + Duration::from_secs(10);
        ledger.seen(2, numbered(5, 0), later).unwrap();
        assert_eq!(ledger.expire(later, Duration::from_secs(5)), [1]);
        assert_eq!(ledger.possible(2), 1);
        assert!(ledger.begin(tag(5, 1), later).is_err());
        assert!(joins(&mut ledger, 1, 5, again(), later).is_err());
        assert_eq!(joins(&mut ledger, 1, 6, Join::default(), later).unwrap().unwrap().sequence, 0);
        assert_eq!(ledger.possible(2), 2);
    }

    /// A join that asks for a number, while every start has a connection or none has.
    fn asks(ledger: &mut Ledger, token: u32, lives: bool, join: Join) -> Joining {
        let join = Join { worker: 1, incarnation: numbered(0, token), ..join };
        ledger.join(&join, |_| lives, Instant::now()).unwrap()
    }

    fn incarnation(joining: Joining) -> Option<u64> {
        match joining {
            Joining::Joined(place) => Some(place.incarnation),
            _ => None,
        }
    }

    #[tokio::test]
    async fn starts_are_numbered_by_the_server() {
        let mut ledger = Ledger::default();
        let joined = asks(&mut ledger, 70, true, Join::default());
        assert_eq!(incarnation(joined), Some(numbered(1, 70)));
        // Its answer was lost.
        let joined = asks(&mut ledger, 70, true, Join::default());
        assert_eq!(incarnation(joined), Some(numbered(1, 70)));
        // Another server has known more of them.
        let replaces = numbered(1, 70);
        let joined = asks(&mut ledger, 70, true, Join { above: 8, replaces, ..Join::default() });
        assert_eq!(incarnation(joined), Some(numbered(9, 70)));
        let joined = asks(&mut ledger, 71, false, Join::default());
        assert_eq!(incarnation(joined), Some(numbered(10, 71)));
    }

    #[tokio::test]
    async fn a_worker_that_lives_keeps_its_place() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        asks(&mut ledger, 70, true, Join::default());
        let forged = [numbered(0, 9), numbered(1, 9), numbered(2, 9), numbered(FURTHEST, 9)];
        for incarnation in forged {
            let join = Join { worker: 1, incarnation, replaces: 9, ..Join::default() };
            assert!(!matches!(ledger.join(&join, |_| true, now), Ok(Joining::Joined(_))));
        }
        for incarnation in [u64::MAX, numbered(FURTHEST + 2, 9)] {
            let join = Join { worker: 1, incarnation, ..Join::default() };
            assert!(ledger.join(&join, |_| false, now).is_err());
        }
        let join = Join { worker: 1, above: u32::MAX, ..Join::default() };
        assert!(ledger.join(&join, |_| false, now).is_err());
        let tag = Tag { worker: 1, incarnation: numbered(1, 70), sequence: 1 };
        assert!(matches!(ledger.begin(tag, now).unwrap(), Turn::Begin));
    }

    #[tokio::test]
    async fn a_start_that_another_server_numbered_too_low_is_told() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        join(&mut ledger, 5, 0, now);
        let low = Join { worker: 1, incarnation: numbered(3, 1), ..Join::default() };
        let Joining::Behind(known) = ledger.join(&low, |_| false, now).unwrap() else {
            panic!("it is behind")
        };
        assert_eq!(known, 5);
    }
}
