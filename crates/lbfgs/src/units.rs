//! A batch cut into units of work much smaller than a replica's share, so that a slow replica holds up nobody.
//!
//! 1. An idle replica gets the next unit that nobody has, of those it computed in the last batch first: it has their
//!    data. Fast ones come back sooner and so get more.
//! 2. When none is left, units still being worked on are given to idle replicas as well, the fastest first, if they are
//!    expected to be done sooner than whoever has it; the first answer counts, later ones are dropped.
//! 3. The units of a replica that left go back. Who hangs must be made to leave by whoever watches heartbeats.
//!
//! The schedule is told what happens and when, and does nothing by itself: no clock, thread or network. Answers are counted
//! at most once per unit, whatever the order of events, and not for units of an earlier batch.
//!
//! ```
//! use std::time::Duration;
//! use downpour_lbfgs::units::{Answer, Schedule};
//!
//! let mut schedule = Schedule::default();
//! let now = Duration::ZERO;
//! schedule.join(1);
//! schedule.join(2);
//! schedule.begin(1000, 250)?;
//! let work = schedule.assign(now);
//! assert_eq!(work.len(), 2);
//! assert_eq!(work[0].examples, 0..250);
//! let answer = schedule.answer(1, work[0].unit, Duration::from_secs(1))?;
//! assert!(matches!(answer, Answer::Counted { .. }));
//! # Ok::<(), downpour_tensor::Status>(())
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use downpour_tensor::{Result, Status};

mod queue;
mod speed;

use queue::Queue;
use speed::Speed;

/// Names one replica and one life of it: who comes back after leaving has another number.
pub type Replica = u64;

/// At most this many replicas work on one unit at a time.
const COPIES: usize = 2;

/// Who is late is not looked after more often than this.
const SHORTEST: Duration = Duration::from_millis(1);

/// More units than this would be a mistake of the unit's size.
const MAX_UNITS: u64 = 1 << 24;

/// One unit of one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit {
    /// Batches are counted from 1.
    pub batch: u64,
    /// Its place in the batch.
    pub index: usize,
}

/// Work for a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Who does it.
    pub replica: Replica,
    /// Which unit it is, to be named in the answer.
    pub unit: Unit,
    /// Its examples within the batch.
    pub examples: Range<u64>,
    /// True when another replica has it too.
    pub copy: bool,
}

/// What becomes of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is the first: take it.
    Counted {
        /// Others who still work on the unit and may be told to stop.
        superfluous: Vec<Replica>,
    },
    /// The unit was counted before, belongs to an earlier batch, or was not this replica's: drop it.
    Dropped,
}

#[derive(Debug)]
struct Work {
    examples: Range<u64>,
    counted: bool,
    holders: Vec<(Replica, Duration)>,
}

#[derive(Debug, Default)]
struct Member {
    working: Option<Unit>,
    speed: Speed,
}

/// Who does what of the current batch. It starts without a batch and without replicas.
#[derive(Debug, Default)]
pub struct Schedule {
    batch: u64,
    units: Vec<Work>,
    /// Units nobody has.
    waiting: Queue,
    uncounted: usize,
    members: BTreeMap<Replica, Member>,
}

impl Schedule {
    /// Starts a batch of `examples` cut into units of `size` (the last may be smaller) and forgets the one before.
    /// Replicas that still work on an old unit are free when they answer or are released.
    pub fn begin(&mut self, examples: u64, size: u64) -> Result<()> {
        if size == 0 || examples.div_ceil(size.max(1)) > MAX_UNITS {
            return Err(Status::invalid_argument(format!(
                "a batch of {examples} examples cannot be cut into units of {size}; about 30 units per replica are good"
            )));
        }
        self.batch += 1;
        self.units.clear();
        let mut from = 0;
        while from < examples {
            let to = from.saturating_add(size).min(examples);
            self.units.push(Work { examples: from..to, counted: false, holders: Vec::new() });
            from = to;
        }
        self.waiting.begin(self.units.len(), |replica| self.members.contains_key(&replica));
        self.uncounted = self.units.len();
        Ok(())
    }

