//! The units nobody has, and whom each of them suits best: who computed it in the last batch has its data.
//!
//! Every waiting unit is in one list: that of the replica that computed it last, if that is still there, or the common
//! one. A replica takes from its own list first, then from the common one, then from the end of the longest: that
//! one's owner is the furthest from done, and would have come to the unit last.

use std::collections::{BTreeMap, VecDeque};

use super::Replica;

#[derive(Debug, Default)]
pub(super) struct Queue {
    own: BTreeMap<Replica, VecDeque<usize>>,
    common: VecDeque<usize>,
    waiting: usize,
    /// Who computed each unit last.
    last: Vec<Option<Replica>>,
}

impl Queue {
    /// All units of a batch. Who computed them before is forgotten if it had another number of them.
    pub fn begin(&mut self, units: usize, is_there: impl Fn(Replica) -> bool) {
        self.own.clear();
        self.common.clear();
        self.waiting = units;
        if self.last.len() != units {
            self.last = vec![None; units];
        }
        for (unit, last) in self.last.iter_mut().enumerate() {
            *last = last.filter(|replica| is_there(*replica));
            match last {
                Some(replica) => self.own.entry(*replica).or_default().push_back(unit),
                None => self.common.push_back(unit),
            }
        }
    }

    pub fn len(&self) -> usize {
        self.waiting
    }

    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// The next unit for a replica.
    pub fn take(&mut self, replica: Replica) -> Option<usize> {
        let own = self.own.get_mut(&replica).and_then(VecDeque::pop_front);
        let unit = own.or_else(|| self.common.pop_front()).or_else(|| {
            let longest = self.own.values_mut().max_by_key(|list| list.len());
            longest.and_then(VecDeque::pop_back)
        })?;
        self.waiting -= 1;
        Some(unit)
    }

    /// A unit that was given up: it is the oldest work there is, and next in line.
    pub fn put_back(&mut self, unit: usize) {
        self.common.push_front(unit);
        self.waiting += 1;
    }

    /// A unit was computed by this replica.
    pub fn computed(&mut self, unit: usize, replica: Replica) {
        if let Some(last) = self.last.get_mut(unit) {
            *last = Some(replica);
        }
    }

    /// What was this replica's is anybody's.
    pub fn leave(&mut self, replica: Replica) {
        self.common.extend(self.own.remove(&replica).unwrap_or_default());
    }
}
