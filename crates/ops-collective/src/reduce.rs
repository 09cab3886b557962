//! `CollectiveReduce` and `CollectiveReduceV2`: every member gets the reduction of what all members have.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{AsyncContext, KernelBox, KernelBuild, Registry};
use downpour_tensor::Result;

use crate::call::{Collective, Told, merge, timeout};
use crate::work::Work;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CollectiveReduce(input: T) -> (data: T) @stateful @distributed
                T: {bfloat16, float, half, double, int32, int64}
                group_size: int
                group_key: int
                instance_key: int
                merge_op: {'Min', 'Max', 'Mul', 'Add'}
                final_op: {'Id', 'Div'}
                subdiv_offsets: list(int)
                wait_for: list(int) = []
                communication_hint: string = 'auto'
                timeout_seconds: float = 0.0",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| make(build, Told::by_attributes(build)?),
    )?;
    registry.add(
        OpSpec::new(
            "CollectiveReduceV2(input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: Nordering_token * resource) -> (data: T) @stateful @distributed
                T: {bfloat16, float, half, double, int32, int64}
                merge_op: {'Min', 'Max', 'Mul', 'Add'}
                final_op: {'Id', 'Div'}
                communication_hint: string = 'auto'
                timeout_seconds: float = 0.0
                is_stateless: bool = false
                Nordering_token: int >= 0 = 0
                max_subdivs_per_device: int = -1",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| make(build, Told::Inputs(1)),
    )
}

fn make(build: &KernelBuild<'_>, told: Told) -> Result<KernelBox> {
    let merge = merge(build)?;
    let work = move |cx: &AsyncContext| Ok(Work::Reduce(cx.input(0).clone(), merge));
    Ok(KernelBox::asynchronous(Collective { told, timeout: timeout(build)?, work }))
}
