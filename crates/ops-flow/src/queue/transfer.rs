//! Enqueue and dequeue, one element or a batch.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, KernelBuild, Registry};
use downpour_tensor::{Charge, DataType, Result, Status};

use super::Tuple;
use super::batch::cut;
use super::core::{Kind, Queue};
use super::create::types_text;
use crate::handle::find_async;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "QueueEnqueueV2(handle: resource, components: Tcomponents) -> () @stateful
            Tcomponents: list(type) >= 1
            timeout_ms: int = -1",
        "QueueEnqueue(handle: Ref(string), components: Tcomponents) -> ()
            Tcomponents: list(type) >= 1
            timeout_ms: int = -1",
    ] {
        registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
            no_timeout(build)?;
            Ok(KernelBox::asynchronous(Enqueue { many: false }))
        })?;
    }
    for signature in [
        "QueueEnqueueManyV2(handle: resource, components: Tcomponents) -> () @stateful
            Tcomponents: list(type) >= 1
            timeout_ms: int = -1",
        "QueueEnqueueMany(handle: Ref(string), components: Tcomponents) -> ()
            Tcomponents: list(type) >= 1
            timeout_ms: int = -1",
    ] {
        registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
            no_timeout(build)?;
            Ok(KernelBox::asynchronous(Enqueue { many: true }))
        })?;
    }
    for signature in [
        "QueueDequeueV2(handle: resource) -> (components: component_types) @stateful
            component_types: list(type) >= 1
            timeout_ms: int = -1",
        "QueueDequeue(handle: Ref(string)) -> (components: component_types)
            component_types: list(type) >= 1
            timeout_ms: int = -1",
    ] {
        registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
            no_timeout(build)?;
            Ok(KernelBox::asynchronous(DequeueOne))
        })?;
    }
    for signature in [
        "QueueDequeueManyV2(handle: resource, n: int32) -> (components: component_types) @stateful
            component_types: list(type) >= 1
            timeout_ms: int = -1",
        "QueueDequeueMany(handle: Ref(string), n: int32) -> (components: component_types)
            component_types: list(type) >= 1
            timeout_ms: int = -1",
    ] {
        registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
            no_timeout(build)?;
            Ok(KernelBox::asynchronous(DequeueMany { up_to: false }))
        })?;
    }
    for signature in [
        "QueueDequeueUpToV2(handle: resource, n: int32) -> (components: component_types) @stateful
            component_types: list(type) >= 1
            timeout_ms: int = -1",
        "QueueDequeueUpTo(handle: Ref(string), n: int32) -> (components: component_types)
            component_types: list(type) >= 1
            timeout_ms: int = -1",
    ] {
        registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
            no_timeout(build)?;
            Ok(KernelBox::asynchronous(DequeueMany { up_to: true }))
        })?;
    }
    Ok(())
}

fn no_timeout(build: &KernelBuild<'_>) -> Result<()> {
    match build.int("timeout_ms")? {
        -1 => Ok(()),
        _ => Err(Status::invalid_argument("Timeout not supported yet.")),
    }
}

struct Enqueue {
    many: bool,
}

impl AsyncKernel for Enqueue {
    fn start(&self, cx: AsyncContext) {
        match self.elements(&cx) {
            Ok((queue, tuples, places)) => {
                let step = cx.step().clone();
                queue.enqueue(step.cancellation(), tuples, move |result| {
                    drop(places);
                    cx.finish(result.map(|_| Vec::new()));
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

impl Enqueue {
    /// The queue, what to put into it, and a charge for the places until it is there.
    fn elements(&self, cx: &AsyncContext) -> Result<(Arc<Queue>, Vec<Tuple>, Charge)> {
        let queue = find_async::<Queue>(cx, 0)?;
        // Just as long as it is: a queue may hold millions of them.
        let mut tuple: Tuple = Vec::with_capacity(cx.inputs_len() - 1);
        for i in 1..cx.inputs_len() {
            tuple.push(match cx.input_value(i) {
                downpour_runtime::Value::Ref(variable) => variable.read()?,
                _ => cx.input(i).clone(),
            });
        }
        let (tuples, places) = if self.many {
            let size = queue.spec.check_many(&tuple)?;
            cut(&tuple, size)?
        } else {
            queue.spec.check(&tuple)?;
            (vec![tuple], Charge::default())
        };
        Ok((queue, tuples, places))
    }
}

/// The queue in input 0, whose components must have the types the node gives out.
fn queue_for(cx: &AsyncContext) -> Result<Arc<Queue>> {
    let queue = find_async::<Queue>(cx, 0)?;
    let wanted: Vec<DataType> = cx.node().output_types.iter().map(|t| t.dtype).collect();
    if queue.spec.dtypes == wanted {
        return Ok(queue);
    }
    Err(Status::invalid_argument(format!(
        "Signature mismatch, have: ->{} expected: ->{}",
        types_text(&wanted),
        types_text(&queue.spec.dtypes)
    )))
}

struct DequeueOne;

impl AsyncKernel for DequeueOne {
    fn start(&self, cx: AsyncContext) {
        match queue_for(&cx) {
            Ok(queue) => {
                let step = cx.step().clone();
                queue.dequeue(step.cancellation(), 1, false, false, move |result| {
                    cx.finish(result.map(|tuples| tuples.into_iter().flatten().collect()));
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

struct DequeueMany {
    up_to: bool,
}

impl AsyncKernel for DequeueMany {
    fn start(&self, cx: AsyncContext) {
        match self.prepare(&cx) {
            Ok((queue, 0)) => cx.finish(queue.spec.empty_batch()),
            Ok((queue, count)) => {
                let (step, spec) = (cx.step().clone(), queue.clone());
                queue.dequeue(step.cancellation(), count, true, self.up_to, move |result| {
                    cx.finish(result.and_then(|tuples| spec.spec.batch(&tuples)));
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

impl DequeueMany {
    fn prepare(&self, cx: &AsyncContext) -> Result<(Arc<Queue>, usize)> {
        let count = cx.input(1).to_scalar::<i32>()?;
        let op = if self.up_to { "DequeueUpToOp" } else { "DequeueManyOp" };
        let count = usize::try_from(count).map_err(|_| {
            Status::invalid_argument(format!("{op} requested {count} < 0 elements"))
        })?;
        let queue = queue_for(cx)?;
        if !queue.has_shapes() {
            let kind = queue.spec.kind;
            return Err(Status::invalid_argument(match kind {
                Kind::Priority => "PriorityQueue's DequeueMany requires the components to have \
                                   specified shapes."
                    .to_string(),
                _ => format!(
                    "{}'s DequeueMany and DequeueUpTo require the components to have specified \
                     shapes.",
                    kind.name()
                ),
            }));
        }
        Ok((queue, count))
    }
}
