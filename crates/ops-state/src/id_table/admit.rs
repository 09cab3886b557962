//! _IdTableAdmit: the rows of ids, for training. Unknown ids are counted; those seen often enough get a row,
//! whose first value is written here.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry, Variable};
use downpour_tensor::{DataType, RealNumber, Result, Status, Tensor, dispatch_float};

use super::books::{Books, check_totals, rows_of};
use super::index::{Fresh, Rules};
use super::initial::Initial;
use super::shared::{shared_index, variable_of};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let spec = OpSpec::new(
        "_IdTableAdmit(state: resource, candidates: resource, totals: resource, table: resource, ids: int64) \
         -> (rows: int64) @stateful
            dtype: {float, double, half, bfloat16}
            admit_after: int >= 1 = 1
            max_age: int >= 0 = 0
            hold: int >= 1 = 1
            negative: bool = true
            initial: string = 'constant'
            first: float = 0.0
            second: float = 0.0
            seed: int = 0",
    )?;
    let spec = spec.shape(|cx| {
        cx.set_output(0, cx.input(4).clone());
        Ok(())
    });
    registry.add(spec.not_differentiable(), |build| Ok(KernelBox::new(Admit::new(build)?)))
}

struct Admit {
    rules: Rules,
    initial: Initial,
    dtype: DataType,
}

impl Admit {
    fn new(build: &KernelBuild<'_>) -> Result<Admit> {
        let rules = Rules {
            admit_after: i32::try_from(build.int("admit_after")?).unwrap_or(i32::MAX),
            max_age: build.int("max_age")?,
            hold: build.int("hold")?,
            negative: build.bool("negative")?,
        };
        Ok(Admit { rules, initial: Initial::of(build)?, dtype: build.dtype("dtype")? })
    }

    /// Writes the first values of rows that have just been given away.
    fn start(&self, table: &Variable, fresh: &[Fresh]) -> Result<()> {
        if fresh.is_empty() {
            return Ok(());
        }
        table.update(
            |value| dispatch_float!(self.dtype, "_IdTableAdmit", T => self.fill::<T>(value, fresh)),
        )
    }

    fn fill<T: RealNumber>(&self, value: &mut Tensor, fresh: &[Fresh]) -> Result<()> {
        let width: usize = value.dims().iter().skip(1).product();
        let values = value.as_mut_slice::<T>();
        let values = values.ok_or_else(|| Status::internal("an update has its value alone"))?;
        for Fresh { row, id } in fresh {
            if let Some(row) = values.get_mut(row * width..(row + 1) * width) {
                self.initial.fill(*id, row);
            }
        }
        Ok(())
    }
}

impl Kernel for Admit {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (state, shared) = shared_index(cx, 0)?;
        let candidates = variable_of(cx, 1, DataType::Int32)?;
        let totals = variable_of(cx, 2, DataType::Int64)?;
        let table = variable_of(cx, 3, self.dtype)?;
        let ids = cx.input(4);
        let mut out = Tensor::zeros(ids.dtype(), ids.shape().clone())?;
        let mut known = shared.known.lock();
        let rows_there = table.inspect(|value| Ok(value.dims().first().copied()))?;
        let version = state.version();
        let variables: [&Arc<Variable>; 3] = [&state, &candidates, &totals];
        let fresh = Variable::update_all(variables, |[state_value, candidates, totals]| {
            let rows = rows_of(state_value)?;
            check_totals(totals)?;
            if rows_there != Some(rows.capacity()) {
                return Err(Status::invalid_argument(format!(
                    "_IdTableAdmit: the state is for {} rows, but the table {} has {}",
                    rows.capacity(),
                    table.name(),
                    rows_there.unwrap_or(0)
                )));
            }
            let index = known.index(&state, version, rows)?;
            let alone = || Status::internal("an update has its values alone");
            let mut books = Books {
                rows: state_value.as_mut_slice().ok_or_else(alone)?,
                totals: totals.as_mut_slice().ok_or_else(alone)?,
            };
            let cells = candidates.as_mut_slice().ok_or_else(alone)?;
            let places = out.as_mut_slice::<i64>().ok_or_else(alone)?;
            index.admit(&mut books, cells, &self.rules, ids.as_slice()?, places)
        });
        known.changed(&state, version);
        self.start(&table, &fresh?)?;
        drop(known);
        cx.set_output(0, out);
        Ok(())
    }
}