    /// A replica is there and idle. Joining again means that it lost what it was doing.
    pub fn join(&mut self, replica: Replica) {
        self.leave(replica);
        self.members.insert(replica, Member::default());
    }

    /// A replica is gone; what it was doing goes back.
    pub fn leave(&mut self, replica: Replica) {
        if let Some(member) = self.members.remove(&replica)
            && let Some(unit) = member.working
        {
            self.put_down(replica, unit);
        }
        self.waiting.leave(replica);
    }

    /// A replica gave a unit up without an answer, because it was told to or could not do it, and is idle.
    pub fn release(&mut self, replica: Replica, unit: Unit) {
        let Some(member) = self.members.get_mut(&replica) else { return };
        if member.working == Some(unit) {
            member.working = None;
            self.put_down(replica, unit);
        }
    }

    fn put_down(&mut self, replica: Replica, unit: Unit) {
        let Some(work) = self.current(unit) else { return };
        work.holders.retain(|(holder, _)| *holder != replica);
        if !work.counted && work.holders.is_empty() {
            self.waiting.put_back(unit.index);
        }
    }

    fn current(&mut self, unit: Unit) -> Option<&mut Work> {
        if unit.batch != self.batch {
            return None;
        }
        self.units.get_mut(unit.index)
    }

    /// A replica has finished a unit and is idle.
    pub fn answer(&mut self, replica: Replica, unit: Unit, now: Duration) -> Result<Answer> {
        if unit.batch > self.batch || unit.batch == self.batch && unit.index >= self.units.len() {
            return Err(Status::invalid_argument(format!(
                "replica {replica} answers unit {} of batch {}, which was never given out",
                unit.index, unit.batch
            )));
        }
        let Some(member) = self.members.get_mut(&replica) else { return Ok(Answer::Dropped) };
        if member.working != Some(unit) {
            return Ok(Answer::Dropped);
        }
        member.working = None;
        if unit.batch != self.batch {
            return Ok(Answer::Dropped);
        }
        let work = &mut self.units[unit.index];
        let examples = work.examples.end - work.examples.start;
        if let Some((_, since)) = work.holders.iter().find(|(holder, _)| *holder == replica) {
            member.speed.took(examples, now.saturating_sub(*since));
        }
        work.holders.retain(|(holder, _)| *holder != replica);
        if work.counted {
            return Ok(Answer::Dropped);
        }
        work.counted = true;
        self.waiting.computed(unit.index, replica);
        self.uncounted -= 1;
        Ok(Answer::Counted {
            superfluous: work.holders.iter().map(|(holder, _)| *holder).collect(),
        })
    }

    /// Gives work to every idle replica there is work for. To be called after every event, and at [`Schedule::wake`].
    pub fn assign(&mut self, now: Duration) -> Vec<Assignment> {
        let idle = self.members.iter().filter(|(_, member)| member.working.is_none());
        let mut idle: Vec<(Speed, Replica)> = idle.map(|(r, member)| (member.speed, *r)).collect();
        // Nothing to give, which is so for many at the end of a batch, needs no order.
        if self.waiting.is_empty() && (idle.is_empty() || self.to_copy(now).is_empty()) {
            return Vec::new();
        }
        idle.sort_by(|a, b| a.0.fastest_first(&b.0));
        let idle: Vec<Replica> = idle.into_iter().map(|(_, replica)| replica).collect();
        let mut given = Vec::new();
        let mut idle = idle.into_iter();
        for replica in idle.by_ref().take(self.waiting.len()) {
            let Some(index) = self.waiting.take(replica) else { break };
            given.push(self.give(replica, index, now));
        }
        // A unit has two holders at most, so one that is copied is none to be copied any more: looking once is enough.
        let mut idle = idle.peekable();
        let mut late = if idle.peek().is_some() { self.to_copy(now) } else { Vec::new() };
        for replica in idle {
            let Some(&(end, index)) = late.last() else { break };
            if self.is_sooner(replica, index, now, end) {
                late.pop();
                given.push(self.give(replica, index, now));
            }
        }
        given
    }

