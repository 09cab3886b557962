//! Calls that meet, and what they get.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use downpour_graph::{Attrs, Function, Graph, GraphBuilder, OpSpec};
use downpour_runtime::{
    AsyncContext, CancellationToken, FunctionBody, FunctionHandle, FunctionResult, FunctionSource,
    KernelBox, Outputs, Parallel, Registry, ResourceManager, Step, StepConfig, Value,
};
use downpour_tensor::{Code, DataType, Result, Status, Tensor};

/// A function that adds the captured value to its rows, and says how many there were.
struct Adds(std::sync::mpsc::Sender<usize>);

impl FunctionBody for Adds {
    fn run(&self, _: &Arc<Step>, args: Vec<Tensor>, done: Box<dyn FnOnce(FunctionResult) + Send>) {
        let rows = args[0].as_slice::<i32>().unwrap();
        let _ = self.0.send(rows.len());
        let by = args.get(1).map_or(0, |by| by.to_scalar::<i32>().unwrap());
        let sums: Vec<i32> = rows.iter().map(|row| row + by).collect();
        done(Tensor::vector(&sums).map(|sums| vec![sums]));
    }
}

struct Source(std::sync::mpsc::Sender<usize>);

impl FunctionSource for Source {
    fn function(&self, _: &Function) -> Result<Arc<FunctionHandle>> {
        Ok(Arc::new(FunctionHandle::new("adds", Box::new(Adds(self.0.clone())))))
    }

    fn gradient(&self, _: &Function) -> Result<Arc<FunctionHandle>> {
        Err(Status::unimplemented("no gradient"))
    }
}

/// Kernels of nodes of one name, each run in a step of its own.
struct Tested {
    registry: Registry,
    resources: Arc<ResourceManager>,
    source: Source,
    sizes: Receiver<usize>,
}

type Answer = Receiver<Result<Outputs>>;

impl Tested {
    fn new() -> Tested {
        let mut registry = Registry::new();
        super::register(&mut registry).unwrap();
        let source = "Source() -> (output: dtype)\n dtype: type";
        registry.add_without_kernel(OpSpec::new(source).unwrap()).unwrap();
        let (send, sizes) = channel();
        Tested { registry, resources: Arc::default(), source: Source(send), sizes }
    }

    fn start(
        &self,
        op: &str,
        attrs: Attrs,
        inputs: &[Tensor],
        token: &CancellationToken,
    ) -> Answer {
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, self.registry.ops());
        let ends: Vec<_> = inputs
            .iter()
            .map(|t| builder.op("Source", &[], Attrs::new().with("dtype", t.dtype())).unwrap())
            .collect();
        let (send, receive) = channel();
        let made = builder.add_named("test", op, &ends, attrs).and_then(|id| {
            let node = Arc::new(graph.node(id).clone());
            Ok((self.registry.make_kernel(&node, Some(&self.source))?, node))
        });
        let (kernel, node) = match made {
            Ok(made) => made,
            Err(error) => {
                send.send(Err(error)).unwrap();
                return receive;
            }
        };
        let step = Step::new(StepConfig {
            id: 1,
            resources: self.resources.clone(),
            parallel: Parallel::serial(),
            cancellation: token.clone(),
            device: "".into(),
            trace: None,
            rendezvous: None,
        });
        let KernelBox::Async(kernel) = kernel else { panic!("all of them may wait") };
        let inputs = inputs.iter().cloned().map(Value::Tensor).collect();
        let finish = Box::new(move |result| drop(send.send(result)));
        kernel.start(AsyncContext::new(node, step, inputs, finish));
        receive
    }

    fn call(&self, attrs: &Attrs, rows: &[i32]) -> Answer {
        self.call_of(attrs, rows, &CancellationToken::new())
    }

    fn call_of(&self, attrs: &Attrs, rows: &[i32], token: &CancellationToken) -> Answer {
        let inputs = [Tensor::vector(rows).unwrap(), Tensor::scalar(10i32)];
        let function = Function { name: "adds".into(), attrs: Attrs::new() };
        let types = |types: &[DataType]| types.to_vec();
        let attrs = attrs
            .clone()
            .with("f", function)
            .with("Tin", types(&[DataType::Int32]))
            .with("Tcaptured", types(&[DataType::Int32]))
            .with("Tout", types(&[DataType::Int32]));
        self.start("BatchFunction", attrs, &inputs, token)
    }
}

