//! _IdTableClaim: before an optimizer changes rows of a table.
//!
//! Takes the lookups of the step (`ids` and the `rows` they got) and the rows a gradient is for. Rows that have
//! gone to other ids since become row 0. The optimizer's slots of rows that have a new owner get their first
//! values, once: `marks` has for each row the owner that the slots are for.

use std::collections::HashSet;
use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry, Variable};
use downpour_tensor::{DataType, RealNumber, Result, Status, Tensor, dispatch_float};

use super::books::{Books, CLOCK, Rows, check_totals, rows_of};
use super::shared::{shared_index, variable_of};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let spec = OpSpec::new(
        "_IdTableClaim(state: resource, totals: resource, marks: M * resource, slots: N * resource, ids: L * int64, \
         rows: L * int64, indices: int64) -> (claimed: int64) @stateful
            M: int >= 0
            N: int >= 0
            L: int >= 1
            hold: int >= 1 = 1
            initial: list(float)",
    )?;
    let spec = spec.shape(|cx| {
        let last = cx.node().inputs.len() - 1;
        cx.set_output(0, cx.input(last).clone());
        Ok(())
    });
    registry.add(spec.not_differentiable(), |build| Ok(KernelBox::new(Claim::new(build)?)))
}

struct Claim {
    hold: i64,
    initial: Vec<f32>,
    lookups: usize,
}

/// The variables that follow the rows' owners.
struct Slots {
    marks: Arc<Variable>,
    slots: Vec<Arc<Variable>>,
}

impl Claim {
    fn new(build: &KernelBuild<'_>) -> Result<Claim> {
        let initial = build.floats("initial")?;
        let (marks, slots) = (build.int("M")?, build.int("N")?);
        if initial.len() as i64 != slots || marks != slots.min(1) {
            return Err(Status::invalid_argument(format!(
                "_IdTableClaim has {slots} slots, {} first values and {marks} marks: it needs a first value for \
                 each slot, and marks if there are slots",
                initial.len()
            )));
        }
        let lookups = build.int("L")?.try_into().unwrap_or(0);
        Ok(Claim { hold: build.int("hold")?, initial, lookups })
    }

    fn slots(&self, cx: &OpContext<'_>) -> Result<Option<Slots>> {
        if self.initial.is_empty() {
            return Ok(None);
        }
        let marks = variable_of(cx, 2, DataType::Int64)?;
        let slots = (0..self.initial.len()).map(|i| cx.variable(3 + i));
        Ok(Some(Slots { marks, slots: slots.collect::<Result<_>>()? }))
    }

    /// The rows that have gone to others, and those that would soon be given away.
    fn compare(
        &self,
        cx: &OpContext<'_>,
        first: usize,
        rows: Rows<'_>,
        clock: i64,
    ) -> Result<(HashSet<i64>, Vec<usize>)> {
        let (mut gone, mut old) = (HashSet::new(), Vec::new());
        for lookup in first..first + self.lookups {
            let ids = cx.input(lookup).as_slice::<i64>()?;
            let found = cx.input(lookup + self.lookups).as_slice::<i64>()?;
            if ids.len() != found.len() {
                return Err(Status::invalid_argument(format!(
                    "_IdTableClaim: a lookup of {} ids has {} rows",
                    ids.len(),
                    found.len()
                )));
            }
            for (&id, &number) in ids.iter().zip(found) {
                let row = inside(number, rows)?;
                if row == 0 {
                    continue;
                }
                if !rows.has(row, id) {
                    gone.insert(number);
                } else if clock.saturating_sub(rows.seen(row)) >= self.hold / 2 + self.hold % 2 {
                    old.push(row);
                }
            }
        }
        Ok((gone, old))
    }
}

fn inside(row: i64, rows: Rows<'_>) -> Result<usize> {
    let found = usize::try_from(row).ok().filter(|&row| row < rows.capacity());
    found.ok_or_else(|| {
        Status::invalid_argument(format!(
            "_IdTableClaim: there is no row {row} of {}",
            rows.capacity()
        ))
    })
}

