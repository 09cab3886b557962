//! Barriers: tuples put together by key from components that come one by one.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_graph::{OpSpec, PartialShape, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, Kernel, KernelBox, KernelBuild, OpContext, Registry, Resource,
};
use downpour_tensor::{ByteString, Charge, DataType, Result, Status, Tensor};
use parking_lot::Mutex;

use super::Tuple;
use super::core::{Kind, Queue, QueueSpec};
use super::create::{handle_shape, shapes_text, types_text};
use super::store::Store;
use crate::elements;
use crate::handle::{Place, find_async, find_input, set_handle};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Barrier() -> (handle: Ref(string)) @stateful
                component_types: list(type) >= 1
                shapes: list(shape) >= 0 = []
                capacity: int = -1
                container: string = ''
                shared_name: string = ''",
        )?
        .shape(handle_shape)
        .not_differentiable(),
        make_create,
    )?;
    registry.add(
        OpSpec::new(
            "BarrierInsertMany(handle: Ref(string), keys: string, values: T) -> ()
                T: type
                component_index: int",
        )?
        .not_differentiable(),
        |build| Ok(KernelBox::asynchronous(InsertMany(build.int("component_index")?))),
    )?;
    registry.add(
        OpSpec::new(
            "BarrierTakeMany(handle: Ref(string), num_elements: int32) \
             -> (indices: int64, keys: string, values: component_types)
                component_types: list(type) >= 1
                allow_small_batch: bool = false
                wait_for_incomplete: bool = false
                timeout_ms: int = -1",
        )?
        .not_differentiable(),
        |build| {
            if build.int("timeout_ms")? != -1 {
                return Err(Status::invalid_argument("Timeout not supported yet."));
            }
            Ok(KernelBox::asynchronous(TakeMany { small: build.bool("allow_small_batch")? }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "BarrierClose(handle: Ref(string)) -> ()
                cancel_pending_enqueues: bool = false",
        )?
        .not_differentiable(),
        |build| {
            let cancel = build.bool("cancel_pending_enqueues")?;
            Ok(KernelBox::asynchronous(Close { cancel }))
        },
    )?;
    registry.add(
        OpSpec::new("BarrierReadySize(handle: Ref(string)) -> (size: int32)")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(ready_size)),
    )?;
    registry.add(
        OpSpec::new("BarrierIncompleteSize(handle: Ref(string)) -> (size: int32)")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(incomplete_size)),
    )
}

struct Barrier {
    name: String,
    dtypes: Vec<DataType>,
    shapes: Vec<PartialShape>,
    /// Complete tuples, ordered by when their key was first seen.
    ready: Arc<Queue>,
    state: Mutex<State>,
}

struct State {
    closed: bool,
    cancelled: bool,
    ready_closed: bool,
    /// Counts insertions that brought new keys.
    index: i64,
    incomplete: HashMap<ByteString, (i64, Vec<Option<Tensor>>)>,
    /// For the places of incomplete tuples.
    held: Charge,
}

/// Returns the bytes that the places of a tuple with missing components take.
fn incomplete_bytes(components: usize) -> usize {
    size_of::<(ByteString, i64, Vec<Tensor>)>() + components * size_of::<Option<Tensor>>()
}

impl Resource for Barrier {
    fn describe(&self) -> String {
        format!("barrier '{}' with {} complete tuples", self.name, self.ready.len())
    }
}

struct Create {
    place: Place,
    dtypes: Vec<DataType>,
    shapes: Vec<PartialShape>,
}

fn make_create(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let (dtypes, shapes) = (build.dtypes("component_types")?, build.shapes("shapes")?);
    if dtypes.len() != shapes.len() {
        return Err(Status::invalid_argument("All of the component shapes must be specified"));
    }
    if build.int("capacity")? != -1 {
        return Err(Status::invalid_argument(
            "Barrier only accepts capacity=-1.  Feed the inputs to your Barrier through a queue to \
             enforce a limited capacity.",
        ));
    }
    Ok(KernelBox::new(Create { place: Place::by_node_name(build.node())?, dtypes, shapes }))
}

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let place = &self.place;
        let barrier = cx.resources().lookup_or_create(&place.container, &place.name, || {
            let dtypes = [DataType::Int64, DataType::String];
            let scalars = [PartialShape::scalar(), PartialShape::scalar()];
            let spec = QueueSpec {
                kind: Kind::Priority,
                name: format!("{}_queue", place.name),
                capacity: i32::MAX,
                dtypes: dtypes.into_iter().chain(self.dtypes.iter().copied()).collect(),
                shapes: scalars.into_iter().chain(self.shapes.iter().cloned()).collect(),
            };
            Ok(Barrier {
                name: place.name.clone(),
                dtypes: self.dtypes.clone(),
                shapes: self.shapes.clone(),
                ready: Arc::new(Queue::new(spec, Store::priority())),
                state: Mutex::new(State {
                    closed: false,
                    cancelled: false,
                    ready_closed: false,
                    index: i64::MIN,
                    incomplete: HashMap::new(),
                    held: Charge::default(),
                }),
            })
        })?;
        if barrier.dtypes != self.dtypes {
            return Err(Status::invalid_argument(format!(
                "Shared barrier '{}' has component types {} but requested component types were {}",
                place.name,
                types_text(&barrier.dtypes),
                types_text(&self.dtypes)
            )));
        }
        if barrier.shapes != self.shapes {
            return Err(Status::invalid_argument(format!(
                "Shared barrier '{}' has component shapes {} but requested component shapes were \
                 {}",
                place.name,
                shapes_text(&barrier.shapes),
                shapes_text(&self.shapes)
            )));
        }
        set_handle::<Barrier>(cx, place)?;
        Ok(())
    }
}

