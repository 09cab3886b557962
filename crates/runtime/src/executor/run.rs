//! One execution of a plan.
//!
//! Protocol. `in_flight` counts nodes that are ready, running or waiting asynchronously. A node that
//! finishes first adds the nodes it made ready, then takes itself off; the one that brings the count to
//! zero completes the run, exactly once. After a failure (`stop`) ready nodes are dropped instead of run,
//! so the count still reaches zero, and every asynchronous kernel finishes because the step's
//! cancellation calls it back. The first error that is not derived from another one is reported.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::Instant;

use downpour_graph::Node;
use downpour_graph::frames::Kind;
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;
use smallvec::SmallVec;

use super::iteration::{Frame, Iteration, IterationState};
use super::plan::{Plan, PlanNode, UNKNOWN_COST};
use crate::async_context::AsyncContext;
use crate::cancellation::step_was_cancelled;
use crate::context::OpContext;
use crate::frame_iteration::FrameIteration;
use crate::kernel::{Kernel, KernelBox};
use crate::pool::Interrupted;
use crate::step::Step;
use crate::value::{Outputs, Value};

/// A kernel that takes less runs on the thread that made it ready; handing over costs about as much.
pub(super) const CHEAP_NANOSECONDS: u32 = 8_000;

/// A node in a particular iteration (`None`: the root), ready to run; dead nodes only pass deadness on.
pub(super) struct Tagged {
    pub node: u32,
    pub dead: bool,
    pub iteration: Option<Arc<Iteration>>,
}

impl Tagged {
    fn place(&self) -> FrameIteration {
        self.iteration.as_ref().map_or(FrameIteration::default(), |iteration| iteration.place())
    }
}

pub(super) type Ready = SmallVec<[Tagged; 8]>;

/// Receives the fetched tensors, or the error that ended the run.
pub type Completion = Box<dyn FnOnce(Result<Vec<Tensor>>) + Send>;

/// Choices for one run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// How many threads may run nodes of this run at the same time.
    pub inter_op: usize,
    /// Cancel the step when a node fails (functions leave that to their caller).
    pub cancel_on_error: bool,
}

enum Arg {
    /// A partial run's feed that has not come; its node waits here once it is ready.
    Missing(Option<Tagged>),
    Given(Value),
    Taken,
}

pub struct Run {
    plan: Arc<Plan>,
    step: Arc<Step>,
    options: RunOptions,
    root: IterationState,
    root_children: Mutex<Vec<(u32, Arc<Frame>)>>,
    args: Box<[Mutex<Arg>]>,
    fetched: Box<[Mutex<Value>]>,
    in_flight: AtomicUsize,
    /// Threads now inside `process`.
    active: AtomicUsize,
    stop: AtomicBool,
    error: Mutex<Option<Status>>,
    done: Mutex<Option<Completion>>,
    fetch_watch: Option<FetchWatch>,
}

/// Called with (fetch number, value) as soon as a fetched value exists (partial runs).
type FetchWatch = Box<dyn Fn(usize, Result<Tensor>) + Send + Sync>;

impl Run {
    /// Runs a plan on the calling thread and, where nodes allow it, on the pool's. `done` is called
    /// exactly once, perhaps before this returns, perhaps by another thread.
    pub fn start(
        plan: &Arc<Plan>,
        step: &Arc<Step>,
        args: Vec<Value>,
        options: RunOptions,
        done: Completion,
    ) -> Arc<Run> {
        let args = args.into_iter().map(|v| Mutex::new(Arg::Given(v))).collect();
        let run = Run::new(plan, step, args, options, done, None);
        run.clone().begin();
        run
    }

    /// Starts a run whose arguments come later (`feed`); `watch` sees each fetch when it exists.
    pub fn start_partial(
        plan: &Arc<Plan>,
        step: &Arc<Step>,
        options: RunOptions,
        watch: impl Fn(usize, Result<Tensor>) + Send + Sync + 'static,
        done: Completion,
    ) -> Arc<Run> {
        let args = (0..plan.args()).map(|_| Mutex::new(Arg::Missing(None))).collect();
        let run = Run::new(plan, step, args, options, done, Some(Box::new(watch)));
        run.clone().begin();
        run
    }

