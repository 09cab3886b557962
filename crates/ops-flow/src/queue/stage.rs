//! Staging areas: short queues that decouple steps.

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, Kernel, KernelBox, KernelBuild, OpContext, Registry, Resource, Step,
};
use downpour_tensor::{Charge, Result, Status, Tensor};

use super::Tuple;
use super::store::place_bytes;
use crate::control::take_args;
use crate::handle::Place;
use crate::waiting::{Monitor, Order};

const ATTRS: &str = "
            capacity: int >= 0 = 0
            memory_limit: int >= 0 = 0
            dtypes: list(type)
            container: string = ''
            shared_name: string = ''";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let spec = |head: &str, some: bool| {
        let attrs =
            if some { ATTRS.replace("list(type)", "list(type) >= 1") } else { ATTRS.into() };
        OpSpec::new(&format!("{head} @stateful{attrs}")).map(OpSpec::not_differentiable)
    };
    registry.add(spec("Stage(values: dtypes) -> ()", true)?, |build| {
        Ok(KernelBox::asynchronous(Stage(Area::of(build)?)))
    })?;
    registry.add(spec("Unstage() -> (values: dtypes)", true)?, |build| {
        Ok(KernelBox::asynchronous(Unstage(Area::of(build)?)))
    })?;
    registry.add(spec("StagePeek(index: int32) -> (values: dtypes)", true)?, |build| {
        Ok(KernelBox::asynchronous(Unstage(Area::of(build)?)))
    })?;
    registry.add(spec("StageSize() -> (size: int32)", false)?.shape(shapes::scalar), |build| {
        Ok(KernelBox::new(Size(Area::of(build)?)))
    })?;
    registry.add(spec("StageClear() -> ()", false)?, |build| {
        Ok(KernelBox::new(Clear(Area::of(build)?)))
    })
}

struct Staging(Arc<Monitor<State, Wish, Tuple>>);

struct State {
    capacity: usize,
    memory_limit: usize,
    bytes: usize,
    tuples: VecDeque<Tuple>,
    /// For the places of the tensors.
    held: Charge,
}

enum Wish {
    Put(Tuple),
    Get,
    Peek(usize),
}

impl Resource for Staging {
    fn describe(&self) -> String {
        format!("staging area with {} tuples", self.0.look(|s| s.tuples.len()))
    }
}

pub(crate) fn tuple_bytes(tuple: &[Tensor]) -> usize {
    tuple.iter().map(Tensor::byte_len).sum()
}

fn serve(state: &mut State, wish: &mut Wish) -> Option<Result<Tuple>> {
    match wish {
        Wish::Put(tuple) => {
            let bytes = tuple_bytes(tuple);
            if state.memory_limit > 0 && bytes > state.memory_limit {
                return Some(Err(Status::resource_exhausted(format!(
                    "Attempted to insert tensors with combined size of '{bytes}' bytes into \
                     Staging Area with a memory limit of '{}'.",
                    state.memory_limit
                ))));
            }
            let full = state.capacity > 0 && state.tuples.len() >= state.capacity;
            if full || (state.memory_limit > 0 && bytes + state.bytes > state.memory_limit) {
                return None;
            }
            if let Err(refused) = state.held.grow(place_bytes(tuple)) {
                return Some(Err(refused));
            }
            state.bytes += bytes;
            state.tuples.push_back(std::mem::take(tuple));
            Some(Ok(Vec::new()))
        }
        Wish::Get => {
            let tuple = state.tuples.pop_front()?;
            state.held.release(place_bytes(&tuple));
            state.bytes = state.bytes.saturating_sub(tuple_bytes(&tuple));
            Some(Ok(tuple))
        }
        Wish::Peek(index) => state.tuples.get(*index).cloned().map(Ok),
    }
}

/// Where a node's staging area is, and how large it may grow.
struct Area {
    place: Place,
    capacity: usize,
    memory_limit: usize,
}

impl Area {
    fn of(build: &KernelBuild<'_>) -> Result<Area> {
        Ok(Area {
            place: Place::by_node_name(build.node())?,
            capacity: usize::try_from(build.int("capacity")?).unwrap_or(0),
            memory_limit: usize::try_from(build.int("memory_limit")?).unwrap_or(0),
        })
    }

    fn find(&self, step: &Step) -> Result<Arc<Staging>> {
        step.resources().lookup_or_create(&self.place.container, &self.place.name, || {
            let state = State {
                capacity: self.capacity,
                memory_limit: self.memory_limit,
                bytes: 0,
                tuples: VecDeque::new(),
                held: Charge::default(),
            };
            Ok(Staging(Monitor::new(state, serve, Order::Any, "Staging operation was cancelled")))
        })
    }
}

