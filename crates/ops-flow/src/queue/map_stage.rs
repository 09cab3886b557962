//! Staging areas whose tuples have keys and may come and go in parts.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, Kernel, KernelBox, KernelBuild, OpContext, Registry, Resource, Step,
};
use downpour_tensor::{Charge, Result, Status, Tensor};

use super::Tuple;
use super::stage::tuple_bytes;
use crate::control::take_args;
use crate::handle::Place;
use crate::waiting::{Monitor, Order};

const ATTRS: &str = "
            capacity: int >= 0 = 0
            memory_limit: int >= 0 = 0
            dtypes: DTYPES
            container: string = ''
            shared_name: string = ''";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for prefix in ["", "Ordered"] {
        let spec = |head: &str, dtypes: &str| {
            let attrs = ATTRS.replace("DTYPES", dtypes);
            OpSpec::new(&format!("{prefix}{head} @stateful{attrs}")).map(OpSpec::not_differentiable)
        };
        let some = "list(type) >= 1";
        let both = "list(type)\n            fake_dtypes: list(type) >= 1";
        let head = "MapStage(key: int64, indices: int32, values: fake_dtypes) -> ()";
        registry
            .add(spec(head, both)?, |build| Ok(KernelBox::asynchronous(Put(Area::of(build)?))))?;
        let head = "MapUnstage(key: int64, indices: int32) -> (values: dtypes)";
        registry.add(spec(head, some)?, |build| {
            Ok(KernelBox::asynchronous(Get { area: Area::of(build)?, how: How::Pop }))
        })?;
        let head = "MapPeek(key: int64, indices: int32) -> (values: dtypes)";
        registry.add(spec(head, some)?, |build| {
            Ok(KernelBox::asynchronous(Get { area: Area::of(build)?, how: How::Peek }))
        })?;
        let head = "MapUnstageNoKey(indices: int32) -> (key: int64, values: dtypes)";
        registry.add(spec(head, some)?, |build| {
            Ok(KernelBox::asynchronous(Get { area: Area::of(build)?, how: How::PopAny }))
        })?;
        let head = "MapSize() -> (size: int32)";
        registry.add(spec(head, "list(type)")?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(Size { area: Area::of(build)?, incomplete: false }))
        })?;
        let head = "MapIncompleteSize() -> (size: int32)";
        registry.add(spec(head, "list(type)")?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(Size { area: Area::of(build)?, incomplete: true }))
        })?;
        registry.add(spec("MapClear() -> ()", "list(type)")?, |build| {
            Ok(KernelBox::new(Clear(Area::of(build)?)))
        })?;
    }
    Ok(())
}

struct Staging(Arc<Monitor<State, Wish, (i64, Tuple)>>);

type Parts = Vec<Option<Tensor>>;

struct State {
    width: usize,
    capacity: usize,
    memory_limit: usize,
    bytes: usize,
    /// By key, which is the order the ordered area promises; the other promises none.
    complete: BTreeMap<i64, Parts>,
    incomplete: BTreeMap<i64, Parts>,
    /// For the places of the tensors.
    held: Charge,
}

enum Wish {
    Put { key: i64, indices: Vec<i32>, tuple: Tuple },
    Take { key: Option<i64>, indices: Vec<i32>, keep: bool },
}

impl Resource for Staging {
    fn describe(&self) -> String {
        format!("staging map with {} tuples", self.0.look(|s| s.complete.len()))
    }
}

fn serve(state: &mut State, wish: &mut Wish) -> Option<Result<(i64, Tuple)>> {
    match wish {
        Wish::Put { key, indices, tuple } => {
            state.put(*key, indices, tuple).map(|result| result.map(|()| (*key, Vec::new())))
        }
        Wish::Take { key, indices, keep } => {
            let key = match key {
                Some(key) if state.complete.contains_key(key) => *key,
                Some(_) => return None,
                None => *state.complete.keys().next()?,
            };
            Some(state.take(key, indices, *keep).map(|tuple| (key, tuple)))
        }
    }
}

/// What one place of a tuple takes.
const PLACE: usize = size_of::<Option<Tensor>>();

