//! `CollectiveGather` and `CollectiveGatherV2`: every member gets the rows of all, in the members' order.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{AsyncContext, KernelBox, KernelBuild, Registry};
use downpour_tensor::Result;

use crate::call::{Collective, Told, timeout};
use crate::work::Work;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CollectiveGather(input: T) -> (data: T) @stateful @distributed
                T: {float, half, double, int32, int64}
                group_size: int
                group_key: int
                instance_key: int
                shape: shape
                communication_hint: string = 'auto'
                timeout_seconds: float = 0.0",
        )?
        .shape(|cx| {
            let size = usize::try_from(cx.node().int("group_size")?).ok();
            infer(cx, size)
        })
        .not_differentiable(),
        |build| make(build, Told::by_attributes(build)?),
    )?;
    registry.add(
        OpSpec::new(
            "CollectiveGatherV2(input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: Nordering_token * resource) -> (data: T) @stateful @distributed
                T: {float, half, double, int32, int64}
                communication_hint: string = 'auto'
                timeout_seconds: float = 0.0
                is_stateless: bool = false
                Nordering_token: int >= 0 = 0",
        )?
        .shape(|cx| infer(cx, None))
        .not_differentiable(),
        |build| make(build, Told::Inputs(1)),
    )
}

fn infer(cx: &mut ShapeContext<'_>, size: Option<usize>) -> Result<()> {
    let input = cx.with_rank_at_least(0, 1)?;
    let Some(dims) = input.dims() else { return Ok(()) };
    let rows = dims[0].zip(size).and_then(|(rows, size)| rows.checked_mul(size));
    let rest = dims[1..].iter().copied();
    cx.set_output(0, PartialShape::of(std::iter::once(rows).chain(rest)));
    Ok(())
}

fn make(build: &KernelBuild<'_>, told: Told) -> Result<KernelBox> {
    let work = |cx: &AsyncContext| Ok(Work::Gather(cx.input(0).clone()));
    Ok(KernelBox::asynchronous(Collective { told, timeout: timeout(build)?, work }))
}
