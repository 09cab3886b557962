//! Finds the row of an id, and gives rows to ids.

use std::cmp::Reverse;
use std::collections::hash_map::RandomState;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasher, Hasher};

use downpour_tensor::{Result, Status};

use super::books::{ADMITTED, Books, CLOCK, COUNTED, EVICTED, HITS, Rows, SIZE, UNKNOWN};
use super::candidates::{Candidates, mix};
use super::order::Order;

/// When ids get rows and lose them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// How often an id must be seen.
    pub admit_after: i32,
    /// Lookups after which a row that nobody saw is free; 0: it never is.
    pub max_age: i64,
    /// Lookups for which a row that was seen is kept in any case.
    pub hold: i64,
    /// Whether numbers below zero are ids; otherwise they stand for nothing, and get row 0.
    pub negative: bool,
}

/// A row that has just been given to an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fresh {
    pub row: usize,
    pub id: i64,
}

#[derive(Default)]
pub(super) struct Index {
    rows: HashMap<i64, u32, Seeded>,
    /// Free rows before `end`; the least is given first.
    free: BinaryHeap<Reverse<u32>>,
    /// Rows from here on are free.
    end: usize,
    order: Order,
    /// The last lookup anything was seen by.
    newest: i64,
}

impl Index {
    /// The index of rows as a checkpoint may have brought them. Of two rows with the same id the one seen last
    /// counts; the other will be the first to go.
    pub fn of(rows: Rows<'_>) -> Result<Index> {
        let capacity = rows.capacity();
        let last = (1..capacity).rev().find(|&row| rows.seen(row) > 0);
        let mut index = Index { end: last.map_or(1, |row| row + 1), ..Index::default() };
        let used = (1..index.end).filter(|&row| rows.seen(row) > 0).count();
        index.rows.try_reserve(used).map_err(|_| {
            Status::resource_exhausted(format!("no memory for the index of {used} ids"))
        })?;
        for row in 1..index.end {
            let seen = rows.seen(row);
            if seen == 0 {
                index.free.push(Reverse(row as u32));
                continue;
            }
            index.newest = index.newest.max(seen);
            let place = index.rows.entry(rows.id(row)).or_insert(row as u32);
            if rows.seen(*place as usize) < seen {
                *place = row as u32;
            }
        }
        Ok(index)
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The row of an id, if it has one.
    pub fn find(&self, id: i64, rows: Rows<'_>) -> Option<usize> {
        self.rows.get(&id).map(|row| *row as usize).filter(|&row| rows.has(row, id))
    }

    /// One lookup of a worker that trains: a row for each id, and which of them are new to their ids. An id
    /// that gets a row has it at all its places.
    pub fn admit(
        &mut self,
        books: &mut Books<'_>,
        cells: &mut [i32],
        rules: &Rules,
        ids: &[i64],
        out: &mut [i64],
    ) -> Result<Vec<Fresh>> {
        let clock = books.totals[CLOCK].max(self.newest).saturating_add(1);
        let mut counted = books.totals[COUNTED];
        // Refused before anything is changed.
        let mut candidates = Candidates::new(cells, &mut counted)?;
        books.totals[CLOCK] = clock;
        self.newest = clock;
        self.expire(books, rules, clock);
        let mut missed = Vec::new();
        // All known ones are seen before any row is given away.
        for (place, (&id, out)) in ids.iter().zip(out.iter_mut()).enumerate() {
            *out = 0;
            if id < 0 && !rules.negative {
                continue;
            }
            match self.find(id, books.view()) {
                Some(row) => {
                    books.see(row, clock);
                    *out = row as i64;
                }
                None => missed.push(place),
            }
        }
        let mut hits = ids.len() - missed.len();
        let mut fresh = Vec::new();
        for &place in &missed {
            let id = ids[place];
            if self.find(id, books.view()).is_some() {
                continue;
            }
            if rules.admit_after > 1 && candidates.count(id) < rules.admit_after {
                continue;
            }
            if let Some(row) = self.place(books, rules, clock) {
                books.give(row, id, clock);
                self.rows.insert(id, row as u32);
                fresh.push(Fresh { row, id });
            }
        }
        if !fresh.is_empty() {
            for &place in &missed {
                if let Some(row) = self.find(ids[place], books.view()) {
                    out[place] = row as i64;
                    hits += 1;
                }
            }
        }
        books.totals[COUNTED] = counted;
        books.totals[SIZE] = self.rows.len() as i64;
        books.add(ADMITTED, fresh.len() as i64);
        let nothing = match rules.negative {
            true => 0,
            false => ids.iter().filter(|id| **id < 0).count(),
        };
        books.add(HITS, (hits - nothing) as i64);
        books.add(UNKNOWN, (ids.len() - hits) as i64);
        Ok(fresh)
    }

    /// Frees the rows that nobody saw for too long.
    fn expire(&mut self, books: &mut Books<'_>, rules: &Rules, clock: i64) {
        if rules.max_age == 0 {
            return;
        }
        let limit = clock.saturating_sub(rules.max_age.max(rules.hold));
        while let Some((_, row)) = self.order.before(limit, books.view(), self.end, clock) {
            self.forget(books, row);
            books.free(row);
            self.free.push(Reverse(row as u32));
        }
    }

    /// A row for a new id: a free one, or the one that was not seen for longest.
    fn place(&mut self, books: &mut Books<'_>, rules: &Rules, clock: i64) -> Option<usize> {
        if let Some(Reverse(row)) = self.free.pop() {
            return Some(row as usize);
        }
        if self.end < books.view().capacity() {
            self.end += 1;
            return Some(self.end - 1);
        }
        let (seen, row) = self.order.oldest(books.view(), self.end, clock)?;
        if clock.saturating_sub(seen) < rules.hold.max(1) {
            return None;
        }
        self.forget(books, row);
        Some(row)
    }

    fn forget(&mut self, books: &mut Books<'_>, row: usize) {
        let id = books.view().id(row);
        if self.rows.get(&id) == Some(&(row as u32)) {
            self.rows.remove(&id);
        }
        books.add(EVICTED, 1);
    }
}

/// Hashes ids with a seed of this process: ids that collide here cannot be prepared elsewhere.
struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Seeded {
        Seeded(RandomState::new().build_hasher().finish())
    }
}

impl BuildHasher for Seeded {
    type Hasher = Mixed;

    fn build_hasher(&self) -> Mixed {
        Mixed(self.0)
    }
}

struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = mix(self.0 ^ u64::from(*byte)));
    }

    fn write_i64(&mut self, id: i64) {
        self.0 = mix(self.0 ^ id as u64);
    }
}
