//! _IdTableFind: the rows of ids; those without one get row 0. Changes nothing.

use downpour_graph::OpSpec;
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use super::books::rows_of;
use super::shared::shared_index;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let spec = OpSpec::new("_IdTableFind(state: resource, ids: int64) -> (rows: int64) @stateful")?;
    let spec = spec.shape(|cx| {
        cx.set_output(0, cx.input(1).clone());
        Ok(())
    });
    registry.add(spec.not_differentiable(), |_| Ok(KernelBox::function(find)))
}

fn find(cx: &mut OpContext<'_>) -> Result<()> {
    let (state, shared) = shared_index(cx, 0)?;
    let ids = cx.input(1);
    let mut out = Tensor::zeros(ids.dtype(), ids.shape().clone())?;
    let mut known = shared.known.lock();
    let version = state.version();
    state.inspect(|value| {
        let rows = rows_of(value)?;
        let index = known.index(&state, version, rows)?;
        let places = out.as_mut_slice::<i64>().unwrap_or_default();
        for (id, place) in ids.as_slice::<i64>()?.iter().zip(places) {
            *place = index.find(*id, rows).unwrap_or(0) as i64;
        }
        Ok(())
    })?;
    known.unchanged(&state, version);
    drop(known);
    cx.set_output(0, out);
    Ok(())
}
