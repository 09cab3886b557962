//! Which work a member gets: how much, and where.
//!
//! Units that came back go first. Otherwise a new one is cut, as long as the member needs about `unit_time` for it,
//! and never more than half of its share of what is left, so that all end an epoch together. A member without a
//! measured speed begins with an eighth of the largest unit. Positions it had in an earlier epoch are preferred,
//! then nobody's, then the end of the longest stretch others had.

use super::Coordinator;
use crate::state::{Dataset, Epoch, Unit};

/// A member below this part of the median speed gets no lease ahead.
const SLOW: f64 = 0.5;

/// What to hand out.
pub(super) enum Choice {
    /// A unit that exists.
    Unit(u64),
    /// A new unit.
    Range { data_epoch: u32, start: u64, end: u64 },
    /// The next epoch must begin first.
    NextEpoch,
    /// Nothing now.
    Nothing,
}

impl Coordinator {
    pub(super) fn choose(&self, member: u64, dataset: &Dataset, backup: bool) -> Choice {
        let held = dataset.units().filter(|unit| unit.holds(member)).count();
        if held >= self.leases_ahead(member, dataset) {
            return Choice::Nothing;
        }
        for epoch in &dataset.epochs {
            if let Some(unit) = epoch.units.values().find(|unit| unit.holders.is_empty()) {
                return Choice::Unit(unit.id);
            }
            if !epoch.free.is_empty() {
                let size = self.unit_size(member, dataset, epoch);
                let live = |owner| self.state.members.get(&owner).is_some_and(|member| member.live);
                if let Some((start, end)) = choose_range(dataset, epoch, member, size, live) {
                    return Choice::Range { data_epoch: epoch.number, start, end };
                }
            }
        }
        if dataset.may_begin() {
            return Choice::NextEpoch;
        }
        match backup && dataset.spec.backups {
            true => self.choose_backup(member, dataset).map_or(Choice::Nothing, Choice::Unit),
            false => Choice::Nothing,
        }
    }

    fn leases_ahead(&self, member: u64, dataset: &Dataset) -> usize {
        let slow = match (self.clock.speed(member), self.clock.fleet().median) {
            (Some(speed), Some(median)) => speed < SLOW * median,
            _ => false,
        };
        if slow { 1 } else { dataset.spec.leases() }
    }

    /// Examples of a new unit for this member: whole granules.
    fn unit_size(&self, member: u64, dataset: &Dataset, epoch: &Epoch) -> u64 {
        let granule = dataset.granule();
        let speed = self.clock.speed(member);
        let wanted = match speed {
            Some(speed) => speed * self.config.unit_time.as_secs_f64(),
            None => dataset.spec.unit as f64 / 8.0,
        };
        let fleet = self.clock.fleet();
        let share = match speed {
            // Its own speed may be newer than the sum.
            Some(speed) => (speed / fleet.total).min(1.0),
            // As if it were of average speed.
            None => 1.0 / f64::from(fleet.count.saturating_add(1)),
        };
        let fair = epoch.free.positions() as f64 * share / 2.0;
        let size = wanted.min(fair).min(dataset.spec.unit as f64);
        // The cast saturates, and what is not a number becomes 0.
        ((size / granule as f64).floor() as u64).max(1).saturating_mul(granule)
    }

    /// The unit that would end latest, if this member would be sooner.
    fn choose_backup(&self, member: u64, dataset: &Dataset) -> Option<u64> {
        let fallback = self.clock.fleet().median.unwrap_or(1.0);
        let own = self.clock.speed(member).unwrap_or(fallback);
        let lonely = dataset.units().filter(|unit| unit.holders.len() == 1 && !unit.holds(member));
        let remaining = |unit: &Unit| {
            let holder = unit.holders[0];
            let reached = self
                .clock
                .leases
                .get(&(unit.id, holder.attempt))
                .map_or(unit.position, |l| l.reached);
            let speed = self.clock.speed(holder.member).unwrap_or(fallback);
            unit.end.saturating_sub(reached) as f64 / speed
        };
        let last = lonely.map(|unit| (remaining(unit), unit)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        let (theirs, unit) = last;
        // At equal speed it would start later and end later.
        let ours = unit.end.saturating_sub(unit.position) as f64 / own;
        (ours < theirs || self.is_stuck(unit)).then_some(unit.id)
    }

    /// Its holder has not been heard for longer than it should: perhaps it is gone already.
    fn is_stuck(&self, unit: &Unit) -> bool {
        let pulse = unit.holders.first().and_then(|holder| self.clock.pulses.get(&holder.member));
        pulse.is_none_or(|pulse| pulse.heard + 2 * self.config.heartbeat < self.clock.now)
    }
}

/// Free positions for a member: about `size` of them, in one piece.
fn choose_range(
    dataset: &Dataset,
    epoch: &Epoch,
    member: u64,
    size: u64,
    live: impl Fn(u64) -> bool,
) -> Option<(u64, u64)> {
    let mut nobodys = None;
    let mut longest: Option<(u64, u64)> = None;
    for (start, end) in epoch.free.iter() {
        if longest.is_none_or(|(s, e)| end - start > e - s) {
            longest = Some((start, end));
        }
        for (from, _, owner) in dataset.owners.between(start, end) {
            match owner {
                Some(owner) if owner == member => {
                    return Some(extend(dataset, member, from, end, size, live));
                }
                Some(owner) if live(owner) => {}
                _ => nobodys = nobodys.or(Some((from, end))),
            }
        }
    }
    if let Some((from, end)) = nobodys {
        return Some(extend(dataset, member, from, end, size, live));
    }
    let (start, end) = longest?;
    let batch = dataset.spec.batch;
    let from = end.saturating_sub(size).div_ceil(batch).saturating_mul(batch);
    // Less than a granule is not left behind.
    let from =
        if from >= end || from.saturating_sub(start) < dataset.granule() { start } else { from };
    Some((from, end))
}

/// From a position on, as far as `size`; not into what others had once half of it is there.
fn extend(
    dataset: &Dataset,
    member: u64,
    start: u64,
    limit: u64,
    size: u64,
    live: impl Fn(u64) -> bool,
) -> (u64, u64) {
    let wanted = start.saturating_add(size).min(limit);
    let mut end = start;
    for (_, to, owner) in dataset.owners.between(start, wanted) {
        let foreign = owner.is_some_and(|owner| owner != member && live(owner));
        if foreign && (end - start).saturating_mul(2) >= size {
            break;
        }
        end = to;
    }
    // Less than a granule is not left behind.
    if limit - end < dataset.granule() { (start, limit) } else { (start, end) }
}
