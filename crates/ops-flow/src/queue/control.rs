//! Closing a queue, and asking for its size and whether it is closed.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use super::core::Queue;
use crate::handle::{find_async, find_input};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "QueueCloseV2(handle: resource) -> () @stateful
            cancel_pending_enqueues: bool = false",
        "QueueClose(handle: Ref(string)) -> ()
            cancel_pending_enqueues: bool = false",
    ] {
        registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
            let cancel_pending = build.bool("cancel_pending_enqueues")?;
            Ok(KernelBox::asynchronous(Close { cancel_pending }))
        })?;
    }
    for signature in [
        "QueueSizeV2(handle: resource) -> (size: int32) @stateful",
        "QueueSize(handle: Ref(string)) -> (size: int32)",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::cheap(size)))?;
    }
    for signature in [
        "QueueIsClosedV2(handle: resource) -> (is_closed: bool) @stateful",
        "QueueIsClosed(handle: Ref(string)) -> (is_closed: bool)",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::cheap(is_closed)))?;
    }
    Ok(())
}

struct Close {
    cancel_pending: bool,
}

impl AsyncKernel for Close {
    fn start(&self, cx: AsyncContext) {
        match find_async::<Queue>(&cx, 0) {
            Ok(queue) => {
                let step = cx.step().clone();
                queue.close(step.cancellation(), self.cancel_pending, move |result| {
                    cx.finish(result.map(|_| Vec::new()));
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

fn size(cx: &mut OpContext<'_>) -> Result<()> {
    let size = find_input::<Queue>(cx, 0)?.len();
    cx.set_output(0, Tensor::scalar(i32::try_from(size).unwrap_or(i32::MAX)));
    Ok(())
}

fn is_closed(cx: &mut OpContext<'_>) -> Result<()> {
    let closed = find_input::<Queue>(cx, 0)?.is_closed();
    cx.set_output(0, Tensor::scalar(closed));
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::bench::{Bench, Pending};
    use downpour_graph::{Attrs, PartialShape};
    use downpour_runtime::Value;
    use downpour_tensor::{Code, DataType, Result, Tensor};

    struct Tested {
        bench: Bench,
        handle: Value,
        v2: bool,
    }

    impl Tested {
        fn new(op: &str, attrs: Attrs) -> Tested {
            let bench = Bench::new(crate::queue::register);
            let handle = bench.values(op, attrs, vec![]).unwrap().remove(0);
            Tested { bench, handle, v2: op.ends_with("V2") }
        }

        fn start(&self, op: &str, attrs: Attrs, inputs: &[Tensor]) -> Pending {
            let op = if self.v2 { format!("{op}V2") } else { op.to_string() };
            let mut all = vec![self.handle.clone()];
            all.extend(inputs.iter().cloned().map(Value::Tensor));
            self.bench.start(&op, attrs, all)
        }

        fn enqueue(&self, value: i32) -> Pending {
            self.start("QueueEnqueue", Attrs::new(), &[Tensor::scalar(value)])
        }

        fn enqueue_many(&self, values: &[i32]) -> Pending {
            self.start("QueueEnqueueMany", Attrs::new(), &[Tensor::vector(values).unwrap()])
        }

        fn dequeue(&self) -> Pending {
            let attrs = Attrs::new().with("component_types", vec![DataType::Int32]);
            self.start("QueueDequeue", attrs, &[])
        }

        fn many(&self, op: &str, count: i32) -> Pending {
            let attrs = Attrs::new().with("component_types", vec![DataType::Int32]);
            self.start(op, attrs, &[Tensor::scalar(count)])
        }

        fn close(&self, cancel: bool) -> Pending {
            let attrs = Attrs::new().with("cancel_pending_enqueues", cancel);
            self.start("QueueClose", attrs, &[])
        }

        fn size(&self) -> i32 {
            let out = self.start("QueueSize", Attrs::new(), &[]).tensors().unwrap();
            out[0].to_scalar().unwrap()
        }
    }

    fn ints(pending: Pending) -> Result<Vec<i32>> {
        Ok(pending.tensors()?[0].as_slice::<i32>()?.to_vec())
    }

    fn fifo(capacity: i64) -> Tested {
        let attrs = Attrs::new()
            .with("component_types", vec![DataType::Int32])
            .with("shapes", vec![PartialShape::scalar()])
            .with("capacity", capacity)
            .with("shared_name", "q");
        Tested::new("FIFOQueueV2", attrs)
    }

    #[test]
    fn first_in_first_out_in_both_handle_forms() {
        for op in ["FIFOQueue", "FIFOQueueV2"] {
            let attrs = Attrs::new().with("component_types", vec![DataType::Int32]);
            let q = Tested::new(op, attrs);
            q.enqueue(1).tensors().unwrap();
            q.enqueue_many(&[2, 3]).tensors().unwrap();
            assert_eq!(q.size(), 3);
            assert_eq!(ints(q.dequeue()).unwrap(), [1]);
            assert_eq!(ints(q.dequeue()).unwrap(), [2]);
            let error = q.many("QueueDequeueMany", 1).tensors().unwrap_err();
            assert!(error.message().contains("require the components to have specified shapes"));
        }
    }

    #[test]
    fn enqueues_wait_for_room_and_dequeues_for_elements() {
        let q = fifo(2);
        let many = q.enqueue_many(&[1, 2, 3]);
        assert!(many.is_waiting());
        assert_eq!(ints(q.dequeue()).unwrap(), [1]);
        many.tensors().unwrap();
        assert_eq!(ints(q.many("QueueDequeueMany", 2)).unwrap(), [2, 3]);
        let waiting = q.many("QueueDequeueMany", 3);
        q.enqueue_many(&[4, 5]).tensors().unwrap();
        assert!(waiting.is_waiting());
        assert_eq!(q.size(), 0, "a waiting batch has taken what there was");
        q.enqueue(6).tensors().unwrap();
        assert_eq!(ints(waiting).unwrap(), [4, 5, 6]);
    }

    #[test]
    fn closing_restores_partial_batches() {
        let q = fifo(10);
        q.enqueue_many(&[1, 2]).tensors().unwrap();
        let waiting = q.many("QueueDequeueMany", 3);
        let up_to = q.many("QueueDequeueUpTo", 3);
        q.close(false).tensors().unwrap();
        let error = waiting.tensors().unwrap_err();
        assert_eq!(error.code(), Code::OutOfRange);
        assert!(error.message().contains(
            "FIFOQueue 'q' is closed and has insufficient elements (requested 1, current size 0)"
        ));
        assert_eq!(ints(up_to).unwrap(), [1, 2]);
        let error = q.enqueue(1).tensors().unwrap_err();
        assert_eq!(error.code(), Code::Cancelled);
        assert!(error.message().contains("is closed"));
        let error = q.dequeue().tensors().unwrap_err();
        assert!(error.message().contains("(requested 1, current size 0)"));
        assert!(q.close(false).tensors().unwrap_err().message().contains("is already closed"));
    }

    #[test]
    fn closing_waits_for_enqueues_or_cancels_them() {
        let q = fifo(1);
        q.enqueue(1).tensors().unwrap();
        let waiting = q.enqueue(2);
        let close = q.close(false);
        assert!(close.is_waiting());
        assert_eq!(ints(q.dequeue()).unwrap(), [1]);
        waiting.tensors().unwrap();
        close.tensors().unwrap();
        assert_eq!(ints(q.dequeue()).unwrap(), [2]);

        let q = fifo(1);
        q.enqueue(1).tensors().unwrap();
        let waiting = q.enqueue(2);
        q.close(true).tensors().unwrap();
        assert_eq!(waiting.tensors().unwrap_err().code(), Code::Cancelled);
        assert_eq!(ints(q.dequeue()).unwrap(), [1]);
    }

    #[test]
    fn a_cancelled_step_stops_waiting() {
        let mut q = fifo(1);
        let (first, second) = (q.dequeue(), q.many("QueueDequeueMany", 2));
        q.bench.step.cancellation().cancel();
        let error = first.tensors().unwrap_err();
        assert_eq!(error.message(), "Dequeue operation was cancelled");
        assert_eq!(second.tensors().unwrap_err().code(), Code::Cancelled);
        assert_eq!(q.dequeue().tensors().unwrap_err().code(), Code::Cancelled);
        q.bench.next_step();
        q.enqueue(7).tensors().unwrap();
        assert_eq!(ints(q.dequeue()).unwrap(), [7]);
    }

    #[test]
    fn shuffling_keeps_some_back_and_repeats_by_seed() {
        let shuffle = || {
            let attrs = Attrs::new()
                .with("component_types", vec![DataType::Int32])
                .with("shapes", vec![PartialShape::scalar()])
                .with("min_after_dequeue", 2i64)
                .with("seed", 5i64)
                .with("capacity", 10i64);
            let q = Tested::new("RandomShuffleQueueV2", attrs);
            q.enqueue_many(&[1, 2, 3, 4, 5]).tensors().unwrap();
            let mut got = ints(q.many("QueueDequeueMany", 3)).unwrap();
            let rest = q.many("QueueDequeueMany", 2);
            assert!(rest.is_waiting());
            q.close(false).tensors().unwrap();
            got.extend(ints(rest).unwrap());
            got
        };
        let order = shuffle();
        assert_eq!(order, shuffle());
        let mut sorted = order.clone();
        sorted.sort();
        assert_eq!(sorted, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn priorities_come_sorted() {
        let attrs = Attrs::new()
            .with("component_types", vec![DataType::Int32])
            .with("shapes", vec![PartialShape::scalar()]);
        let q = Tested::new("PriorityQueueV2", attrs);
        for (priority, value) in [(3i64, 30), (1, 10), (2, 20)] {
            let inputs = [Tensor::scalar(priority), Tensor::scalar(value)];
            q.start("QueueEnqueue", Attrs::new(), &inputs).tensors().unwrap();
        }
        let types = vec![DataType::Int64, DataType::Int32];
        let attrs = Attrs::new().with("component_types", types);
        let out = q.start("QueueDequeueMany", attrs, &[Tensor::scalar(3i32)]).tensors().unwrap();
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[10, 20, 30]);
    }

    #[test]
    fn bad_requests_are_refused() {
        let q = fifo(2);
        assert!(q.many("QueueDequeueMany", -1).tensors().is_err());
        assert_eq!(ints(q.many("QueueDequeueMany", 0)).unwrap(), [0i32; 0]);
        let vector = Tensor::vector(&[1i32, 2]).unwrap();
        let error = q.start("QueueEnqueue", Attrs::new(), &[vector]).tensors().unwrap_err();
        assert!(
            error.message().contains("Shape mismatch in tuple component 0. Expected [], got [2]")
        );
        let error = q.start("QueueEnqueueMany", Attrs::new(), &[Tensor::scalar(1i32)]);
        assert!(error.tensors().is_err());
        let other = Attrs::new()
            .with("component_types", vec![DataType::Int32])
            .with("capacity", 3i64)
            .with("shared_name", "q");
        let error = q.bench.values("FIFOQueueV2", other, vec![]).err().unwrap();
        assert!(error.message().contains("has capacity 2 but requested capacity was 3"));
    }
}
