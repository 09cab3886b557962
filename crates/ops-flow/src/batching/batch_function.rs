//! BatchFunction: calls a function for the rows of several steps at once.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{
    AsyncContext, AsyncKernel, CancelGuard, CancellationToken, FunctionHandle, KernelBox,
    KernelBuild, Registry, Step, StepConfig,
};
use downpour_tensor::{DataType, Result, Status, Tensor};

use super::call::{Call, rows};
use super::limits::Limits;
use super::rows::concatenate;
use super::scheduler::{Compute, Part, Scheduler, Turn};
use crate::handle::Place;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let signature = "BatchFunction(in_tensors: Tin, captured_tensors: Tcaptured) -> (out_tensors: Tout) @distributed
        f: func
        num_batch_threads: int
        max_batch_size: int
        batch_timeout_micros: int
        max_enqueued_batches: int = 10
        allowed_batch_sizes: list(int) = []
        container: string = ''
        shared_name: string = ''
        batching_queue: string = ''
        low_priority_max_batch_size: int = 0
        low_priority_batch_timeout_micros: int = 0
        low_priority_allowed_batch_sizes: list(int) = []
        low_priority_max_enqueued_batches: int = 0
        mixed_priority_policy: {'low_priority_padding_with_max_batch_size', 'low_priority_padding_with_next_allowed_batch_size', 'priority_isolation', 'priority_merge'} = 'low_priority_padding_with_max_batch_size'
        batch_padding_policy: {'PAD_UP', 'BATCH_DOWN', 'MINIMIZE_TPU_COST_PER_REQUEST'} = 'PAD_UP'
        Tin: list(type) >= 1
        Tcaptured: list(type) >= 0
        Tout: list(type) >= 1
        enable_large_batch_splitting: bool = false";
    registry.add(OpSpec::new(signature)?.not_differentiable(), make)
}

struct BatchFunction {
    place: Place,
    limits: Limits,
    inputs: usize,
    function: Arc<Function>,
}

struct Function {
    handle: Arc<FunctionHandle>,
    outputs: Vec<DataType>,
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    // No call has a low priority here, so what is said about such calls has no effect.
    let policy = build.string("batch_padding_policy")?;
    if policy != "PAD_UP" && !build.ints("allowed_batch_sizes")?.is_empty() {
        return Err(Status::unimplemented(format!(
            "BatchFunction: batches are padded up to an allowed size; the policy {policy} is not supported"
        )));
    }
    let inputs = build.input_range("in_tensors")?.len();
    let types = &build.input_types[..inputs];
    if let Some(i) = types.iter().position(|ty| ty.dtype == DataType::Resource) {
        return Err(Status::invalid_argument(format!(
            "BatchFunction cannot take resource inputs but input {i} is a resource."
        )));
    }
    let outputs = build.output_types.iter().map(|ty| ty.dtype).collect();
    Ok(KernelBox::asynchronous(BatchFunction {
        place: place(build)?,
        limits: Limits::new(build)?,
        inputs,
        function: Arc::new(Function { handle: build.callable("f")?, outputs }),
    }))
}

/// Returns where calls of a node meet: those that share a name and a queue.
pub(super) fn place(build: &KernelBuild<'_>) -> Result<Place> {
    let mut place = Place::by_node_name(build.node())?;
    let queue = build.string("batching_queue")?;
    if !queue.is_empty() {
        place.name = format!("{}/{queue}", place.name);
    }
    Ok(place)
}

impl AsyncKernel for BatchFunction {
    fn start(&self, cx: AsyncContext) {
        submit(cx, self.inputs, &self.place, &self.limits, self.function.clone());
    }

    fn expensive(&self) -> bool {
        false
    }
}

/// Adds a kernel's call to the scheduler of its place.
pub(super) fn submit(
    cx: AsyncContext,
    inputs: usize,
    place: &Place,
    limits: &Limits,
    compute: Arc<dyn Compute>,
) {
    let make = || Ok(Scheduler::new(limits.clone()));
    let found = cx.step().resources().lookup_or_create(&place.container, &place.name, make);
    let scheduler: Arc<Scheduler> = match found {
        Ok(scheduler) => scheduler,
        Err(error) => return cx.finish(Err(error)),
    };
    let types: Vec<DataType> = cx.node().output_types.iter().map(|ty| ty.dtype).collect();
    let call = match rows(&cx, inputs) {
        Ok(rows) => Call::new(cx, inputs, rows),
        Err(error) => return cx.finish(Err(error)),
    };
    if call.rows == 0 {
        return call.finish(types.into_iter().map(|dtype| Tensor::zeros(dtype, [0])).collect());
    }
    if let Err(error) = scheduler.submit(&call, compute) {
        call.finish(Err(error));
    }
}

impl Compute for Function {
    fn compute(&self, parts: Vec<Part>, turn: Turn) {
        let function = Function { handle: self.handle.clone(), outputs: self.outputs.clone() };
        on_compute_thread(parts, move |parts| function.run(parts, turn));
    }
}

