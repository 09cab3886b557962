//! Which variables are tables of rows for ids that nobody knows in advance, and what belongs to them.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use super::{Record, Variable};
use crate::graph::Graph;

/// A table's record, without a handle on its graph.
#[derive(Clone, Debug)]
pub(crate) struct IdTableRecord {
    rows: Arc<Record>,
    state: Arc<Record>,
    totals: Arc<Record>,
    hold: i64,
}

/// What belongs to a table besides its rows; see `id_table` of the crate `downpour-ops-state`.
pub(crate) struct IdTable {
    /// Whose the rows are.
    pub state: Variable,
    /// The table's clock and statistics.
    pub totals: Variable,
    /// Lookups for which a row that was seen is kept in any case.
    pub hold: i64,
}

impl Graph {
    /// Remembers that the rows of a variable belong to ids by turns.
    pub(crate) fn add_id_table(&self, rows: &Variable, table: &IdTable) {
        let tables = &mut self.lock().collections.id_tables;
        if !tables.iter().any(|known| Arc::ptr_eq(&known.rows, &rows.record)) {
            tables.push(IdTableRecord {
                rows: rows.record.clone(),
                state: table.state.record.clone(),
                totals: table.totals.record.clone(),
                hold: table.hold,
            });
        }
    }

    /// What belongs to a variable whose rows belong to ids by turns.
    pub(crate) fn id_table(&self, rows: &Variable) -> Option<IdTable> {
        let state = self.lock();
        let found = state.collections.id_tables.iter().find(|t| Arc::ptr_eq(&t.rows, &rows.record));
        let found = found.cloned()?;
        drop(state);
        Some(IdTable {
            state: Variable::new(self, found.state),
            totals: Variable::new(self, found.totals),
            hold: found.hold,
        })
    }

    /// Refuses tables where workers hand rows over by their numbers: with copies of the variables each worker would
    /// give its rows to other ids, and averages would be of different ids.
    pub(crate) fn refuse_id_tables(&self) -> Result<()> {
        let state = self.lock();
        let Some(table) = state.collections.id_tables.first() else { return Ok(()) };
        Err(Status::unimplemented(format!(
            "'{}' is a table of rows for ids that nobody knows in advance (a HashEmbedding, or a column with `capacity`). \
             With this strategy workers exchange rows by their numbers, and a number would stand for another id with \
             each of them. Train it in one process or with the strategy asynchronous; or give the ids a fixed \
             number of buckets (Embedding, `buckets`).",
            table.rows.name
        )))
    }
}