impl Barrier {
    /// Adds one component for several keys; gives the tuples that are now complete.
    fn insert(&self, keys: &[ByteString], component: usize, values: &Tensor) -> Result<Vec<Tuple>> {
        if !keys.is_empty() && values.is_empty() {
            return Err(Status::invalid_argument(format!(
                "Tensors with no elements are not supported {}: received shape {}",
                self.name,
                values.shape()
            )));
        }
        if values.dims().first().copied().unwrap_or(0) != keys.len() {
            return Err(Status::invalid_argument(format!(
                "BarrierInsertMany got {} keys but values of shape {}",
                keys.len(),
                values.shape()
            )));
        }
        let mut state = self.state.lock();
        if state.closed && (state.cancelled || (!keys.is_empty() && state.incomplete.is_empty())) {
            return Err(Status::cancelled(format!(
                "Barrier {} is closed.  Pending enqueues cancelled: {}.  Number of new \
                 insertions: {}.  Number of incomplete keys: {}.",
                self.name,
                state.cancelled as u8,
                keys.len(),
                state.incomplete.len()
            )));
        }
        let mut ready = Vec::new();
        let mut any_new = false;
        for (i, key) in keys.iter().enumerate() {
            let value = elements::row(values, i)?;
            let (complete, new) = self.insert_one(&mut state, key, component, value, i)?;
            any_new |= new;
            ready.extend(complete);
        }
        if any_new {
            state.index = state.index.checked_add(1).ok_or_else(|| {
                Status::internal("Barrier can no longer keep track of new insertions.")
            })?;
        }
        Ok(ready)
    }

    fn insert_one(
        &self,
        state: &mut State,
        key: &ByteString,
        component: usize,
        value: Tensor,
        i: usize,
    ) -> Result<(Option<Tuple>, bool)> {
        let text = || String::from_utf8_lossy(key).into_owned();
        let new = !state.incomplete.contains_key(key);
        if new && state.closed {
            return Err(Status::cancelled(format!(
                "Barrier {} is closed, but attempted to insert a brand new key: {}.  Pending \
                 enqueues cancelled: {}.  Insertion index: {i}.  Number of incomplete keys: {}.",
                self.name,
                text(),
                state.cancelled as u8,
                state.incomplete.len()
            )));
        }
        let (index, count) = (state.index, self.dtypes.len());
        if new {
            state.held.grow(incomplete_bytes(count))?;
        }
        let (_, parts) =
            state.incomplete.entry(key.clone()).or_insert_with(|| (index, vec![None; count]));
        if parts[component].is_some() {
            return Err(Status::invalid_argument(format!(
                "Key {} already has a value for component {component} in barrier {}",
                text(),
                self.name
            )));
        }
        parts[component] = Some(value);
        if parts.iter().any(Option::is_none) {
            return Ok((None, new));
        }
        let Some((index, parts)) = state.incomplete.remove(key) else { return Ok((None, new)) };
        state.held.release(incomplete_bytes(count));
        let mut tuple = vec![Tensor::scalar(index), Tensor::string(key.clone())];
        tuple.extend(parts.into_iter().flatten());
        self.ready.spec.check(&tuple)?;
        Ok((Some(tuple), new))
    }

    /// True for whoever has to close the queue of complete tuples.
    fn should_close_ready(&self) -> bool {
        let mut state = self.state.lock();
        let now = state.closed && state.incomplete.is_empty() && !state.ready_closed;
        state.ready_closed |= now;
        now
    }
}

struct InsertMany(i64);

