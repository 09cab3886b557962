//! MutexV2, MutexLock, ConsumeMutexLock: mutual exclusion between steps (tf.CriticalSection).
//!
//! Protocol. The lock is held as long as the variant that MutexLock gave lives; its drop passes the
//! lock to the first waiter, or frees it. A waiter is an unfinished kernel in the queue and holds no
//! thread. Whoever takes a waiter out of the queue (the one who releases, or a cancellation) is the
//! only one to finish it, so it finishes exactly once. Contexts are finished, and cancellation
//! guards dropped, outside of the queue's lock: both call code that takes locks of its own.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, CancelGuard, Kernel, KernelBox, KernelBuild, OpContext, Registry,
    Resource, ResourceManager,
};
use downpour_tensor::{Code, Result, Status, Tensor, Variant, VariantValue};

use super::handles::resource_name;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MutexV2() -> (resource: resource) @stateful
                container: string = ''
                shared_name: string = ''",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(MutexHandle::new(build)?)),
    )?;
    registry.add(
        OpSpec::new("MutexLock(mutex: resource) -> (mutex_lock: variant) @stateful")?
            .shape(shapes::scalar),
        |_| Ok(KernelBox::asynchronous(MutexLock)),
    )?;
    registry.add(
        OpSpec::new("ConsumeMutexLock(mutex_lock: variant) -> () @stateful")?
            .shape(shapes::unknown),
        |_| Ok(KernelBox::cheap(consume)),
    )
}

struct Mutex {
    name: String,
    state: parking_lot::Mutex<State>,
}

#[derive(Default)]
struct State {
    is_held: bool,
    next: u64,
    waiting: VecDeque<Waiter>,
}

struct Waiter {
    id: u64,
    cx: AsyncContext,
    guard: Option<CancelGuard>,
}

impl Resource for Mutex {
    fn describe(&self) -> String {
        let state = self.state.lock();
        let held = if state.is_held { "held" } else { "free" };
        format!("mutex '{}', {held}, {} waiting", self.name, state.waiting.len())
    }
}

impl Mutex {
    fn acquire(self: &Arc<Mutex>, cx: AsyncContext) {
        let cancellation = cx.step().cancellation().clone();
        let id = {
            let mut state = self.state.lock();
            if !state.is_held {
                state.is_held = true;
                drop(state);
                return self.grant(cx);
            }
            let id = state.next;
            state.next += 1;
            state.waiting.push_back(Waiter { id, cx, guard: None });
            id
        };
        let mutex = self.clone();
        let guard = cancellation.on_cancel(move || mutex.cancel(id));
        // The waiter may be gone already; then the guard is dropped here, outside of the lock.
        let mut unused = Some(guard);
        let mut state = self.state.lock();
        if let Some(waiter) = state.waiting.iter_mut().find(|waiter| waiter.id == id) {
            waiter.guard = unused.take();
        }
        drop(state);
        drop(unused);
    }

    fn cancel(&self, id: u64) {
        let waiter = {
            let mut state = self.state.lock();
            let place = state.waiting.iter().position(|waiter| waiter.id == id);
            place.and_then(|place| state.waiting.remove(place))
        };
        if let Some(waiter) = waiter {
            waiter.cx.finish(Err(Status::cancelled("Lock acquisition cancelled.")));
        }
    }

    /// Finishes a kernel that now holds the lock.
    fn grant(self: &Arc<Mutex>, cx: AsyncContext) {
        let lock = Variant::new(Lock { mutex: self.clone() });
        cx.finish(lock.map(|lock| vec![lock.into_tensor()]));
    }

    fn release(self: &Arc<Mutex>) {
        let next = {
            let mut state = self.state.lock();
            let next = state.waiting.pop_front();
            state.is_held = next.is_some();
            next
        };
        let Some(Waiter { cx, guard, .. }) = next else { return };
        drop(guard);
        // On a thread of the pool, since what follows may release again: a long queue would
        // otherwise be a deep recursion.
        match cx.step().parallel().pool().cloned() {
            Some(pool) => {
                let mutex = self.clone();
                pool.spawn(move || mutex.grant(cx));
            }
            None => self.grant(cx),
        }
    }
}

/// The lock itself: held until this is dropped.
struct Lock {
    mutex: Arc<Mutex>,
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.mutex.release();
    }
}

impl std::fmt::Debug for Lock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lock({})", self.mutex.name)
    }
}

