//! Who takes part, and which update of each was the last: what makes an update happen once.
//!
//! A worker's updates are numbered from 1 in each of its incarnations, and it sends the next only when the
//! one before was answered. So the last number is all there is to remember.

use std::collections::BTreeMap;
use std::time::Duration;

use downpour_tensor::{Result, Status};
use tokio::time::Instant;

/// Names an update for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    /// The worker's number.
    pub worker: u32,
    /// Its start: a later one has a larger number.
    pub incarnation: u64,
    /// Of the update, from 1.
    pub sequence: u64,
}

/// What became of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Receipt {
    pub version: u64,
    pub steps: u64,
    pub used: bool,
    pub staleness: u64,
    /// The version its worker may go on with.
    pub next: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub incarnation: u64,
    pub sequence: u64,
    /// Steps it has handed in.
    pub clock: u64,
    pub receipt: Receipt,
    /// An update of it is being applied.
    busy: bool,
    /// It has left, or was silent for too long: this incarnation is over.
    pub gone: bool,
    seen: Instant,
}

/// Whether an update is to be applied.
pub(crate) enum Turn {
    /// Yes; so many before it are missing, which this server had and lost.
    Begin { lost: u64 },
    /// It was.
    Repeated(Receipt),
    /// It, or one before it, is being applied.
    Busy,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub members: BTreeMap<u32, Member>,
}

impl Ledger {
    /// A worker takes part; `None` while an update of its earlier start is being applied.
    pub fn join(&mut self, worker: u32, incarnation: u64, now: Instant) -> Result<Option<u64>> {
        let others = self.members.iter().filter(|(id, m)| **id != worker && !m.gone);
        let clock = others.map(|(_, member)| member.clock).min();
        match self.members.get_mut(&worker) {
            Some(known) if known.incarnation > incarnation => Err(over(worker, "a newer one runs")),
            Some(known) if known.incarnation == incarnation && known.gone => Err(silent(worker)),
            Some(known) if known.incarnation == incarnation => {
                known.seen = now;
                Ok(Some(known.sequence))
            }
            Some(known) if known.busy => Ok(None),
            _ => {
                let clock = clock.unwrap_or(0);
                self.members.insert(worker, Member::new(incarnation, 0, clock, now));
                Ok(Some(0))
            }
        }
    }

    /// A sign of life.
    pub fn seen(&mut self, worker: u32, incarnation: u64, now: Instant) -> Result<()> {
        match self.members.get_mut(&worker) {
            Some(known) if known.incarnation > incarnation => Err(over(worker, "a newer one runs")),
            Some(known) if known.incarnation == incarnation && known.gone => Err(silent(worker)),
            Some(known) if known.incarnation == incarnation => {
                known.seen = now;
                Ok(())
            }
            _ => Err(over(worker, "this server does not know it")),
        }
    }

    pub fn begin(&mut self, tag: Tag, now: Instant) -> Result<Turn> {
        if tag.sequence == 0 {
            return Err(Status::invalid_argument("updates are numbered from 1"));
        }
        self.seen(tag.worker, tag.incarnation, now)?;
        let Some(member) = self.members.get_mut(&tag.worker) else {
            return Err(over(tag.worker, "this server does not know it"));
        };
        if member.busy {
            return Ok(Turn::Busy);
        }
        if tag.sequence <= member.sequence {
            return Ok(Turn::Repeated(member.receipt));
        }
        member.busy = true;
        Ok(Turn::Begin { lost: tag.sequence - member.sequence - 1 })
    }

    /// The update was applied, or dropped for good.
    pub fn finish(&mut self, tag: Tag, receipt: Receipt) {
        if let Some(member) = self.members.get_mut(&tag.worker) {
            member.busy = false;
            member.sequence = tag.sequence;
            member.clock += 1;
            member.receipt = receipt;
        }
    }