impl State {
    /// What the places of one tuple take.
    fn tuple_places(&self) -> usize {
        self.width.saturating_mul(PLACE)
    }

    fn place(&self, key: i64, index: i32) -> Result<usize> {
        usize::try_from(index).ok().filter(|i| *i < self.width).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Index '{index}' for key '{key}' was out of bounds '{}'.",
                self.width
            ))
        })
    }

    fn put(&mut self, key: i64, indices: &[i32], tuple: &mut Tuple) -> Option<Result<()>> {
        let bytes = tuple_bytes(tuple);
        if self.memory_limit > 0 && bytes > self.memory_limit {
            return Some(Err(Status::resource_exhausted(format!(
                "Attempted to insert tensors with combined size of '{bytes}' bytes into Staging \
                 Area with a memory limit of '{}'.",
                self.memory_limit
            ))));
        }
        if self.memory_limit > 0 && bytes + self.bytes > self.memory_limit {
            return None;
        }
        let whole = indices.len() == self.width;
        if whole && self.capacity > 0 && self.complete.len() >= self.capacity {
            return None;
        }
        Some(self.put_now(key, indices, std::mem::take(tuple), bytes, whole))
    }

    fn put_now(
        &mut self,
        key: i64,
        indices: &[i32],
        tuple: Tuple,
        bytes: usize,
        whole: bool,
    ) -> Result<()> {
        let places = indices.iter().map(|&i| self.place(key, i)).collect::<Result<Vec<usize>>>()?;
        let width = self.width;
        // All places of a tuple are made with its first tensor, however few of them are given.
        let known = !whole && self.incomplete.contains_key(&key);
        let mut room = Charge::new(if known { 0 } else { self.tuple_places() })?;
        let mut parts = match whole {
            true => vec![None; width],
            false => self.incomplete.get(&key).cloned().unwrap_or_else(|| vec![None; width]),
        };
        for (place, tensor) in places.into_iter().zip(tuple) {
            if parts[place].is_some() {
                return Err(Status::invalid_argument(format!(
                    "The tensor for index '{place}' for key '{key}' was already initialized \
                     '{width}'."
                )));
            }
            parts[place] = Some(tensor);
        }
        self.bytes += bytes;
        if parts.iter().all(Option::is_some) {
            self.incomplete.remove(&key);
            match self.complete.entry(key) {
                Entry::Vacant(entry) => drop(entry.insert(parts)),
                // The tuple of this key that is there stays, and this one is dropped.
                Entry::Occupied(_) if known => self.held.release(width.saturating_mul(PLACE)),
                Entry::Occupied(_) => room = Charge::default(),
            }
            self.held.join(room);
        } else {
            self.held.join(room);
            self.incomplete.insert(key, parts);
        }
        Ok(())
    }

    fn take(&mut self, key: i64, indices: &[i32], keep: bool) -> Result<Tuple> {
        let places = indices.iter().map(|&i| self.place(key, i)).collect::<Result<Vec<usize>>>()?;
        let parts = self
            .complete
            .get_mut(&key)
            .ok_or_else(|| Status::internal("a staged tuple has gone"))?;
        let mut tuple = Vec::with_capacity(places.len());
        for place in places {
            let tensor = match keep {
                true => parts[place].clone(),
                false => parts[place].take(),
            };
            tuple.push(tensor.ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Tensor at index '{place}' for key '{key}' has already been removed."
                ))
            })?);
        }
        if !keep {
            self.bytes = self.bytes.saturating_sub(tuple_bytes(&tuple));
            if parts.iter().all(Option::is_none) {
                self.complete.remove(&key);
                self.held.release(self.tuple_places());
            }
        }
        Ok(tuple)
    }
}

struct Area {
    place: Place,
    ordered: bool,
    width: usize,
    capacity: usize,
    memory_limit: usize,
}

impl Area {
    fn of(build: &KernelBuild<'_>) -> Result<Area> {
        Ok(Area {
            place: Place::by_node_name(build.node())?,
            ordered: build.op_name().starts_with("Ordered"),
            width: build.dtypes("dtypes")?.len(),
            capacity: usize::try_from(build.int("capacity")?).unwrap_or(0),
            memory_limit: usize::try_from(build.int("memory_limit")?).unwrap_or(0),
        })
    }