impl AsyncKernel for InsertMany {
    fn start(&self, cx: AsyncContext) {
        match self.insert(&cx) {
            Ok((barrier, ready)) => {
                let step = cx.step().clone();
                let queue = barrier.ready.clone();
                queue.enqueue(step.cancellation(), ready, move |result| {
                    if let Err(error) = result {
                        return cx.finish(Err(error));
                    }
                    if !barrier.should_close_ready() {
                        return cx.finish(Ok(Vec::new()));
                    }
                    let step = cx.step().clone();
                    barrier.ready.close(step.cancellation(), false, move |result| {
                        cx.finish(result.map(|_| Vec::new()));
                    });
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

impl InsertMany {
    fn insert(&self, cx: &AsyncContext) -> Result<(Arc<Barrier>, Vec<Tuple>)> {
        let barrier = find_async::<Barrier>(cx, 0)?;
        let count = barrier.dtypes.len();
        let component = usize::try_from(self.0).ok().filter(|c| *c < count).ok_or_else(|| {
            Status::invalid_argument(format!(
                "The component ID is out of range {} > num_components (= {count})",
                self.0
            ))
        })?;
        let (keys, values) = (cx.input(1), cx.input(2));
        if values.dtype() != barrier.dtypes[component] {
            return Err(Status::invalid_argument(format!(
                "Signature mismatch, have: {} expected: {}",
                values.dtype(),
                barrier.dtypes[component]
            )));
        }
        let ready = barrier.insert(keys.strings()?, component, values)?;
        Ok((barrier, ready))
    }
}

struct TakeMany {
    small: bool,
}

impl AsyncKernel for TakeMany {
    fn start(&self, cx: AsyncContext) {
        match self.prepare(&cx) {
            Ok((barrier, 0)) => cx.finish(barrier.ready.spec.empty_batch()),
            Ok((barrier, count)) => {
                let step = cx.step().clone();
                let queue = barrier.ready.clone();
                queue.dequeue(step.cancellation(), count, true, self.small, move |result| {
                    cx.finish(result.and_then(|tuples| barrier.ready.spec.batch(&tuples)));
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

impl TakeMany {
    fn prepare(&self, cx: &AsyncContext) -> Result<(Arc<Barrier>, usize)> {
        let barrier = find_async::<Barrier>(cx, 0)?;
        let outputs = cx.node().output_types.iter().skip(2).map(|t| t.dtype);
        if !outputs.eq(barrier.dtypes.iter().copied()) {
            return Err(Status::invalid_argument(format!(
                "Signature mismatch: barrier '{}' has components {}",
                barrier.name,
                types_text(&barrier.dtypes)
            )));
        }
        if cx.input(1).rank() != 0 {
            return Err(Status::invalid_argument("num_elements must be a scalar."));
        }
        let wanted = cx.input(1).to_scalar::<i32>()?;
        let mut count = usize::try_from(wanted).map_err(|_| {
            Status::invalid_argument(format!("BarrierTakeMany requested {wanted} < 0 elements"))
        })?;
        let state = barrier.state.lock();
        if state.closed {
            let mut available = barrier.ready.len();
            if self.small {
                count = count.min(available);
            } else {
                available += state.incomplete.len();
            }
            if available < count.max(1) {
                return Err(Status::out_of_range(format!(
                    "Barrier '{}' is closed and has insufficient elements (requested {count}, \
                     total size {available})",
                    barrier.name
                )));
            }
        }
        drop(state);
        Ok((barrier, count))
    }
}

struct Close {
    cancel: bool,
}

impl AsyncKernel for Close {
    fn start(&self, cx: AsyncContext) {
        let barrier = match find_async::<Barrier>(&cx, 0) {
            Ok(barrier) => barrier,
            Err(error) => return cx.finish(Err(error)),
        };
        {
            let mut state = barrier.state.lock();
            if state.closed && (state.cancelled || !self.cancel) {
                drop(state);
                return cx.finish(Err(Status::cancelled(format!(
                    "Barrier '{}' is already closed.",
                    barrier.name
                ))));
            }
            state.closed = true;
            state.cancelled = self.cancel;
            if self.cancel {
                state.incomplete.clear();
                state.held = Charge::default();
            }
        }
        if !barrier.should_close_ready() {
            return cx.finish(Ok(Vec::new()));
        }
        let step = cx.step().clone();
        barrier.ready.close(step.cancellation(), self.cancel, move |result| {
            cx.finish(result.map(|_| Vec::new()));
        });
    }
}

fn ready_size(cx: &mut OpContext<'_>) -> Result<()> {
    let size = find_input::<Barrier>(cx, 0)?.ready.len();
    cx.set_output(0, Tensor::scalar(size as i32));
    Ok(())
}

fn incomplete_size(cx: &mut OpContext<'_>) -> Result<()> {
    let size = find_input::<Barrier>(cx, 0)?.state.lock().incomplete.len();
    cx.set_output(0, Tensor::scalar(size as i32));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{Bench, Pending};
    use downpour_graph::Attrs;
    use downpour_runtime::Value;

    fn barrier() -> (Bench, Value) {
        let bench = Bench::new(crate::queue::register);
        let attrs = Attrs::new()
            .with("component_types", vec![DataType::Int32, DataType::Float])
            .with("shapes", vec![PartialShape::scalar(), PartialShape::scalar()])
            .with("shared_name", "b");
        let handle = bench.values("Barrier", attrs, vec![]).unwrap().remove(0);
        (bench, handle)
    }

    fn insert(
        bench: &Bench,
        handle: &Value,
        keys: &[&str],
        index: i64,
        values: Tensor,
    ) -> Result<()> {
        let keys = Tensor::build_strings([keys.len()], |i| ByteString::copy_from(keys[i])).unwrap();
        let attrs = Attrs::new().with("component_index", index);
        let inputs = vec![handle.clone(), keys.into(), values.into()];
        bench.values("BarrierInsertMany", attrs, inputs).map(drop)
    }

    fn take(bench: &Bench, handle: &Value, count: i32, small: bool) -> Pending {
        let attrs = Attrs::new()
            .with("component_types", vec![DataType::Int32, DataType::Float])
            .with("allow_small_batch", small);
        bench.start("BarrierTakeMany", attrs, vec![handle.clone(), Tensor::scalar(count).into()])
    }

    fn close(bench: &Bench, handle: &Value, cancel: bool) -> Result<()> {
        let attrs = Attrs::new().with("cancel_pending_enqueues", cancel);
        bench.values("BarrierClose", attrs, vec![handle.clone()]).map(drop)
    }

    fn ints(values: &[i32]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    fn floats(values: &[f32]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    #[test]
    fn tuples_are_taken_when_complete_in_the_order_of_their_keys() {
        let (bench, handle) = barrier();
        insert(&bench, &handle, &["a"], 0, ints(&[1])).unwrap();
        insert(&bench, &handle, &["b"], 0, ints(&[2])).unwrap();
        let waiting = take(&bench, &handle, 2, false);
        insert(&bench, &handle, &["b"], 1, floats(&[20.0])).unwrap();
        assert!(waiting.is_waiting());
        let error = insert(&bench, &handle, &["a"], 0, ints(&[1])).unwrap_err();
        assert!(error.message().contains("already has a value for component 0"));
        insert(&bench, &handle, &["a"], 1, floats(&[10.0])).unwrap();
        let out = waiting.tensors().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[i64::MIN, i64::MIN + 1]);
        assert_eq!(out[3].as_slice::<f32>().unwrap(), &[10.0, 20.0]);
        assert!(insert(&bench, &handle, &["c"], 0, ints(&[])).is_err());
        assert!(insert(&bench, &handle, &["c"], 5, ints(&[1])).is_err());
    }

    #[test]
    fn a_closed_barrier_completes_what_it_has() {
        let (bench, handle) = barrier();
        insert(&bench, &handle, &["a"], 0, ints(&[1])).unwrap();
        close(&bench, &handle, false).unwrap();
        assert!(close(&bench, &handle, false).unwrap_err().message().contains("already closed"));
        let error = insert(&bench, &handle, &["new"], 0, ints(&[1])).unwrap_err();
        assert!(error.message().contains("is closed"));
        insert(&bench, &handle, &["a"], 1, floats(&[1.0])).unwrap();
        let error = take(&bench, &handle, 2, false).tensors().unwrap_err();
        assert!(error.message().contains("insufficient elements (requested 2, total size 1)"));
        assert_eq!(take(&bench, &handle, 2, true).tensors().unwrap()[0].len(), 1);
        assert!(take(&bench, &handle, 1, true).tensors().is_err());
        assert!(insert(&bench, &handle, &["a"], 0, ints(&[1])).is_err());
    }

    #[test]
    fn cancelling_drops_the_incomplete() {
        let (bench, handle) = barrier();
        insert(&bench, &handle, &["a"], 0, ints(&[1])).unwrap();
        close(&bench, &handle, true).unwrap();
        let size =
            bench.values("BarrierIncompleteSize", Attrs::new(), vec![handle.clone()]).unwrap();
        assert_eq!(size[0].tensor().unwrap().to_scalar::<i32>().unwrap(), 0);
        assert!(insert(&bench, &handle, &["a"], 1, floats(&[1.0])).is_err());
    }
}
