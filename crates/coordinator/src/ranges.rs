//! A set of positions as disjoint ranges, merged where they touch.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Positions, as ranges from start to end (not included).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// One range.
    pub fn all(start: u64, end: u64) -> Ranges {
        let mut ranges = Ranges::default();
        ranges.insert(start, end);
        ranges
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many ranges there are.
    pub fn pieces(&self) -> usize {
        self.0.len()
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |sum: u64, (start, end)| sum.saturating_add(end.saturating_sub(*start)))
    }

    /// The ranges in order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter().map(|(start, end)| (*start, *end))
    }

    /// Whether all positions of a range are in the set.
    pub fn covers(&self, start: u64, end: u64) -> bool {
        start >= end || self.0.range(..=start).next_back().is_some_and(|(_, have)| *have >= end)
    }

    /// Whether any position of a range is in the set.
    pub fn touches(&self, start: u64, end: u64) -> bool {
        start < end && self.0.range(..end).next_back().is_some_and(|(_, have)| *have > start)
    }

    /// Adds a range; what was in the set stays.
    pub fn insert(&mut self, mut start: u64, mut end: u64) {
        if start >= end {
            return;
        }
        while let Some((&first, &last)) = self.0.range(..=end).next_back()
            && last >= start
        {
            start = start.min(first);
            end = end.max(last);
            self.0.remove(&first);
        }
        self.0.insert(start, end);
    }

    /// Takes a range out; what was not in the set stays out.
    pub fn remove(&mut self, start: u64, end: u64) {
        if start >= end {
            return;
        }
        while let Some((&first, &last)) = self.0.range(..end).next_back()
            && last > start
        {
            self.0.remove(&first);
            if first < start {
                self.0.insert(first, start);
            }
            if last > end {
                self.0.insert(end, last);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_like_a_set_of_positions(steps in prop::collection::vec((any::<bool>(), 0u64..40, 0u64..12), 0..60)) {
            let mut ranges = Ranges::default();
            let mut set = BTreeSet::new();
            for (insert, start, length) in steps {
                let end = start + length;
                if insert {
                    ranges.insert(start, end);
                    set.extend(start..end);
                } else {
                    ranges.remove(start, end);
                    set.retain(|p| !(start..end).contains(p));
                }
                let listed: Vec<u64> = ranges.iter().flat_map(|(s, e)| s..e).collect();
                prop_assert_eq!(&listed, &set.iter().copied().collect::<Vec<_>>());
                prop_assert_eq!(ranges.positions(), set.len() as u64);
                prop_assert_eq!(ranges.is_empty(), set.is_empty());
                let all: Vec<_> = ranges.iter().collect();
                prop_assert!(all.windows(2).all(|pair| pair[0].1 < pair[1].0), "merged: {all:?}");
                for (a, b) in [(3, 9), (start, end), (0, 50)] {
                    prop_assert_eq!(ranges.covers(a, b), (a..b).all(|p| set.contains(&p)));
                    prop_assert_eq!(ranges.touches(a, b), (a..b).any(|p| set.contains(&p)));
                }
            }
        }
    }
}