/// Goes on on a compute thread: whoever has made a batch ready may be a timer.
pub(super) fn on_compute_thread(parts: Vec<Part>, work: impl FnOnce(Vec<Part>) + Send + 'static) {
    let pool = parts.last().and_then(|part| part.call.step.parallel().pool().cloned());
    match pool {
        Some(pool) => pool.spawn(move || work(parts)),
        None => work(parts),
    }
}

impl Function {
    fn run(&self, parts: Vec<Part>, turn: Turn) {
        let inputs = match batch(&parts, turn.limits()) {
            Ok(inputs) => inputs,
            Err(error) => return fail(&parts, &error),
        };
        let token = CancellationToken::new();
        let guards = cancel_with_all(&parts, &token);
        let last = &parts[parts.len() - 1].call;
        let arguments = inputs.into_iter().chain(last.captured.iter().cloned()).collect();
        let step = own_step(&last.step, token);
        let outputs = self.outputs.clone();
        self.handle.run(&step, arguments, move |result| {
            drop(guards);
            match result.and_then(|results| split(&parts, &outputs, results, turn.limits())) {
                Ok(results) => {
                    for (part, results) in parts.iter().zip(results) {
                        part.call.finish_part(part.number, results);
                    }
                }
                Err(error) => fail(&parts, &error),
            }
        });
    }
}

pub(super) fn fail(parts: &[Part], error: &Status) {
    parts.iter().for_each(|part| part.call.finish(Err(error.clone())));
}

/// Returns the inputs of a batch: the rows of its parts, padded with copies of the first row.
pub(super) fn batch(parts: &[Part], limits: &Limits) -> Result<Vec<Tensor>> {
    let Some(first) = parts.first() else { return Err(Status::invalid_argument("Empty batch.")) };
    let count = first.call.inputs.len();
    if parts.iter().any(|part| part.call.inputs.len() != count) {
        return Err(Status::invalid_argument("Batching inputs must have equal number of edges"));
    }
    let rows: usize = parts.iter().map(|part| part.rows.len()).sum();
    let padding = limits.padded(rows) - rows;
    (0..count)
        .map(|i| {
            let rows_of = |part: &Part| part.call.inputs[i].rows(part.rows.start, part.rows.end);
            let mut pieces = parts.iter().map(rows_of).collect::<Result<Vec<Tensor>>>()?;
            if padding > 0 {
                let row = pieces[0].rows(0, 1)?;
                pieces.extend(std::iter::repeat_n(row, padding));
            }
            concatenate(&pieces)
        })
        .collect()
}

/// Cancels a batch when all its calls are.
fn cancel_with_all(parts: &[Part], token: &CancellationToken) -> Vec<CancelGuard> {
    let steps: Arc<[Arc<Step>]> = parts.iter().map(|part| part.call.step.clone()).collect();
    let watch = |step: &Arc<Step>| {
        let (steps, token) = (steps.clone(), token.clone());
        step.cancellation().on_cancel(move || {
            if steps.iter().all(|step| step.cancellation().is_cancelled()) {
                token.cancel();
            }
        })
    };
    steps.iter().map(watch).collect()
}

/// Returns a step of its own on the device of a call: no single call can cancel it.
fn own_step(of: &Arc<Step>, cancellation: CancellationToken) -> Arc<Step> {
    let config = StepConfig {
        id: of.id(),
        resources: of.resources().clone(),
        parallel: of.parallel().uninterrupted(),
        cancellation,
        device: of.device().into(),
        trace: None,
        rendezvous: None,
    };
    Step::of_session(config, of.session().clone())
}

/// Returns the results of each part.
fn split(
    parts: &[Part],
    types: &[DataType],
    results: Vec<Tensor>,
    limits: &Limits,
) -> Result<Vec<Vec<Tensor>>> {
    if !results.iter().map(Tensor::dtype).eq(types.iter().copied()) {
        return Err(Status::internal("Wrong number or types of batched output tensors"));
    }
    let expected = limits.padded(parts.iter().map(|part| part.rows.len()).sum());
    for result in &results {
        if result.rank() == 0 {
            return Err(Status::failed_precondition("Batched output tensor has 0 dimensions"));
        }
        if result.dims()[0] != expected {
            return Err(Status::failed_precondition(format!(
                "Batched output tensor's 0th dimension does not equal the sum of the 0th dimension sizes of the \
                 input tensors. 0th dimension size: {}; expected: {expected}",
                result.dims()[0]
            )));
        }
    }
    let mut start = 0;
    let mut split = Vec::with_capacity(parts.len());
    for part in parts {
        let end = start + part.rows.len();
        split.push(results.iter().map(|result| result.rows(start, end)).collect::<Result<_>>()?);
        start = end;
    }
    Ok(split)
}
