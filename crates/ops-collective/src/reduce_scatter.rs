//! `CollectiveReduceScatterV2`: every member gets its part, along the first axis, of the reduction.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{AsyncContext, KernelBox, KernelBuild, Registry};
use downpour_tensor::Result;

use crate::call::{Collective, Told, merge, timeout};
use crate::work::Work;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CollectiveReduceScatterV2(input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: Nordering_token * resource) -> (data: T) @stateful @distributed
                T: {bfloat16, float, half, double, int32, int64}
                merge_op: {'Min', 'Max', 'Mul', 'Add'}
                final_op: {'Id', 'Div'}
                communication_hint: string = 'auto'
                timeout_seconds: float = 0.0
                is_stateless: bool = false
                Nordering_token: int >= 0 = 0
                max_subdivs_per_device: int = -1",
        )?
        .shape(infer)
        .not_differentiable(),
        make,
    )
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = cx.with_rank_at_least(0, 1)?;
    let Some(dims) = input.dims() else { return Ok(()) };
    let size = cx.constant_ints(1).and_then(|size| usize::try_from(*size.first()?).ok());
    let rows = match (dims[0], size) {
        (Some(rows), Some(size)) if size > 0 && rows.is_multiple_of(size) => Some(rows / size),
        _ => None,
    };
    let rest = dims[1..].iter().copied();
    cx.set_output(0, PartialShape::of(std::iter::once(rows).chain(rest)));
    Ok(())
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let merge = merge(build)?;
    let work = move |cx: &AsyncContext| Ok(Work::ReduceScatter(cx.input(0).clone(), merge));
    let told = Told::Inputs(1);
    Ok(KernelBox::asynchronous(Collective { told, timeout: timeout(build)?, work }))
}