fn limits(most: i64, timeout_micros: i64) -> Attrs {
    Attrs::new()
        .with("num_batch_threads", 1i64)
        .with("max_batch_size", most)
        .with("batch_timeout_micros", timeout_micros)
}

const LONG: i64 = 100_000_000;

fn wait(answer: &Answer) -> Result<Vec<Tensor>> {
    let outputs = answer.recv_timeout(Duration::from_secs(60)).expect("every call ends")?;
    Ok(outputs.into_iter().filter_map(|value| value.tensor().cloned()).collect())
}

fn ints(answer: &Answer) -> Result<Vec<i32>> {
    Ok(wait(answer)?[0].as_slice::<i32>()?.to_vec())
}

fn code(answer: &Answer) -> Code {
    wait(answer).unwrap_err().code()
}

#[test]
fn calls_that_fill_a_batch_are_computed_together() {
    let t = Tested::new();
    let attrs = limits(3, LONG);
    let (first, second) = (t.call(&attrs, &[1]), t.call(&attrs, &[2, 3]));
    assert_eq!(ints(&first).unwrap(), [11]);
    assert_eq!(ints(&second).unwrap(), [12, 13]);
    assert_eq!(t.sizes.recv().unwrap(), 3);
    assert!(ints(&t.call(&attrs, &[])).unwrap().is_empty(), "no rows wait for nobody");
    assert!(wait(&t.call(&attrs, &[1, 2, 3, 4])).unwrap_err().message().contains("Task size 4"));
}

#[test]
fn a_batch_that_waits_too_long_is_padded_to_an_allowed_size() {
    let t = Tested::new();
    let attrs = limits(8, 1000).with("allowed_batch_sizes", vec![4i64, 8]);
    assert_eq!(ints(&t.call(&attrs, &[5])).unwrap(), [15]);
    assert_eq!(t.sizes.recv().unwrap(), 4);
}

#[test]
fn a_large_call_is_spread_over_batches() {
    let t = Tested::new();
    let attrs = limits(5, 1000)
        .with("allowed_batch_sizes", vec![2i64])
        .with("enable_large_batch_splitting", true);
    assert_eq!(ints(&t.call(&attrs, &[1, 2, 3, 4, 5])).unwrap(), [11, 12, 13, 14, 15]);
    let sizes: Vec<usize> = (0..3).map(|_| t.sizes.recv().unwrap()).collect();
    assert_eq!(sizes, [2, 2, 2]);
}

#[test]
fn a_full_queue_refuses_and_cancelled_calls_make_room() {
    let t = Tested::new();
    let attrs = limits(2, LONG).with("max_enqueued_batches", 1i64);
    let token = CancellationToken::new();
    let waiting = t.call_of(&attrs, &[1], &token);
    assert_eq!(code(&t.call(&attrs, &[2, 3])), Code::Unavailable);
    token.cancel();
    assert_eq!(code(&waiting), Code::Cancelled);
    assert_eq!(code(&t.call_of(&attrs, &[1], &token)), Code::Cancelled);
    assert_eq!(ints(&t.call(&attrs, &[2, 3])).unwrap(), [12, 13]);
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    let t = Tested::new();
    for attrs in [
        limits(0, 1),
        limits(2, -1),
        limits(2, 1).with("max_enqueued_batches", 0i64),
        limits(2, 1).with("allowed_batch_sizes", vec![1i64]),
        limits(2, 1).with("allowed_batch_sizes", vec![2i64, 2]),
        limits(2, 1).with("allowed_batch_sizes", vec![-1i64, 2]),
    ] {
        assert_eq!(code(&t.call(&attrs, &[1])), Code::InvalidArgument);
    }
}