    fn find(&self, step: &Step) -> Result<Arc<Staging>> {
        // Ordered and unordered areas of one name are two areas.
        let name = match self.ordered {
            true => format!("{}/ordered", self.place.name),
            false => self.place.name.clone(),
        };
        step.resources().lookup_or_create(&self.place.container, &name, || {
            let state = State {
                width: self.width,
                capacity: self.capacity,
                memory_limit: self.memory_limit,
                bytes: 0,
                complete: BTreeMap::new(),
                incomplete: BTreeMap::new(),
                held: Charge::default(),
            };
            Ok(Staging(Monitor::new(state, serve, Order::Any, "Staging operation was cancelled")))
        })
    }
}

fn key(tensor: &Tensor, must_be_scalar: bool) -> Result<i64> {
    match tensor.as_slice::<i64>()? {
        [key] if !must_be_scalar || tensor.rank() == 0 => Ok(*key),
        [] if !must_be_scalar => Err(Status::invalid_argument("key must not be empty")),
        _ => Err(Status::invalid_argument(format!(
            "key must be an int64 scalar, got tensor with shape: {}",
            tensor.shape()
        ))),
    }
}

fn indices(tensor: &Tensor) -> Result<Vec<i32>> {
    let indices = tensor.as_slice::<i32>()?.to_vec();
    if indices.is_empty() {
        return Err(Status::invalid_argument("Indices are empty"));
    }
    if indices.windows(2).any(|w| w[0] >= w[1]) {
        return Err(Status::invalid_argument("Indices are not strictly ordered"));
    }
    Ok(indices)
}

struct Put(Area);

