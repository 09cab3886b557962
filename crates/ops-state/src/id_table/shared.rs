//! The index of a table, shared by all operations on it and made anew when the state was assigned.

use std::sync::{Arc, Weak};

use downpour_runtime::{OpContext, Resource, STEP_CONTAINER, Variable};
use downpour_tensor::{DataType, Result, Status};
use parking_lot::Mutex;

use super::books::Rows;
use super::index::Index;

/// Beside the variable of the state, under its name.
#[derive(Default)]
pub(super) struct SharedIndex {
    pub known: Mutex<Known>,
}

/// An index, and of which value of which variable it is.
#[derive(Default)]
pub(super) struct Known {
    state: Weak<Variable>,
    version: Option<u64>,
    index: Index,
}

impl Resource for SharedIndex {
    fn describe(&self) -> String {
        format!("index of {} ids", self.known.lock().index.len())
    }
}

impl Known {
    /// The index of these rows, the variable's value at `version`. Who changes the variable says so by `changed`.
    pub fn index(
        &mut self,
        state: &Arc<Variable>,
        version: u64,
        rows: Rows<'_>,
    ) -> Result<&mut Index> {
        let same = std::ptr::eq(self.state.as_ptr(), Arc::as_ptr(state));
        if !same || self.version != Some(version) {
            self.version = None;
            self.index = Index::of(rows)?;
            self.state = Arc::downgrade(state);
            self.version = Some(version);
        }
        Ok(&mut self.index)
    }

    /// After one change of our own. Was there another meanwhile, the index must be made again.
    pub fn changed(&mut self, state: &Variable, before: u64) {
        let now = state.version();
        self.version = (self.version == Some(before) && now == before + 1).then_some(now);
    }

    /// After looking only.
    pub fn unchanged(&mut self, state: &Variable, before: u64) {
        if state.version() != before {
            self.version = None;
        }
    }
}

/// The variable of the state behind input `i`, and its index.
pub(super) fn shared_index(
    cx: &OpContext<'_>,
    i: usize,
) -> Result<(Arc<Variable>, Arc<SharedIndex>)> {
    let state = variable_of(cx, i, DataType::Int64)?;
    let handle = cx.handle(i)?;
    if handle.container == STEP_CONTAINER {
        return Err(cx.bad_input(i, "must outlive the step"));
    }
    let make = || Ok(SharedIndex::default());
    let index = cx.resources().lookup_or_create(&handle.container, &handle.name, make)?;
    Ok((state, index))
}

/// The variable behind input `i`, which must hold `dtype`.
pub(super) fn variable_of(cx: &OpContext<'_>, i: usize, dtype: DataType) -> Result<Arc<Variable>> {
    let variable = cx.variable(i)?;
    if variable.dtype() == dtype {
        return Ok(variable);
    }
    Err(Status::invalid_argument(format!(
        "{}: variable {} holds {}, not {dtype}",
        cx.node().op_name(),
        variable.name(),
        variable.dtype()
    )))
}
