//! One worker in a server's books.

use downpour_tensor::Status;
use tokio::time::Instant;

use crate::ledger::over;

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
pub struct Receipt {
    /// Updates then.
    pub version: u64,
    /// Steps then.
    pub steps: u64,
    /// False if it was of an old step.
    pub used: bool,
    /// By how many updates its parameters were older than the newest.
    pub staleness: u64,
    /// The version its worker may go on with.
    pub next: u64,
}

/// What a snapshot has of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Its last update.
    pub tag: Tag,
    /// What became of that.
    pub receipt: Receipt,
    /// Steps it has handed in.
    pub clock: u64,
    /// Its updates that were used, of all its incarnations.
    pub used: u64,
    /// Its incarnation is over.
    pub gone: bool,
    /// Its last push whose gradients of variables that are changed by themselves are in the values.
    pub apart: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub incarnation: u64,
    pub sequence: u64,
    /// Steps it has handed in.
    pub clock: u64,
    /// Its updates that were used here, of all its incarnations.
    pub used: u64,
    pub receipt: Receipt,
    /// Its last message with values.
    pub put: u64,
    /// A gradient of it is in the sums of a step that is not complete: what was before is what a snapshot
    /// must say, as the values do not have it.
    pub pending: Option<Before>,
    /// Its last push whose gradients of variables that are changed by themselves are in the values. It may be ahead
    /// of `pending`: those do not wait for the rest of the step, and must not come in again with it.
    pub apart: u64,
    /// An update of it is being applied.
    pub busy: bool,
    /// It has left, or was silent for too long: this incarnation is over.
    pub gone: bool,
    pub seen: Instant,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    sequence: u64,
    clock: u64,
    used: u64,
    receipt: Receipt,
}

impl Member {
    pub fn new(incarnation: u64, clock: u64, seen: Instant) -> Member {
        Member {
            incarnation,
            sequence: 0,
            clock,
            used: 0,
            receipt: Receipt::default(),
            put: 0,
            pending: None,
            apart: 0,
            busy: false,
            gone: false,
            seen,
        }
    }

    /// Its next start.
    pub fn next(&self, incarnation: u64, clock: u64, seen: Instant) -> Member {
        let receipt = Receipt::default();
        let before = |before: Before| Before { sequence: 0, clock, receipt, ..before };
        Member {
            used: self.used,
            pending: self.pending.map(before),
            ..Member::new(incarnation, clock, seen)
        }
    }

    /// Its gradients are added to the sums.
    pub fn pend(&mut self) {
        let Member { sequence, clock, used, receipt, .. } = *self;
        self.pending.get_or_insert(Before { sequence, clock, used, receipt });
    }

    /// The worker was answered so many used updates: how many of them are not here.
    pub fn learn(&mut self, used: u64) -> u64 {
        let lost = used.saturating_sub(self.used);
        self.used += lost;
        if let Some(before) = &mut self.pending {
            before.used += lost;
        }
        lost
    }

    /// Why requests of an incarnation up to this one are refused.
    pub fn over(&self, worker: u32) -> Status {
        match self.gone {
            true => over(worker, "it was silent for too long, or has left"),
            false => over(worker, "a newer one runs"),
        }
    }

    pub fn remembered(&self, worker: u32) -> Remembered {
        let Member { sequence, clock, used, receipt, .. } = *self;
        let Before { sequence, clock, used, receipt } =
            self.pending.unwrap_or(Before { sequence, clock, used, receipt });
        let tag = Tag { worker, incarnation: self.incarnation, sequence };
        Remembered { tag, receipt, clock, used, gone: self.gone, apart: self.apart }
    }

    pub fn restored(remembered: &Remembered, now: Instant) -> Member {
        let Remembered { tag, receipt, clock, used, gone, apart } = *remembered;
        let new = Member::new(tag.incarnation, clock, now);
        Member { sequence: tag.sequence, used, receipt, gone, apart, ..new }
    }
}
