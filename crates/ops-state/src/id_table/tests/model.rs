//! The plainest table there is, and that the real one is like it whatever comes.

use std::collections::HashMap;

use proptest::prelude::*;

use crate::id_table::books::{Books, Rows, TOTALS, WIDTH};
use crate::id_table::index::{Index, Rules};

/// Lists of what is known; every question goes over all of it.
struct Model {
    rules: Rules,
    /// By row; the first is shared.
    owners: Vec<Option<(i64, i64)>>,
    counts: HashMap<i64, i32>,
    clock: i64,
}

impl Model {
    fn row_of(&self, id: i64) -> Option<usize> {
        self.owners.iter().position(|owner| owner.is_some_and(|(known, _)| known == id))
    }

    fn oldest(&self) -> Option<(i64, usize)> {
        let rows = self.owners.iter().enumerate();
        rows.filter_map(|(row, owner)| owner.map(|(_, seen)| (seen, row))).min()
    }

    fn place(&self) -> Option<usize> {
        if let Some(row) = (1..self.owners.len()).find(|&row| self.owners[row].is_none()) {
            return Some(row);
        }
        let (seen, row) = self.oldest()?;
        (self.clock - seen >= self.rules.hold).then_some(row)
    }

    fn admit(&mut self, ids: &[i64]) -> Vec<i64> {
        self.clock += 1;
        let age = self.rules.max_age.max(self.rules.hold);
        for owner in self.owners.iter_mut().filter(|_| self.rules.max_age > 0) {
            if owner.is_some_and(|(_, seen)| self.clock - seen > age) {
                *owner = None;
            }
        }
        let known: Vec<bool> = ids.iter().map(|id| self.row_of(*id).is_some()).collect();
        for id in ids {
            if let Some(row) = self.row_of(*id) {
                self.owners[row] = Some((*id, self.clock));
            }
        }
        for (id, known) in ids.iter().zip(known) {
            if known || self.row_of(*id).is_some() {
                continue;
            }
            let count = self.counts.entry(*id).or_default();
            *count += 1;
            if *count >= self.rules.admit_after
                && let Some(row) = self.place()
            {
                self.owners[row] = Some((*id, self.clock));
            }
        }
        ids.iter().map(|id| self.row_of(*id).unwrap_or(0) as i64).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_table_is_the_model(
        capacity in 2usize..12,
        admit_after in 1i32..4,
        max_age in 0i64..8,
        hold in 1i64..4,
        // Every tenth lookup or so the index is made again.
        batches in prop::collection::vec((prop::collection::vec(-10i64..15, 0..6), 0..10), 1..60),
    ) {
        let rules = Rules { admit_after, max_age, hold, negative: true };
        let mut model = Model { rules, owners: vec![None; capacity], counts: HashMap::new(), clock: 0 };
        let (mut rows, mut totals) = (vec![0; capacity * WIDTH], vec![0; TOTALS]);
        let mut cells = vec![0; 4 * 4096];
        let mut index = Index::of(Rows(&rows)).unwrap();
        for (ids, again) in batches {
            if again == 0 {
                index = Index::of(Rows(&rows)).unwrap();
            }
            let mut out = vec![-1; ids.len()];
            let mut books = Books { rows: &mut rows, totals: &mut totals };
            let fresh = index.admit(&mut books, &mut cells, &rules, &ids, &mut out).unwrap();
            let before: Vec<Option<i64>> = model.owners.iter().map(|o| o.map(|(id, _)| id)).collect();
            prop_assert_eq!(&out, &model.admit(&ids));
            for (row, (owner, before)) in model.owners.iter().zip(before).enumerate().skip(1) {
                prop_assert_eq!(owner.map_or(0, |(_, seen)| seen), Rows(&rows).seen(row));
                let new = owner.map(|(id, _)| id).filter(|id| before != Some(*id));
                if new.is_some() {
                    prop_assert!(fresh.iter().any(|f| f.row == row && Some(f.id) == new));
                }
            }
            prop_assert_eq!(index.len(), model.owners.iter().flatten().count());
        }
    }
}
