//! Tables for ids that nobody knows in advance: any int64 is given a row of an ordinary variable of fixed size.
//!
//! What a table knows is in variables beside the rows, so that checkpoints have it like everything else:
//! - `state`, int64 [capacity, 3]: of each row the id that has it, the lookup that saw it last (0: nobody has the
//!   row) and how often the row was given to an id. Row 0 belongs to no id: all that have no row share it.
//! - `candidates`, int32 [4 * 2^n]: how often ids without a row were seen, roughly (`candidates.rs`).
//! - `totals`, int64 [7]: the number of lookups, which is the table's clock, and statistics (`books.rs`).
//!
//! Three operations: `_IdTableAdmit` (training) gives known ids their rows, counts unknown ones and gives a row
//! to those seen often enough; `_IdTableFind` (evaluation) changes nothing; `_IdTableClaim` stands before an
//! optimizer's update.
//!
//! Protocol, for several workers at one table:
//! 1. Whatever changes a table holds its index's lock from beginning to end (`shared.rs`); variables are locked
//!    inside of it, never the other way round.
//! 2. A row that goes to another id gets its first value before the lock is released: who finds the id finds its
//!    own values, whoever admitted it.
//! 3. An optimizer's slots are not known when a table is looked up. The row's count of owners goes up when it is
//!    given away; the slots have a variable with the counts they are made for (`marks`), and a claim sets the slots
//!    of rows whose counts differ to their first values. Whichever worker comes first does it, and it is done once.
//! 4. Between a worker's lookup and its update a row may have gone to another id. A claim compares and turns such
//!    rows into row 0, to which the id belongs by then: no id gets another's gradient.
//! 5. Between a claim and the update no row changes hands, as rows seen in the last `hold` lookups are not given
//!    away and a claim counts as a sighting where that is about to end.

mod admit;
mod books;
mod candidates;
mod claim;
mod find;
mod index;
mod initial;
mod order;
mod shared;
#[cfg(test)]
mod tests;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    admit::register(registry)?;
    find::register(registry)?;
    claim::register(registry)
}