    fn give(&mut self, replica: Replica, index: usize, now: Duration) -> Assignment {
        let unit = Unit { batch: self.batch, index };
        if let Some(member) = self.members.get_mut(&replica) {
            member.working = Some(unit);
        }
        let work = &mut self.units[index];
        let copy = !work.holders.is_empty();
        work.holders.push((replica, now));
        Assignment { replica, unit, examples: work.examples.clone(), copy }
    }

    /// Units that can be copied, the one that is expected to be done last at the end.
    fn to_copy(&self, now: Duration) -> Vec<(Duration, usize)> {
        let single = self.outstanding().filter(|(_, work)| work.holders.len() < COPIES);
        let mut late: Vec<_> =
            single.map(|(index, work)| (self.expected_end(work, now), index)).collect();
        // Of those that end together the first is the last in this list.
        late.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        late
    }

    /// Whether this replica can be expected to be done with a unit before `end`.
    fn is_sooner(&self, replica: Replica, index: usize, now: Duration, end: Duration) -> bool {
        let examples = &self.units[index].examples;
        match self.members[&replica].speed.needs(examples.end - examples.start) {
            Some(needs) => now.saturating_add(needs) < end,
            None => true,
        }
    }

    /// Units that somebody works on and nobody has finished.
    fn outstanding(&self) -> impl Iterator<Item = (usize, &Work)> {
        // By replicas: they are fewer than units. A unit of several belongs to the first of its holders.
        let first = |(replica, member): (&Replica, &Member)| {
            let unit = member.working.filter(|unit| unit.batch == self.batch)?;
            let work = self.units.get(unit.index)?;
            let own = work.holders.first().is_some_and(|(holder, _)| holder == replica);
            (own && !work.counted).then_some((unit.index, work))
        };
        self.members.iter().filter_map(first)
    }

    fn expected_end(&self, work: &Work, now: Duration) -> Duration {
        let examples = work.examples.end - work.examples.start;
        let ends = work.holders.iter().map(|(holder, since)| {
            let needs = self.members.get(holder).and_then(|member| member.speed.needs(examples));
            let expected = needs.map_or(Duration::MAX, |needs| since.saturating_add(needs));
            // Who is late is expected to need as long again as he has had.
            let again = now.saturating_sub(*since).max(SHORTEST);
            if expected > now { expected } else { now.saturating_add(again) }
        });
        ends.min().unwrap_or(Duration::MAX)
    }

    /// When [`Schedule::assign`] should be called again though nothing happens: somebody will be late then while others
    /// are idle.
    pub fn wake(&self, now: Duration) -> Option<Duration> {
        if !self.waiting.is_empty() || self.members.values().all(|member| member.working.is_some())
        {
            return None;
        }
        let single = self.outstanding().filter(|(_, work)| work.holders.len() < COPIES);
        single
            .map(|(_, work)| self.expected_end(work, now))
            .filter(|end| *end != Duration::MAX)
            .min()
    }

    /// True when every unit of the batch has been counted.
    pub fn is_done(&self) -> bool {
        self.uncounted == 0
    }

    /// Units of the batch that have been counted, and all of them.
    pub fn progress(&self) -> (usize, usize) {
        (self.units.len() - self.uncounted, self.units.len())
    }

    /// The current batch, counted from 1.
    pub fn batch(&self) -> u64 {
        self.batch
    }

    /// Examples per second a replica has shown lately.
    pub fn speed(&self, replica: Replica) -> Option<f64> {
        self.members.get(&replica)?.speed.examples_per_second()
    }
}

#[cfg(test)]
mod tests;
