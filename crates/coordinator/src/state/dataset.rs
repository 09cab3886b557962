//! A dataset's epochs: what is free, what is out, what is done.
//!
//! Of every epoch that has begun, each position is in exactly one of three places: free, in a unit that is not
//! complete (before its position: done; from there on: not), or done. [`Dataset::check`] counts them.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::owners::Owners;
use crate::message::{DatasetSpec, MAX_UNITS_PER_EPOCH};
use crate::ranges::Ranges;

/// Data that is handed out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Dataset {
    pub spec: DatasetSpec,
    /// Epochs that have begun and are not complete, oldest first.
    pub epochs: VecDeque<Epoch>,
    /// The number of the next epoch to begin.
    pub next_epoch: u32,
    /// Who had what last.
    pub owners: Owners,
}

/// Once through the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Epoch {
    pub number: u32,
    /// Not in a unit yet.
    pub free: Ranges,
    /// Units that are not complete: held, or returned and waiting.
    pub units: BTreeMap<u64, Unit>,
    /// Examples done.
    pub done: u64,
}

/// A range of positions that is worked on as one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Unit {
    pub id: u64,
    pub start: u64,
    /// Everything before it is done for good.
    pub position: u64,
    pub end: u64,
    /// The number of the next attempt.
    pub attempts: u32,
    /// Nobody: it waits. Two: the second is a backup.
    pub holders: Vec<Holder>,
}

/// Somebody who works on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Holder {
    pub member: u64,
    pub attempt: u32,
}

impl Unit {
    pub fn hand_to(&mut self, member: u64) -> Option<()> {
        if self.holders.len() > 1 || self.holds(member) {
            return None;
        }
        let attempt = self.attempts;
        self.attempts = attempt.checked_add(1)?;
        self.holders.push(Holder { member, attempt });
        Some(())
    }

    pub fn holds(&self, member: u64) -> bool {
        self.holders.iter().any(|holder| holder.member == member)
    }

    /// The member holds it by this attempt, not by an earlier one.
    pub fn is_held_by(&self, member: u64, attempt: u32) -> bool {
        self.holders.contains(&Holder { member, attempt })
    }
}

impl Dataset {
    pub fn new(spec: DatasetSpec) -> Dataset {
        Dataset { spec, epochs: VecDeque::new(), next_epoch: 0, owners: Owners::default() }
    }

    /// Units of all epochs that are not complete.
    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        self.epochs.iter().flat_map(|epoch| epoch.units.values())
    }

    pub fn unit(&self, unit: u64) -> Option<&Unit> {
        self.epochs.iter().find_map(|epoch| epoch.units.get(&unit))
    }

    pub fn unit_mut(&mut self, unit: u64) -> Option<&mut Unit> {
        self.epochs.iter_mut().find_map(|epoch| epoch.units.get_mut(&unit))
    }

    /// Every epoch is complete.
    pub fn is_finished(&self) -> bool {
        self.epochs.is_empty() && self.next_epoch >= self.spec.epochs
    }

    /// Another epoch may begin now.
    pub fn may_begin(&self) -> bool {
        self.next_epoch < self.spec.epochs && self.epochs.len() <= self.spec.epochs_ahead as usize
    }

    /// The smallest unit: whole batches, and not more units than we want to keep.
    pub fn granule(&self) -> u64 {
        let fewest = self.spec.examples.div_ceil(MAX_UNITS_PER_EPOCH);
        fewest.div_ceil(self.spec.batch).max(1).saturating_mul(self.spec.batch)
    }

    pub fn begin_epoch(&mut self) -> Option<()> {
        if !self.may_begin() {
            return None;
        }
        self.epochs.push_back(Epoch {
            number: self.next_epoch,
            free: Ranges::all(0, self.spec.examples),
            units: BTreeMap::new(),
            done: 0,
        });
        self.next_epoch += 1;
        Some(())
    }

    pub fn cut(
        &mut self,
        data_epoch: u32,
        id: u64,
        start: u64,
        end: u64,
        member: u64,
    ) -> Option<()> {
        let epoch = self.epochs.iter_mut().find(|epoch| epoch.number == data_epoch)?;
        if start >= end || !epoch.free.covers(start, end) {
            return None;
        }
        epoch.free.remove(start, end);
        let mut unit = Unit { id, start, position: start, end, attempts: 0, holders: Vec::new() };
        unit.hand_to(member)?;
        epoch.units.insert(id, unit);
        Some(())
    }

    pub fn progress(&mut self, id: u64, position: u64) -> Option<()> {
        let epoch = self.epochs.iter_mut().find(|epoch| epoch.units.contains_key(&id))?;
        let unit = epoch.units.get_mut(&id)?;
        if position > unit.end {
            return None;
        }
        epoch.done = epoch.done.checked_add(position.checked_sub(unit.position)?)?;
        unit.position = position;
        Some(())
    }

    /// The unit is done; an epoch without anything left is over.
    pub fn complete(&mut self, id: u64, member: u64) -> Option<()> {
        let index = self.epochs.iter().position(|epoch| epoch.units.contains_key(&id))?;
        let epoch = &mut self.epochs[index];
        let unit = epoch.units.remove(&id)?;
        epoch.done = epoch.done.checked_add(unit.end.checked_sub(unit.position)?)?;
        self.owners.set(unit.start, unit.end, member);
        if epoch.free.is_empty() && epoch.units.is_empty() {
            self.epochs.remove(index);
        }
        Some(())
    }

    pub fn release_all(&mut self, member: u64) {
        for unit in self.epochs.iter_mut().flat_map(|epoch| epoch.units.values_mut()) {
            unit.holders.retain(|holder| holder.member != member);
        }
    }

    /// Every position of every epoch is accounted for once.
    pub fn check(&self, next_unit: u64) -> Result<(), String> {
        self.spec.check().map_err(|status| status.message().to_string())?;
        if self.next_epoch > self.spec.epochs || self.epochs.len() as u64 > self.next_epoch as u64 {
            return Err(format!("epoch {} of {}", self.next_epoch, self.spec.epochs));
        }
        for epoch in &self.epochs {
            let mut seen = epoch.free.clone();
            let mut left = epoch.free.positions();
            for (id, unit) in &epoch.units {
                let Unit { start, position, end, .. } = *unit;
                if *id != unit.id
                    || *id >= next_unit
                    || start >= end
                    || position < start
                    || position > end
                {
                    return Err(format!("unit {unit:?} cannot be"));
                }
                if unit.holders.len() > 2 || seen.touches(start, end) {
                    return Err(format!("unit {unit:?} is held too often, or overlaps others"));
                }
                seen.insert(start, end);
                left = left.saturating_add(end - position);
            }
            let beyond = seen.iter().any(|(start, end)| start >= end || end > self.spec.examples);
            if beyond || left.checked_add(epoch.done) != Some(self.spec.examples) {
                return Err(format!(
                    "epoch {} has {left} of {} examples left and {} done",
                    epoch.number, self.spec.examples, epoch.done
                ));
            }
        }
        Ok(())
    }
}
