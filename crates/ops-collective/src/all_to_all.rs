//! `CollectiveAllToAllV2`: row `r` of every member's input goes to member `r`.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{AsyncContext, KernelBox, KernelBuild, Registry};
use downpour_tensor::Result;

use crate::call::{Collective, Told, timeout};
use crate::work::Work;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CollectiveAllToAllV2(input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: Nordering_token * resource) -> (data: T) @stateful @distributed
                T: {bfloat16, float, half, double, int32, int64}
                communication_hint: string = 'auto'
                timeout_seconds: float = 0.0
                is_stateless: bool = false
                Nordering_token: int >= 0 = 0",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        make,
    )
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let work = |cx: &AsyncContext| Ok(Work::AllToAll(cx.input(0).clone()));
    let told = Told::Inputs(1);
    Ok(KernelBox::asynchronous(Collective { told, timeout: timeout(build)?, work }))
}