    fn new(
        plan: &Arc<Plan>,
        step: &Arc<Step>,
        args: Box<[Mutex<Arg>]>,
        options: RunOptions,
        done: Completion,
        fetch_watch: Option<FetchWatch>,
    ) -> Arc<Run> {
        let spare = plan.spare.lock().pop();
        let root = spare.unwrap_or_else(|| IterationState::new(&plan.frames[0]));
        Arc::new(Run {
            plan: plan.clone(),
            step: step.clone(),
            options,
            root,
            root_children: Mutex::default(),
            args,
            fetched: (0..plan.fetches()).map(|_| Mutex::new(Value::None)).collect(),
            in_flight: AtomicUsize::new(0),
            active: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            error: Mutex::new(None),
            done: Mutex::new(Some(done)),
            fetch_watch,
        })
    }

    fn begin(self: Arc<Self>) {
        // One unit for ourselves: the run cannot complete while roots are still being handed out.
        self.in_flight.store(self.plan.roots.len() + 1, Ordering::Relaxed);
        let root = |&node: &u32| Tagged { node, dead: false, iteration: None };
        let ready: Ready = self.plan.roots.iter().map(root).collect();
        self.clone().process(ready);
        self.finished(1);
    }

    /// Gives an argument of a partial run.
    pub fn feed(self: &Arc<Self>, index: usize, value: Value) -> Result<()> {
        let waiting = {
            let mut arg = self.args[index].lock();
            match std::mem::replace(&mut *arg, Arg::Given(value)) {
                Arg::Missing(waiting) => waiting,
                earlier => {
                    *arg = earlier;
                    return Err(Status::invalid_argument("the value has already been fed"));
                }
            }
        };
        if let Some(tagged) = waiting {
            self.clone().process(Ready::from_iter([tagged]));
        }
        Ok(())
    }