    /// The update could not be applied.
    pub fn abandon(&mut self, tag: Tag) {
        if let Some(member) = self.members.get_mut(&tag.worker) {
            member.busy = false;
        }
    }

    pub fn leave(&mut self, worker: u32, incarnation: u64) {
        let member = self.members.get_mut(&worker);
        if let Some(member) = member.filter(|m| m.incarnation == incarnation) {
            member.gone = true;
        }
    }

    /// Those who have said nothing for so long are out.
    pub fn expire(&mut self, now: Instant, silence: Duration) -> Vec<u32> {
        let mut lost = Vec::new();
        for (worker, member) in &mut self.members {
            if !member.gone && !member.busy && now.duration_since(member.seen) > silence {
                member.gone = true;
                lost.push(*worker);
            }
        }
        lost
    }

    pub fn gone(&self) -> u32 {
        self.members.values().filter(|member| member.gone).count() as u32
    }

    /// The fewest steps anybody has handed in; who has not come yet has none.
    pub fn slowest(&self, workers: u32) -> u64 {
        if (self.members.len() as u32) < workers {
            return 0;
        }
        let clocks = self.members.values().filter(|m| !m.gone).map(|m| m.clock);
        clocks.min().unwrap_or(0)
    }
}

impl Member {
    pub fn new(incarnation: u64, sequence: u64, clock: u64, seen: Instant) -> Member {
        Member {
            incarnation,
            sequence,
            clock,
            receipt: Receipt::default(),
            busy: false,
            gone: false,
            seen,
        }
    }
}

fn over(worker: u32, why: &str) -> Status {
    Status::aborted(format!(
        "the time of this start of worker {worker} is over ({why}): join again"
    ))
}

fn silent(worker: u32) -> Status {
    over(worker, "it was silent for too long, or has left")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(incarnation: u64, sequence: u64) -> Tag {
        Tag { worker: 1, incarnation, sequence }
    }

    #[tokio::test]
    async fn an_update_happens_once() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        assert!(ledger.begin(tag(5, 1), now).is_err());
        assert_eq!(ledger.join(1, 5, now).unwrap(), Some(0));
        assert!(matches!(ledger.begin(tag(5, 1), now).unwrap(), Turn::Begin { lost: 0 }));
        assert!(matches!(ledger.begin(tag(5, 1), now).unwrap(), Turn::Busy));
        // Its next start has to wait for what is being applied: it must see where that leaves it.
        assert_eq!(ledger.join(1, 6, now).unwrap(), None);
        ledger.finish(tag(5, 1), Receipt { version: 7, ..Receipt::default() });
        let Turn::Repeated(receipt) = ledger.begin(tag(5, 1), now).unwrap() else {
            panic!("again")
        };
        assert_eq!(receipt.version, 7);
        assert!(matches!(ledger.begin(tag(5, 4), now).unwrap(), Turn::Begin { lost: 2 }));
        ledger.abandon(tag(5, 4));
        assert_eq!(ledger.join(1, 6, now).unwrap(), Some(0));
        let refused = ledger.begin(tag(5, 2), now).err().unwrap();
        assert_eq!(refused.code(), downpour_tensor::Code::Aborted);
    }

    #[tokio::test]
    async fn the_silent_are_out_until_they_join_anew() {
        let now = Instant::now();
        let mut ledger = Ledger::default();
        ledger.join(1, 5, now).unwrap();
        ledger.join(2, 5, now).unwrap();
        let later = now + Duration::from_secs(10);
        ledger.seen(2, 5, later).unwrap();
        assert_eq!(ledger.expire(later, Duration::from_secs(5)), [1]);
        assert_eq!(ledger.gone(), 1);
        assert!(ledger.begin(tag(5, 1), later).is_err());
        assert!(ledger.join(1, 5, later).is_err());
        assert_eq!(ledger.join(1, 6, later).unwrap(), Some(0));
        assert_eq!(ledger.gone(), 0);
    }
}
