//! Who had which positions of a dataset last, so that they can have them again: their caches hold them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Positions and who had them last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Owners(BTreeMap<u64, (u64, u64)>);

impl Owners {
    /// The range is that member's now.
    pub fn set(&mut self, start: u64, end: u64, member: u64) {
        if start >= end {
            return;
        }
        while let Some((&first, &(last, owner))) = self.0.range(..end).next_back()
            && last > start
        {
            self.0.remove(&first);
            if first < start {
                self.0.insert(first, (start, owner));
            }
            if last > end {
                self.0.insert(end, (last, owner));
            }
        }
        self.0.insert(start, (end, member));
    }

    /// The ranges between two positions, cut to them, with their owners; nobody's (`None`) too.
    pub fn between(
        &self,
        start: u64,
        end: u64,
    ) -> impl Iterator<Item = (u64, u64, Option<u64>)> + '_ {
        let before = self.0.range(..start).next_back().map(|(first, _)| *first);
        let mut owned =
            self.0.range(before.unwrap_or(start)..end).filter(move |(_, (last, _))| *last > start);
        let mut next = owned.next();
        let mut at = start;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let from = at;
            let owner = match next {
                Some((&first, &(last, owner))) if first <= from => {
                    at = last.min(end);
                    next = owned.next();
                    Some(owner)
                }
                Some((&first, _)) => {
                    at = first.min(end);
                    None
                }
                None => {
                    at = end;
                    None
                }
            };
            Some((from, at, owner))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_last_to_have_a_position_owns_it(steps in prop::collection::vec((0u64..40, 1u64..12, 0u64..4), 0..40),
                                               from in 0u64..50, length in 0u64..30) {
            let mut owners = Owners::default();
            let mut model = [None; 60];
            for (start, length, member) in steps {
                owners.set(start, start + length, member);
                model[start as usize..(start + length) as usize].fill(Some(member));
            }
            let mut at = from;
            for (start, end, owner) in owners.between(from, from + length) {
                prop_assert_eq!(start, at);
                prop_assert!(end > start);
                prop_assert!((start..end).all(|p| model.get(p as usize).copied().flatten() == owner));
                at = end;
            }
            prop_assert_eq!(at, from + length);
        }
    }
}