struct Stage(Area);

impl AsyncKernel for Stage {
    fn start(&self, mut cx: AsyncContext) {
        let begun = self.0.find(cx.step()).and_then(|area| Ok((area, take_args(&mut cx, 0)?)));
        match begun {
            Ok((area, tuple)) => {
                let step = cx.step().clone();
                area.0.ask(step.cancellation(), Wish::Put(tuple), move |result| {
                    cx.finish(result.map(|_| Vec::new()));
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

/// Takes the first tuple, or with an index input looks at one.
struct Unstage(Area);

impl AsyncKernel for Unstage {
    fn start(&self, cx: AsyncContext) {
        match self.0.find(cx.step()).and_then(|area| Ok((area, wish(&cx)?))) {
            Ok((area, wish)) => {
                let step = cx.step().clone();
                area.0.ask(step.cancellation(), wish, move |result| {
                    let checked = result.and_then(|tuple| check(&cx, tuple));
                    cx.finish(checked);
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

fn wish(cx: &AsyncContext) -> Result<Wish> {
    if cx.inputs_len() == 0 {
        return Ok(Wish::Get);
    }
    let index = cx.input(0);
    if index.rank() != 0 {
        return Err(Status::invalid_argument("index must be scalar"));
    }
    let index = index.to_scalar::<i32>()?;
    usize::try_from(index)
        .map(Wish::Peek)
        .map_err(|_| Status::invalid_argument(format!("index must not be negative, got {index}")))
}

fn check(cx: &AsyncContext, tuple: Tuple) -> Result<Tuple> {
    let outputs = &cx.node().output_types;
    let same_types = tuple.iter().map(Tensor::dtype).eq(outputs.iter().map(|t| t.dtype));
    if same_types {
        return Ok(tuple);
    }
    Err(Status::invalid_argument(format!(
        "Mismatch stage/unstage: {} vs. {} (or their types differ)",
        tuple.len(),
        outputs.len()
    )))
}

struct Size(Area);

impl Kernel for Size {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let size = self.0.find(cx.step())?.0.look(|state| state.tuples.len());
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
            std::mem::take(&mut state.tuples)
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
    use downpour_tensor::{Code, DataType};

    fn attrs() -> Attrs {
        Attrs::new()
            .with("dtypes", vec![DataType::Int32])
            .with("capacity", 2i64)
            .with("memory_limit", 12i64)
            .with("shared_name", "s")
    }

    fn put(bench: &Bench, values: &[i32]) -> Pending {
        bench.start("Stage", attrs(), vec![Tensor::vector(values).unwrap().into()])
    }

    fn get(bench: &Bench) -> Pending {
        bench.start("Unstage", attrs(), vec![])
    }

    fn ints(pending: Pending) -> Vec<i32> {
        pending.tensors().unwrap()[0].as_slice::<i32>().unwrap().to_vec()
    }

    #[test]
    fn puts_wait_for_room_and_gets_for_tuples() {
        let bench = Bench::new(register);
        let waiting = get(&bench);
        assert!(waiting.is_waiting());
        put(&bench, &[1]).tensors().unwrap();
        assert_eq!(ints(waiting), [1]);
        put(&bench, &[2]).tensors().unwrap();
        put(&bench, &[3]).tensors().unwrap();
        let full = put(&bench, &[4]);
        assert!(full.is_waiting());
        let peeked = bench.start("StagePeek", attrs(), vec![Tensor::scalar(1i32).into()]);
        assert_eq!(ints(peeked), [3]);
        assert_eq!(ints(get(&bench)), [2]);
        full.tensors().unwrap();
        let heavy = put(&bench, &[0; 4]).tensors().unwrap_err();
        assert_eq!(heavy.code(), Code::ResourceExhausted);
        bench.run("StageClear", attrs(), []).unwrap();
        let size = bench.run("StageSize", attrs(), []).unwrap();
        assert_eq!(size[0].to_scalar::<i32>().unwrap(), 0);
        let vector = vec![Tensor::vector::<i32>(&[]).unwrap().into()];
        let error = bench.start("StagePeek", attrs(), vector).tensors().unwrap_err();
        assert!(error.message().contains("must be scalar"));
        let waiting = get(&bench);
        bench.step.cancellation().cancel();
        assert_eq!(waiting.tensors().unwrap_err().code(), Code::Cancelled);
    }
}