impl VariantValue for Lock {
    fn type_name(&self) -> &str {
        "downpour::MutexLock"
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn inner_depth(&self) -> usize {
        0
    }
}

struct MutexHandle {
    container: String,
    name: String,
}

impl MutexHandle {
    fn new(build: &KernelBuild<'_>) -> Result<MutexHandle> {
        let name = resource_name(build.node(), build)?;
        Ok(MutexHandle { container: build.string("container")?, name })
    }
}

impl Kernel for MutexHandle {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let device = cx.step().device();
        let handle = ResourceManager::make_handle::<Mutex>(device, &self.container, &self.name);
        cx.set_output(0, Tensor::handle(handle));
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct MutexLock;

impl AsyncKernel for MutexLock {
    fn start(&self, cx: AsyncContext) {
        match find(&cx) {
            Ok(mutex) => mutex.acquire(cx),
            Err(status) => cx.finish(Err(status)),
        }
    }
}

/// The mutex behind the handle; the first who locks it makes it.
fn find(cx: &AsyncContext) -> Result<Arc<Mutex>> {
    match cx.resource::<Mutex>(0) {
        Err(status) if status.code() == Code::NotFound => {}
        found => return found,
    }
    let handle = cx.handle(0)?;
    cx.step().resources().lookup_or_create(&handle.container, &handle.name, || {
        Ok(Mutex { name: handle.name.clone(), state: Default::default() })
    })
}

/// Checks that it got a lock; releasing follows from the end of the value's life.
fn consume(cx: &mut OpContext<'_>) -> Result<()> {
    let tensor = cx.take(0);
    if tensor.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Expected input to be a scalar, saw shape: {}",
            tensor.shape()
        )));
    }
    match tensor.variants()? {
        [lock] if lock.get::<Lock>().is_some() => Ok(()),
        other => Err(Status::invalid_argument(format!(
            "Expected input to contain a lock of a mutex, but saw variant: '{other:?}'"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_graph::{Attrs, Graph, GraphBuilder};
    use downpour_runtime::testing::OpTest;
    use downpour_runtime::{CancellationToken, Parallel, Step, StepConfig, Value};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    /// Starts MutexLock on `handle` in a step of its own.
    fn lock(
        resources: &Arc<ResourceManager>,
        handle: &Tensor,
    ) -> (Receiver<Result<Tensor>>, CancellationToken) {
        let mut registry = Registry::new();
        register(&mut registry).unwrap();
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, registry.ops());
        let mutex = builder.op("MutexV2", &[], Attrs::new()).unwrap();
        let id = builder.add("MutexLock", &[mutex], Attrs::new()).unwrap();
        let node = Arc::new(graph.node(id).clone());
        let cancellation = CancellationToken::new();
        let step = Step::new(StepConfig {
            id: 1,
            resources: resources.clone(),
            parallel: Parallel::serial(),
            cancellation: cancellation.clone(),
            device: "".into(),
            trace: None,
            rendezvous: None,
        });
        let (send, receive) = channel();
        let finish = move |result: Result<downpour_runtime::Outputs>| {
            let value = result.map(|outputs| match outputs.into_iter().next() {
                Some(Value::Tensor(tensor)) => tensor,
                _ => panic!("a lock is a tensor"),
            });
            drop(send.send(value));
        };
        let inputs = std::iter::once(Value::Tensor(handle.clone())).collect();
        MutexLock.start(AsyncContext::new(node, step, inputs, Box::new(finish)));
        (receive, cancellation)
    }

    fn mutex(resources: &Arc<ResourceManager>) -> Tensor {
        let test = OpTest::new(register, "MutexV2").attr("shared_name", "m");
        test.resources(resources).run_one().unwrap()
    }

    const SOON: Duration = Duration::from_secs(300);

    #[test]
    fn one_holds_it_and_the_next_follows_in_order() {
        let resources = Arc::new(ResourceManager::new());
        let handle = mutex(&resources);
        let first = lock(&resources, &handle).0.recv_timeout(SOON).unwrap().unwrap();
        let (second, _) = lock(&resources, &handle);
        let (third, _) = lock(&resources, &handle);
        assert!(second.try_recv().is_err());
        OpTest::new(register, "ConsumeMutexLock").input(first).run().unwrap();
        let second = second.recv_timeout(SOON).unwrap().unwrap();
        assert!(third.try_recv().is_err());
        drop(second);
        assert!(third.recv_timeout(SOON).unwrap().is_ok());
    }

    #[test]
    fn waiting_can_be_cancelled() {
        let resources = Arc::new(ResourceManager::new());
        let handle = mutex(&resources);
        let held = lock(&resources, &handle).0.recv_timeout(SOON).unwrap().unwrap();
        let (cancelled, token) = lock(&resources, &handle);
        let (patient, _) = lock(&resources, &handle);
        token.cancel();
        let status = cancelled.recv_timeout(SOON).unwrap().unwrap_err();
        assert_eq!(status.code(), Code::Cancelled);
        drop(held);
        assert!(patient.recv_timeout(SOON).unwrap().is_ok());
    }

    #[test]
    fn only_locks_are_consumed() {
        let none = OpTest::new(register, "ConsumeMutexLock").input(Variant::empty().into_tensor());
        assert_eq!(none.run().unwrap_err().code(), Code::InvalidArgument);
    }
}