    pub fn step(&self) -> &Arc<Step> {
        &self.step
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(super) fn node(&self, index: u32) -> &PlanNode {
        &self.plan.nodes[index as usize]
    }

    pub(super) fn state<'a>(&'a self, iteration: &'a Option<Arc<Iteration>>) -> &'a IterationState {
        iteration.as_ref().map_or(&self.root, |i| &i.state)
    }

    pub(super) fn root_children(&self) -> &Mutex<Vec<(u32, Arc<Frame>)>> {
        &self.root_children
    }

    /// Runs ready nodes until none is left here.
    fn process(self: Arc<Self>, first: Ready) {
        self.active.fetch_add(1, Ordering::Relaxed);
        let mut queue: VecDeque<Tagged> = VecDeque::new();
        let mut ready = first;
        loop {
            self.distribute(&mut ready, &mut queue);
            let Some(tagged) = queue.pop_front() else { break };
            if self.stop.load(Ordering::Relaxed) || self.step.cancellation().is_cancelled() {
                if !self.stop.load(Ordering::Relaxed) {
                    self.fail(step_was_cancelled());
                }
                drop(tagged);
                self.finished(1);
                continue;
            }
            self.execute(tagged, &mut ready);
        }
        self.active.fetch_sub(1, Ordering::Relaxed);
    }

    /// Keeps cheap nodes and one expensive node for this thread and offers the rest to the pool.
    fn distribute(self: &Arc<Self>, ready: &mut Ready, queue: &mut VecDeque<Tagged>) {
        let pool = self.step.parallel().pool();
        let (Some(pool), true) = (pool, self.options.inter_op > 1 && ready.len() + queue.len() > 1)
        else {
            queue.extend(ready.drain(..));
            return;
        };
        let mut expensive: Option<Tagged> = None;
        for tagged in ready.drain(..) {
            if tagged.dead || self.node(tagged.node).is_cheap() {
                queue.push_back(tagged);
            } else if let Some(earlier) = expensive.replace(tagged) {
                self.offer(pool, earlier, queue);
            }
        }
        if let Some(last) = expensive {
            if queue.is_empty() {
                queue.push_back(last);
            } else {
                self.offer(pool, last, queue);
            }
        }
    }

    fn offer(
        self: &Arc<Self>,
        pool: &crate::pool::ComputePool,
        tagged: Tagged,
        queue: &mut VecDeque<Tagged>,
    ) {
        if self.active.load(Ordering::Relaxed) >= self.options.inter_op {
            queue.push_back(tagged);
            return;
        }
        let run = self.clone();
        pool.spawn(move || run.process(Ready::from_iter([tagged])));
    }

    fn execute(self: &Arc<Self>, tagged: Tagged, ready: &mut Ready) {
        let item = self.node(tagged.node);
        if tagged.dead && item.kind == Kind::Transfer {
            // SAFETY: the node is ready and this thread alone handles it.
            unsafe { self.state(&tagged.iteration).inputs(item.slots) }.fill(Value::Dead);
        } else if tagged.dead {
            // SAFETY: the node is ready and this thread alone handles it.
            unsafe { self.state(&tagged.iteration).inputs(item.slots) }.fill(Value::None);
            let mut outputs = Outputs::new();
            outputs.resize_with(item.node.output_types.len(), || Value::Dead);
            return self.deliver(tagged, outputs, ready);
        }
        if let Kind::Arg(index) = item.kind {
            return self.deliver_arg(index, tagged, ready);
        }
        match &*item.kernel {
            KernelBox::Sync(_) if item.forwards_reference => {
                // SAFETY: the node is ready and this thread alone handles it.
                let inputs = unsafe { self.state(&tagged.iteration).inputs(item.slots) };
                let start = self.step.trace().map(|_| Instant::now());
                match forward_reference(&mut inputs[0]) {
                    Ok(value) => {
                        let outputs = Outputs::from_iter([value]);
                        if let (Some(trace), Some(start)) = (self.step.trace(), start) {
                            trace.record(&item.node, start, &outputs);
                        }
                        self.deliver(tagged, outputs, ready);
                    }
                    Err(status) => {
                        self.fail(status.at_operation(item.node.op_name(), &item.node.name));
                        drop(tagged);
                        self.finished(1);
                    }
                }
            }
            KernelBox::Sync(kernel) => {
                let result = self.compute(item, &**kernel, &tagged);
                match result {
                    Ok(outputs) => self.deliver(tagged, outputs, ready),
                    Err(status) => {
                        self.fail(status.at_operation(item.node.op_name(), &item.node.name));
                        drop(tagged);
                        self.finished(1);
                    }
                }
            }
            KernelBox::Async(_) => self.start_async(tagged),
        }
    }

    fn compute(
        self: &Arc<Self>,
        item: &PlanNode,
        kernel: &dyn Kernel,
        tagged: &Tagged,
    ) -> Result<Outputs> {
        // SAFETY: the node is ready and this thread alone handles it.
        let inputs = unsafe { self.state(&tagged.iteration).inputs(item.slots) };
        if item.has_reference_inputs {
            dereference(&item.node, inputs)?;
        }
        let traced = self.step.trace().map(|trace| (trace, Instant::now()));
        let start = measure(&item.cost);
        let mut cx = OpContext::new(&item.node, &self.step, inputs).at(tagged.place());
        let result = catch_unwind(AssertUnwindSafe(|| kernel.compute(&mut cx)));
        let outputs = cx.into_outputs();
        if let Some(start) = start {
            record(&item.cost, start);
        }
        if let Some((trace, start)) = traced {
            trace.record(&item.node, start, &outputs);
        }
        inputs.fill(Value::None);
        match result {
            Ok(result) => result.map(|()| outputs),
            Err(panic) => Err(panicked(&item.node, panic)),
        }
    }

    fn start_async(self: &Arc<Self>, tagged: Tagged) {
        let item = self.node(tagged.node);
        // SAFETY: the node is ready and this thread alone handles it.
        let inputs = unsafe { self.state(&tagged.iteration).inputs(item.slots) };
        if item.has_reference_inputs
            && let Err(status) = dereference(&item.node, inputs)
        {
            self.fail(status.at_operation(item.node.op_name(), &item.node.name));
            self.finished(1);
            return;
        }
        let values: SmallVec<[Value; 4]> = inputs.iter_mut().map(std::mem::take).collect();
        let place = tagged.place();
        let run = self.clone();
        let started = self.step.trace().map(|_| Instant::now());
        let finish = Box::new(move |result: Result<Outputs>| {
            let node = &run.node(tagged.node).node;
            if let (Some(trace), Some(start), Ok(outputs)) = (run.step.trace(), started, &result) {
                trace.record(node, start, outputs);
            }
            let mut ready = Ready::new();
            match result {
                Ok(mut outputs) => {
                    outputs.resize_with(node.output_types.len(), || Value::None);
                    run.deliver(tagged, outputs, &mut ready);
                }
                Err(status) => {
                    run.fail(status.at_operation(node.op_name(), &node.name));
                    run.finished(1);
                }
            }
            if !ready.is_empty() {
                run.resume(ready);
            }
        });
        let cx = AsyncContext::new(item.node.clone(), self.step.clone(), values, finish).at(place);
        let KernelBox::Async(kernel) = &*item.kernel else { return };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| kernel.start(cx))) {
            // The context was dropped by the unwinding, which finished the node with an error;
            // this one says more.
            self.fail(panicked(&item.node, panic));
        }
    }

    /// Continues on this thread, or on the pool when kernels that finish at once have nested deeply
    /// or when the finisher is not one of the compute threads' own calls.
    fn resume(self: Arc<Self>, ready: Ready) {
        thread_local! {
            static DEPTH: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
        }
        let depth = DEPTH.get();
        match self.step.parallel().pool() {
            Some(pool) if depth >= 16 => {
                let pool = pool.clone();
                pool.spawn(move || self.process(ready));
            }
            _ => {
                DEPTH.set(depth + 1);
                self.process(ready);
                DEPTH.set(depth);
            }
        }
    }

    fn deliver_arg(self: &Arc<Self>, index: u32, tagged: Tagged, ready: &mut Ready) {
        let value = {
            let mut arg = self.args[index as usize].lock();
            match std::mem::replace(&mut *arg, Arg::Taken) {
                Arg::Given(value) => value,
                Arg::Missing(_) => {
                    *arg = Arg::Missing(Some(tagged));
                    return;
                }
                Arg::Taken => Value::Dead,
            }
        };
        self.deliver(tagged, Outputs::from_iter([value]), ready);
    }

    fn deliver(self: &Arc<Self>, tagged: Tagged, outputs: Outputs, ready: &mut Ready) {
        let item = self.node(tagged.node);
        // An Exit is dead in every iteration but the last; the frame's end decides (`delete_frame`).
        let passing_exit = tagged.dead && item.kind == Kind::Exit;
        if !item.fetches.is_empty()
            && !passing_exit
            && let Err(status) = self.fetch(item, tagged.dead, &outputs)
        {
            self.fail(status.at_operation(item.node.op_name(), &item.node.name));
        }
        let before = ready.len();
        self.propagate(&tagged, outputs, ready);
        drop(tagged);
        match ready.len() - before {
            0 => self.finished(1),
            1 => {}
            more => {
                self.in_flight.fetch_add(more - 1, Ordering::AcqRel);
            }
        }
    }

    pub(super) fn fetch(&self, item: &PlanNode, dead: bool, outputs: &Outputs) -> Result<()> {
        for &(port, index) in &item.fetches {
            let value = match &outputs[port as usize] {
                Value::Tensor(tensor) if !dead => tensor.clone(),
                Value::Ref(variable) if !dead => variable.read()?,
                _ => {
                    return Err(Status::invalid_argument(format!(
                        "Retval[{index}] does not have value: {}:{port} was on a branch that was not \
                         taken",
                        item.node.name
                    )));
                }
            };
            if let Some(watch) = &self.fetch_watch {
                watch(index as usize, Ok(value.clone()));
            }
            *self.fetched[index as usize].lock() = Value::Tensor(value);
        }
        Ok(())
    }

    /// Records an error and stops the run. A derived error gives way to a later root cause.
    pub(super) fn fail(&self, status: Status) {
        {
            let mut error = self.error.lock();
            match &*error {
                Some(earlier) if !earlier.is_derived() || status.is_derived() => {}
                _ => *error = Some(status),
            }
        }
        if !self.stop.swap(true, Ordering::AcqRel) {
            self.release_missing_args();
            if self.options.cancel_on_error {
                self.step.cancellation().cancel();
            }
        }
    }

    /// Ends a partial run that will get no more feeds.
    pub fn abandon(&self, status: Status) {
        self.fail(status);
    }

    /// Nodes that wait for arguments will never run now.
    fn release_missing_args(&self) {
        let mut released = 0;
        for arg in &self.args {
            let mut arg = arg.lock();
            if let Arg::Missing(waiting) = &mut *arg
                && waiting.take().is_some()
            {
                released += 1;
            }
        }
        if released > 0 {
            self.finished(released);
        }
    }

    fn finished(&self, count: usize) {
        if self.in_flight.fetch_sub(count, Ordering::AcqRel) == count {
            self.complete();
        }
    }

    fn complete(&self) {
        for (_, frame) in std::mem::take(&mut *self.root_children.lock()) {
            frame.dismantle();
        }
        let result = match self.error.lock().take() {
            Some(status) => Err(status),
            None => self.collect(),
        };
        if let Some(done) = self.done.lock().take() {
            done(result);
        }
    }

    fn collect(&self) -> Result<Vec<Tensor>> {
        let take = |(i, slot): (usize, &Mutex<Value>)| match std::mem::take(&mut *slot.lock()) {
            Value::Tensor(tensor) => Ok(tensor),
            _ => Err(Status::invalid_argument(format!("Retval[{i}] does not have value"))),
        };
        self.fetched.iter().enumerate().map(take).collect()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // The root state of a finished run serves the next one of the same plan. Emptied now, not then: a
        // step that was ended leaves values behind, and there may be no next one.
        let empty = IterationState::empty();
        let mut root = std::mem::replace(&mut self.root, empty);
        root.reset(&self.plan.frames[0]);
        let mut spare = self.plan.spare.lock();
        if spare.len() < 4 {
            spare.push(root);
        }
    }
}

