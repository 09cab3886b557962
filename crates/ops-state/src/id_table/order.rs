//! Which row was not seen for longest, without a list that every lookup would have to change.
//!
//! A queue has the rows that were seen longest ago, in order, as it was when it was filled; all others have been
//! seen later. Seeing a row only makes it younger, so the first of the queue that was not seen since is the
//! oldest of all. When the queue is used up it is filled again by going over all rows; as it takes an eighth of
//! them, that costs each entry little. Rows seen by the same lookup are in the order of their numbers, so what is
//! given away does not depend on when the queue was filled, and a resumed table goes on as it would have.

use std::collections::VecDeque;

use super::books::Rows;

#[derive(Default)]
pub(super) struct Order {
    queue: VecDeque<(i64, u32)>,
    /// No row outside of the queue was seen last before this.
    beyond: i64,
}

impl Order {
    /// The oldest of the rows before `end` that the lookup `clock` has not seen.
    pub fn oldest(&mut self, rows: Rows<'_>, end: usize, clock: i64) -> Option<(i64, usize)> {
        let found = self.front(rows);
        if found.is_some() || self.beyond >= clock {
            return found;
        }
        self.fill(rows, end, clock);
        self.front(rows)
    }

    /// The oldest, if it was last seen before `limit`.
    pub fn before(
        &mut self,
        limit: i64,
        rows: Rows<'_>,
        end: usize,
        clock: i64,
    ) -> Option<(i64, usize)> {
        let mut found = self.front(rows);
        if found.is_none() && self.beyond < limit {
            self.fill(rows, end, clock);
            found = self.front(rows);
        }
        found.filter(|(seen, _)| *seen < limit)
    }

    fn front(&mut self, rows: Rows<'_>) -> Option<(i64, usize)> {
        while let Some(&(seen, row)) = self.queue.front() {
            if rows.seen(row as usize) == seen {
                return Some((seen, row as usize));
            }
            self.queue.pop_front();
        }
        None
    }

    fn fill(&mut self, rows: Rows<'_>, end: usize, clock: i64) {
        let used = (1..end).map(|row| (rows.seen(row), row as u32));
        // This lookup may see further rows with lower numbers.
        let mut used: Vec<(i64, u32)> =
            used.filter(|(seen, _)| *seen > 0 && *seen < clock).collect();
        let count = (rows.capacity() / 8).max(1024);
        self.beyond = clock;
        if count < used.len() {
            let (_, last, _) = used.select_nth_unstable(count - 1);
            self.beyond = last.0;
            used.truncate(count);
        }
        used.sort_unstable();
        self.queue = used.into();
    }
}
