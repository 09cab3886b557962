//! What a table's variables hold.

use downpour_tensor::{Result, Status, Tensor};

/// Numbers for each row of the state.
pub(super) const WIDTH: usize = 3;
const ID: usize = 0;
const SEEN: usize = 1;
const GIVEN: usize = 2;

/// The places of the totals.
pub(super) const CLOCK: usize = 0;
pub(super) const SIZE: usize = 1;
pub(super) const ADMITTED: usize = 2;
pub(super) const EVICTED: usize = 3;
pub(super) const HITS: usize = 4;
pub(super) const UNKNOWN: usize = 5;
pub(super) const COUNTED: usize = 6;
pub(super) const TOTALS: usize = 7;

/// The rows of a table, as its variable has them.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a>(pub &'a [i64]);

impl Rows<'_> {
    pub fn capacity(&self) -> usize {
        self.0.len() / WIDTH
    }

    pub fn id(&self, row: usize) -> i64 {
        self.0[row * WIDTH + ID]
    }

    /// The lookup that saw it last; 0 where nobody has the row.
    pub fn seen(&self, row: usize) -> i64 {
        self.0[row * WIDTH + SEEN].max(0)
    }

    pub fn given(&self, row: usize) -> i64 {
        self.0[row * WIDTH + GIVEN]
    }

    pub fn has(&self, row: usize, id: i64) -> bool {
        self.id(row) == id && self.seen(row) > 0
    }
}

/// The same, to be changed.
pub(super) struct Books<'a> {
    pub rows: &'a mut [i64],
    pub totals: &'a mut [i64],
}

impl Books<'_> {
    pub fn view(&self) -> Rows<'_> {
        Rows(self.rows)
    }

    pub fn see(&mut self, row: usize, clock: i64) {
        self.rows[row * WIDTH + SEEN] = clock;
    }

    pub fn give(&mut self, row: usize, id: i64, clock: i64) {
        let given = self.view().given(row).wrapping_add(1);
        self.rows[row * WIDTH..(row + 1) * WIDTH].copy_from_slice(&[id, clock, given]);
    }

    /// Nobody has the row any more.
    pub fn free(&mut self, row: usize) {
        self.see(row, 0);
    }

    pub fn add(&mut self, total: usize, number: i64) {
        self.totals[total] = self.totals[total].saturating_add(number);
    }
}

/// The rows of a state, whose shape is checked.
pub(super) fn rows_of(state: &Tensor) -> Result<Rows<'_>> {
    let &[capacity, WIDTH] = state.dims() else {
        return Err(Status::invalid_argument(format!(
            "the state of an id table has the shape [capacity, {WIDTH}], not {}",
            state.shape()
        )));
    };
    if capacity < 2 || u32::try_from(capacity).is_err() {
        return Err(Status::invalid_argument(format!(
            "an id table has between 2 and {} rows, the first of which is shared, not {capacity}",
            u32::MAX
        )));
    }
    Ok(Rows(state.as_slice()?))
}

pub(super) fn check_totals(totals: &Tensor) -> Result<()> {
    if totals.dims() == [TOTALS] {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "the totals of an id table have the shape [{TOTALS}], not {}",
        totals.shape()
    )))
}