impl Kernel for Claim {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (state, shared) = shared_index(cx, 0)?;
        let totals = variable_of(cx, 1, DataType::Int64)?;
        let slots = self.slots(cx)?;
        let first = 2 + self.initial.len().min(1) + self.initial.len();
        let indices = cx.input(first + 2 * self.lookups);
        let mut out = indices.deep_copy()?;
        let mut known = shared.known.lock();
        let clock = totals.inspect(|totals| {
            check_totals(totals)?;
            Ok(totals.as_slice::<i64>()?[CLOCK])
        })?;
        let (old, owners) = state.inspect(|value| {
            let rows = rows_of(value)?;
            let (gone, old) = self.compare(cx, first, rows, clock)?;
            let mut owners = Vec::new();
            for row in out.as_mut_slice::<i64>().unwrap_or_default() {
                let number = inside(*row, rows)?;
                match gone.contains(row) {
                    true => *row = 0,
                    false if slots.is_some() => owners.push((number, rows.given(number))),
                    false => {}
                }
            }
            Ok((old, owners))
        })?;
        if !old.is_empty() {
            let version = state.version();
            let seen = state.update(|value| {
                rows_of(value)?;
                let rows = value.as_mut_slice();
                let rows = rows.ok_or_else(|| Status::internal("an update has its value alone"))?;
                let mut books = Books { rows, totals: &mut [] };
                old.iter().for_each(|row| books.see(*row, clock));
                Ok(())
            });
            known.changed(&state, version);
            seen?;
        }
        if let Some(slots) = slots {
            slots.follow(&owners, &self.initial)?;
        }
        drop(known);
        cx.set_output(0, out);
        Ok(())
    }
}

impl Slots {
    /// Rows with another owner than the slots know get the slots' first values.
    fn follow(&self, owners: &[(usize, i64)], initial: &[f32]) -> Result<()> {
        let differ = self.marks.inspect(|marks| {
            let marks = marks.as_slice::<i64>()?;
            let mut differ = Vec::new();
            for &(row, owner) in owners {
                let mark = marks.get(row).ok_or_else(|| {
                    Status::invalid_argument(format!(
                        "_IdTableClaim: the marks are for {} rows, too few for row {row}",
                        marks.len()
                    ))
                })?;
                if *mark != owner {
                    differ.push((row, owner));
                }
            }
            Ok(differ)
        })?;
        if differ.is_empty() {
            return Ok(());
        }
        for (slot, &initial) in self.slots.iter().zip(initial) {
            let op = "_IdTableClaim";
            slot.update(|value| {
                dispatch_float!(value.dtype(), op, T => reset::<T>(value, &differ, initial))
            })?;
        }
        self.marks.update(|marks| {
            let marks = marks.as_mut_slice::<i64>();
            let marks = marks.ok_or_else(|| Status::internal("an update has its value alone"))?;
            for &(row, owner) in &differ {
                if let Some(mark) = marks.get_mut(row) {
                    *mark = owner;
                }
            }
            Ok(())
        })
    }
}

fn reset<T: RealNumber>(value: &mut Tensor, rows: &[(usize, i64)], initial: f32) -> Result<()> {
    let there = value.dims().first().copied().unwrap_or(0);
    if let Some((row, _)) = rows.iter().find(|(row, _)| *row >= there) {
        return Err(Status::invalid_argument(format!(
            "_IdTableClaim: a slot has {there} rows, too few for row {row}"
        )));
    }
    let width: usize = value.dims().iter().skip(1).product();
    let initial = T::from_f64(initial.into()).unwrap_or_default();
    let values = value.as_mut_slice::<T>();
    let values = values.ok_or_else(|| Status::internal("an update has its value alone"))?;
    for (row, _) in rows {
        values[row * width..(row + 1) * width].fill(initial);
    }
    Ok(())
}
