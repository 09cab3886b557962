//! `CollectiveInitializeCommunicator`, and `CollectiveReduceV3` and `CollectiveAllToAllV3`, which name their group by
//! what it gives.
//!
//! A communicator is a handle on what its node was told: group, rank and size. The operations on it count their
//! occasions themselves: within a step a member's first operation meets the others' first, and so on. An empty
//! `group_assignment` is the whole group; otherwise each of its rows is a part of it, and a member meets those of
//! its row.

use std::collections::HashMap;
use std::time::Duration;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, KernelBox, KernelBuild, OpContext, Registry, Resource,
    ResourceManager,
};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use crate::assign_group::row_of;
use crate::call::{Call, group_size, meet, merge_op, one, timeout};
use crate::work::{Merge, Work};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CollectiveInitializeCommunicator(group_key: int32, rank: int32, group_size: int32) -> (communicator: resource) @stateful @distributed
                communication_hint: string = 'auto'
                timeout_seconds: float = 0.0",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(initialize)),
    )?;
    registry.add(
        OpSpec::new(
            "CollectiveReduceV3(input: T, communicator: resource, group_assignment: int32) -> (data: T) @stateful @distributed
                T: {bfloat16, float, half, double, int32, int64}
                reduction: {'Min', 'Max', 'Mul', 'Add'}
                timeout_seconds: float = 0.0",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| {
            let merge = Merge { op: merge_op(&build.string("reduction")?)?, divide: false };
            make(build, move |input| Work::Reduce(input, merge))
        },
    )?;
    registry.add(
        OpSpec::new(
            "CollectiveAllToAllV3(input: T, communicator: resource, group_assignment: int32) -> (data: T) @stateful @distributed
                T: {bfloat16, float, half, double, int32, int64}
                timeout_seconds: float = 0.0",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| make(build, Work::AllToAll),
    )
}

/// What a member of a group was told about it.
struct Communicator {
    group: i64,
    rank: usize,
    size: usize,
}

impl Resource for Communicator {
    fn describe(&self) -> String {
        format!("rank {} of {} in the collective group {}", self.rank, self.size, self.group)
    }
}

/// Operations of a step on each communicator so far.
#[derive(Default)]
struct Occasions(Mutex<HashMap<String, i64>>);

impl Resource for Occasions {
    fn describe(&self) -> String {
        format!("occasions of {} communicators", self.0.lock().len())
    }
}

const CONTAINER: &str = "_communicators";

fn initialize(cx: &mut OpContext<'_>) -> Result<()> {
    let group = one(cx.input(0), "group_key")?;
    let rank = one(cx.input(1), "rank")?;
    let size = group_size(one(cx.input(2), "group_size")?)?;
    let place = usize::try_from(rank).ok().filter(|rank| *rank < size);
    let rank = place.ok_or_else(|| {
        Status::invalid_argument(format!("rank {rank} is not within a group of {size}"))
    })?;
    // What it is told is its name, so that the same communicator is made once.
    let name = format!("{group}:{rank}:{size}");
    let make = || Ok(Communicator { group, rank, size });
    cx.resources().lookup_or_create(CONTAINER, &name, make)?;
    let device = cx.step().device();
    let handle = ResourceManager::make_handle::<Communicator>(device, CONTAINER, &name);
    cx.set_output(0, Tensor::handle(handle));
    Ok(())
}

fn make<F>(build: &KernelBuild<'_>, work: F) -> Result<KernelBox>
where
    F: Fn(Tensor) -> Work + Send + Sync + 'static,
{
    Ok(KernelBox::asynchronous(OfCommunicator { timeout: timeout(build)?, work }))
}

struct OfCommunicator<F> {
    timeout: Option<Duration>,
    work: F,
}

impl<F: Fn(Tensor) -> Work + Send + Sync> AsyncKernel for OfCommunicator<F> {
    fn start(&self, cx: AsyncContext) {
        match self.call(&cx) {
            Ok(call) => {
                let work = (self.work)(cx.input(0).clone());
                meet(cx, call, work);
            }
            Err(status) => cx.finish(Err(status)),
        }
    }
}

impl<F> OfCommunicator<F> {
    fn call(&self, cx: &AsyncContext) -> Result<Call> {
        let communicator = cx.resource::<Communicator>(1)?;
        let Communicator { group, rank, size } = *communicator;
        let assignment = cx.input(2);
        let (part, members) = match assignment.is_empty() {
            true => (0, size),
            false => {
                let row = row_of(assignment, rank as i64)?.ok_or_else(|| {
                    Status::invalid_argument(format!(
                        "rank {rank} is in no row of group_assignment"
                    ))
                })?;
                (row + 1, assignment.dims()[1])
            }
        };
        let occasions =
            cx.step().local().lookup_or_create("", "occasions", || Ok(Occasions::default()))?;
        let mut occasions = occasions.0.lock();
        let next = occasions.entry(cx.handle(1)?.name.clone()).or_default();
        let instance = *next;
        *next += 1;
        Ok(Call { group, part, instance, members, rank: Some(rank), timeout: self.timeout })
    }
}