#[test]
fn one_step_gets_the_batch_and_gives_back_what_belongs_to_others() {
    let t = Tested::new();
    let token = CancellationToken::new();
    let batch = |rows: &[i32]| {
        let attrs = limits(3, LONG).with("grad_timeout_micros", 0i64);
        t.start("Batch", attrs, &[Tensor::vector(rows).unwrap()], &token)
    };
    let (first, second) = (batch(&[1]), batch(&[2, 3]));
    let (first, second) = (wait(&first).unwrap(), wait(&second).unwrap());
    assert_eq!(first[0].len(), 0);
    assert_eq!(second[0].as_slice::<i32>().unwrap(), [1, 2, 3]);
    let keys = [first[2].to_scalar::<i64>().unwrap(), second[2].to_scalar::<i64>().unwrap()];
    assert_eq!(second[1].as_slice::<i64>().unwrap(), [keys[0], 0, 1, keys[1], 1, 3]);
    let unbatch = |parts: &[Tensor]| {
        t.start("Unbatch", Attrs::new().with("timeout_micros", LONG), parts, &token)
    };
    let (early, late) = (unbatch(&first), unbatch(&second));
    assert_eq!(ints(&early).unwrap(), [1]);
    assert_eq!(ints(&late).unwrap(), [2, 3]);
    let gradient = |parts: &[Tensor], grad: &[i32]| {
        let (grad, inputs) = (Tensor::vector(grad).unwrap(), parts);
        let inputs = [inputs[0].clone(), inputs[1].clone(), grad, inputs[2].clone()];
        t.start("UnbatchGrad", Attrs::new(), &inputs, &token)
    };
    let (whole, none) = (gradient(&second, &[7, 8]), gradient(&first, &[6]));
    assert_eq!(ints(&whole).unwrap(), [6, 7, 8]);
    assert!(ints(&none).unwrap().is_empty());
}

#[test]
fn rows_that_never_come_are_not_waited_for() {
    let t = Tested::new();
    let token = CancellationToken::new();
    let nothing = [
        Tensor::zeros(DataType::Int32, [0]).unwrap(),
        Tensor::zeros(DataType::Int64, [0, 3]).unwrap(),
        Tensor::scalar(5i64),
    ];
    let attrs = |micros: i64| Attrs::new().with("timeout_micros", micros);
    assert_eq!(code(&t.start("Unbatch", attrs(1000), &nothing, &token)), Code::DeadlineExceeded);
    let waiting = t.start("Unbatch", attrs(LONG), &nothing, &token);
    assert_eq!(code(&t.start("Unbatch", attrs(LONG), &nothing, &token)), Code::AlreadyExists);
    token.cancel();
    assert_eq!(code(&waiting), Code::Cancelled);
}

#[test]
fn forged_indices_are_refused() {
    let t = Tested::new();
    let token = CancellationToken::new();
    let data = Tensor::vector(&[1i32, 2]).unwrap();
    let id = Tensor::scalar(5i64);
    let index = |dims: &[usize], values: &[i64]| Tensor::from_slice(dims, values).unwrap();
    for (data, index, id) in [
        (data.clone(), index(&[1, 3], &[5, 0, 3]), id.clone()),
        (data.clone(), index(&[1, 3], &[5, 2, 1]), id.clone()),
        (data.clone(), index(&[1, 3], &[5, -1, 1]), id.clone()),
        (data.clone(), index(&[1, 2], &[5, 0]), id.clone()),
        (data.clone(), index(&[3], &[5, 0, 1]), id.clone()),
        (data.clone(), index(&[3, 3], &[0; 9]), id.clone()),
        (data.clone(), index(&[1, 3], &[5, 0, 1]), index(&[1], &[5])),
        (Tensor::scalar(1i32), index(&[1, 3], &[5, 0, 1]), id.clone()),
    ] {
        let unbatch = Attrs::new().with("timeout_micros", 1000i64);
        let inputs = [data.clone(), index.clone(), id.clone()];
        assert_eq!(code(&t.start("Unbatch", unbatch, &inputs, &token)), Code::InvalidArgument);
    }
    for (index, grad, id) in [
        (index(&[1, 2], &[5, 0]), data.clone(), id.clone()),
        (index(&[0, 3], &[]), data.clone(), id.clone()),
        (index(&[2, 3], &[5, 0, 1, 5, 1, 2]), data.clone(), id.clone()),
        (index(&[1, 3], &[5, 0, 1]), Tensor::scalar(1i32), id.clone()),
        (index(&[1, 3], &[5, 0, 1]), data.clone(), index(&[1], &[5])),
    ] {
        let inputs = [data.clone(), index, grad, id];
        let refused = t.start("UnbatchGrad", Attrs::new(), &inputs, &token);
        assert_eq!(code(&refused), Code::InvalidArgument);
    }
}