impl AsyncKernel for Put {
    fn start(&self, mut cx: AsyncContext) {
        match self.prepare(&mut cx) {
            Ok((area, wish)) => {
                let step = cx.step().clone();
                area.0.ask(step.cancellation(), wish, move |result| {
                    cx.finish(result.map(|_| Vec::new()));
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

impl Put {
    fn prepare(&self, cx: &mut AsyncContext) -> Result<(Arc<Staging>, Wish)> {
        let (key, indices) = (key(cx.input(0), false)?, indices(cx.input(1))?);
        let tuple = take_args(cx, 2)?;
        if tuple.len() != indices.len() {
            return Err(Status::invalid_argument(format!(
                "values/indices size mismatch: {} vs. {}",
                tuple.len(),
                indices.len()
            )));
        }
        Ok((self.0.find(cx.step())?, Wish::Put { key, indices, tuple }))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    Pop,
    Peek,
    PopAny,
}

struct Get {
    area: Area,
    how: How,
}

impl AsyncKernel for Get {
    fn start(&self, cx: AsyncContext) {
        let how = self.how;
        match self.prepare(&cx) {
            Ok((area, wish)) => {
                let step = cx.step().clone();
                area.0.ask(step.cancellation(), wish, move |result| {
                    let outputs = result.and_then(|(key, tuple)| outputs(&cx, how, key, tuple));
                    cx.finish(outputs);
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

impl Get {
    fn prepare(&self, cx: &AsyncContext) -> Result<(Arc<Staging>, Wish)> {
        let key = match self.how {
            How::PopAny => None,
            _ => Some(key(cx.input(0), true)?),
        };
        let indices = indices(cx.input(if key.is_some() { 1 } else { 0 }))?;
        let keep = self.how == How::Peek;
        Ok((self.area.find(cx.step())?, Wish::Take { key, indices, keep }))
    }
}

fn outputs(cx: &AsyncContext, how: How, key: i64, tuple: Tuple) -> Result<Tuple> {
    let mut all = Vec::with_capacity(tuple.len() + 1);
    if how == How::PopAny {
        all.push(Tensor::scalar(key));
    }
    all.extend(tuple);
    let declared = cx.node().output_types.iter().map(|t| t.dtype);
    if all.iter().map(Tensor::dtype).eq(declared) {
        return Ok(all);
    }
    Err(Status::invalid_argument(format!(
        "output/indices size mismatch: {} vs. {} (or their types differ)",
        all.len(),
        cx.node().output_types.len()
    )))
}

struct Size {
    area: Area,
    incomplete: bool,
}

impl Kernel for Size {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let size = self.area.find(cx.step())?.0.look(|state| match self.incomplete {
            true => state.incomplete.len(),
            false => state.complete.len(),
        });
        cx.set_output(0, Tensor::scalar(size as i32));
        Ok(())
    }
}

struct Clear(Area);

impl Kernel for Clear {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let cleared = self.0.find(cx.step())?.0.change(|state| {
            state.bytes = 0;
            state.held = Charge::default();
            (std::mem::take(&mut state.complete), std::mem::take(&mut state.incomplete))
        });
        drop(cleared);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{Bench, Pending};
    use downpour_graph::Attrs;
    use downpour_tensor::DataType;

    fn attrs(types: usize) -> Attrs {
        Attrs::new().with("dtypes", vec![DataType::Int32; types]).with("shared_name", "m")
    }

    fn put(bench: &Bench, key: Tensor, indices: &[i32], values: &[i32]) -> Pending {
        let mut inputs = vec![key.into(), Tensor::vector(indices).unwrap().into()];
        inputs.extend(values.iter().map(|&v| Tensor::scalar(v).into()));
        bench.start("OrderedMapStage", attrs(2), inputs)
    }

    fn get(bench: &Bench, op: &str, key: Option<i64>, indices: &[i32]) -> Pending {
        let mut inputs: Vec<_> = key.map(|k| Tensor::scalar(k).into()).into_iter().collect();
        inputs.push(Tensor::vector(indices).unwrap().into());
        bench.start(op, attrs(indices.len()), inputs)
    }

    #[test]
    fn parts_become_tuples() {
        let bench = Bench::new(register);
        let waiting = get(&bench, "OrderedMapUnstage", Some(5), &[0, 1]);
        put(&bench, Tensor::scalar(5i64), &[0], &[50]).tensors().unwrap();
        let size = bench.run("OrderedMapIncompleteSize", attrs(2), []).unwrap();
        assert_eq!(size[0].to_scalar::<i32>().unwrap(), 1);
        assert!(put(&bench, Tensor::scalar(5i64), &[0], &[1]).tensors().is_err());
        assert!(waiting.is_waiting());
        put(&bench, Tensor::scalar(5i64), &[1], &[51]).tensors().unwrap();
        let out = waiting.tensors().unwrap();
        assert_eq!(out[1].to_scalar::<i32>().unwrap(), 51);
    }

    #[test]
    fn the_smallest_key_comes_first() {
        let bench = Bench::new(register);
        for key in [3i64, 1, 2] {
            put(&bench, Tensor::scalar(key), &[0, 1], &[key as i32, 0]).tensors().unwrap();
        }
        let out = get(&bench, "OrderedMapUnstageNoKey", None, &[0]);
        assert_eq!(out.tensors().unwrap()[0].to_scalar::<i64>().unwrap(), 1);
        let again = get(&bench, "OrderedMapUnstage", Some(1), &[0]).tensors().unwrap_err();
        assert!(again.message().contains("has already been removed"));
        let peeked = get(&bench, "OrderedMapPeek", Some(3), &[0]).tensors().unwrap();
        assert_eq!(peeked[0].to_scalar::<i32>().unwrap(), 3);
    }

    #[test]
    fn bad_keys_and_indices_are_refused() {
        let bench = Bench::new(register);
        let error = put(&bench, Tensor::vector(&[1i64, 2]).unwrap(), &[0, 1], &[1, 2]);
        assert!(error.tensors().unwrap_err().message().contains("key must be an int64 scalar"));
        assert!(
            put(&bench, Tensor::vector::<i64>(&[]).unwrap(), &[0, 1], &[1, 2]).tensors().is_err()
        );
        let key = || Tensor::scalar(1i64);
        assert!(put(&bench, key(), &[1, 0], &[1, 2]).tensors().is_err());
        assert!(put(&bench, key(), &[0, 1], &[1]).tensors().is_err());
        let error = put(&bench, key(), &[7], &[1]).tensors().unwrap_err();
        assert!(error.message().contains("was out of bounds"));
        assert!(get(&bench, "OrderedMapPeek", Some(1), &[]).tensors().is_err());
    }
}