/// The reference itself, if its variable has a value.
fn forward_reference(input: &mut Value) -> Result<Value> {
    if let Value::Ref(variable) = input
        && !variable.is_initialized()
    {
        variable.read()?;
    }
    Ok(std::mem::take(input))
}

/// Replaces references by values where the kernel wants values.
pub(super) fn dereference(node: &Node, inputs: &mut [Value]) -> Result<()> {
    for (value, expected) in inputs.iter_mut().zip(&node.input_types) {
        if let Value::Ref(variable) = value {
            if !expected.is_ref {
                let tensor = variable.read()?;
                *value = Value::Tensor(tensor);
            } else if !node.op.def.allows_uninitialized_input && !variable.is_initialized() {
                variable.read()?;
            }
        }
    }
    Ok(())
}

/// Kernels that call themselves cheap are not timed; those that proved cheap are timed now and then: a
/// clock costs as much as they do.
fn measure(cost: &AtomicU32) -> Option<Instant> {
    thread_local! {
        static TURN: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    let cost = cost.load(Ordering::Relaxed);
    if cost == 0 {
        return None;
    }
    if cost < CHEAP_NANOSECONDS {
        let turn = TURN.get().wrapping_add(1);
        TURN.set(turn);
        if !turn.is_multiple_of(16) {
            return None;
        }
    }
    Some(Instant::now())
}

fn record(cost: &AtomicU32, start: Instant) {
    let nanoseconds = start.elapsed().as_nanos().min(u32::MAX as u128) as u32;
    let new = match cost.load(Ordering::Relaxed) {
        UNKNOWN_COST => nanoseconds,
        old => old - old / 4 + nanoseconds / 4,
    };
    cost.store(new.max(1), Ordering::Relaxed);
}

/// The error of a kernel that did not return: its step was cancelled in the middle of a loop, or it has a mistake.
pub(super) fn panicked(node: &Node, panic: Box<dyn std::any::Any + Send>) -> Status {
    if panic.is::<Interrupted>() {
        return step_was_cancelled();
    }
    let text = panic
        .downcast_ref::<&str>()
        .map(|s| s.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    Status::internal(format!(
        "the kernel of {} panicked ({text}); this is a mistake in Downpour, please report it",
        node.op_name()
    ))
    .at_node(&node.name)
}
