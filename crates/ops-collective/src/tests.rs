//! Groups of several nodes, in steps of a session.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use downpour_graph::{AttrValue, Attrs, Endpoint, Graph, GraphBuilder, OpSpec, export_graph};
use downpour_runtime::{
    CancellationToken, ComputePool, Device, KernelBox, Registry, RunRequest, Session,
    SessionOptions, StepOptions, after,
};
use downpour_tensor::{Code, DataType, Result, Status, Tensor};

fn registry() -> Arc<Registry> {
    static REGISTRY: OnceLock<Arc<Registry>> = OnceLock::new();
    let make = || {
        let mut registry = Registry::new();
        super::register(&mut registry).unwrap();
        let constant = OpSpec::new("Const() -> (output: dtype)\n value: tensor\n dtype: type");
        registry
            .add(constant.unwrap(), |build| {
                let value = build.tensor("value")?;
                struct Const(Tensor);
                impl downpour_runtime::Kernel for Const {
                    fn compute(&self, cx: &mut downpour_runtime::OpContext<'_>) -> Result<()> {
                        cx.set_output(0, self.0.clone());
                        Ok(())
                    }
                }
                Ok(KernelBox::new(Const(value)))
            })
            .unwrap();
        Arc::new(registry)
    };
    REGISTRY.get_or_init(make).clone()
}

/// A graph of members, and the names of what they give.
struct Members {
    registry: Arc<Registry>,
    graph: Graph,
    fetches: Vec<String>,
}

impl Members {
    fn new() -> Members {
        Members { registry: registry(), graph: Graph::new(), fetches: Vec::new() }
    }

    fn constant(&mut self, value: Tensor) -> Endpoint {
        let attrs =
            Attrs::new().with("dtype", value.dtype()).with("value", AttrValue::Tensor(value));
        let mut builder = GraphBuilder::new(&mut self.graph, self.registry.ops());
        builder.op("Const", &[], attrs).unwrap()
    }

    /// A member of the group 1, with the inputs that are before its keys.
    fn add(&mut self, op: &str, size: i32, inputs: Vec<Tensor>, attrs: Attrs) -> &mut Members {
        let keys = [size, 1, 7].map(Tensor::scalar);
        let all: Vec<Tensor> = inputs.into_iter().chain(keys).collect();
        self.add_node(op, all, attrs)
    }

    fn add_node(&mut self, op: &str, inputs: Vec<Tensor>, attrs: Attrs) -> &mut Members {
        let inputs: Vec<Endpoint> = inputs.into_iter().map(|t| self.constant(t)).collect();
        self.add_ends(op, &inputs, attrs);
        self
    }

    fn add_ends(&mut self, op: &str, inputs: &[Endpoint], attrs: Attrs) -> Endpoint {
        let name = format!("{op}_{}", self.fetches.len());
        let mut builder = GraphBuilder::new(&mut self.graph, self.registry.ops());
        let id = builder.add_named(&name, op, inputs, attrs).unwrap();
        self.fetches.push(format!("{name}:0"));
        id.into()
    }

    fn session(&self) -> Session {
        let device = Device::new(
            "/job:localhost/replica:0/task:0/device:CPU:0",
            ComputePool::new(2).unwrap(),
        );
        let session = Session::new(self.registry.clone(), device, SessionOptions::default());
        session.extend(&export_graph(&self.graph).unwrap()).unwrap();
        session
    }

    fn run(&self) -> Result<Vec<Tensor>> {
        self.session().run(self.request(), &StepOptions::default())
    }

    fn request(&self) -> RunRequest {
        RunRequest { fetches: self.fetches.clone(), ..RunRequest::default() }
    }
}

fn floats(values: &[f32]) -> Tensor {
    Tensor::vector(values).unwrap()
}

fn adding() -> Attrs {
    Attrs::new().with("T", DataType::Float).with("merge_op", "Add").with("final_op", "Id")
}

fn of(dtype: DataType) -> Attrs {
    Attrs::new().with("T", dtype)
}

fn all(tensors: &[Tensor]) -> Vec<Vec<f32>> {
    tensors.iter().map(|t| t.as_slice::<f32>().unwrap().to_vec()).collect()
}

fn refused(members: &Members) -> Status {
    members.run().unwrap_err()
}

#[test]
fn everybody_gets_the_reduction_of_all() {
    let mut members = Members::new();
    for member in 0..3 {
        let value = floats(&[member as f32, 1.0]);
        members.add("CollectiveReduceV2", 3, vec![value], adding());
    }
    let session = members.session();
    // Keys are those of a step: the next one meets again.
    for _ in 0..3 {
        let results = session.run(members.request(), &StepOptions::default()).unwrap();
        assert_eq!(all(&results), vec![vec![3.0, 3.0]; 3]);
    }
    let mut members = Members::new();
    for member in [-4, 1] {
        let attrs = of(DataType::Int32).with("merge_op", "Add").with("final_op", "Div");
        let value = Tensor::vector(&[member, 5]).unwrap();
        members.add("CollectiveReduceV2", 2, vec![value], attrs);
    }
    assert_eq!(members.run().unwrap()[1].as_slice::<i32>().unwrap(), [-1, 5]);
}

#[test]
fn large_reductions_are_those_of_every_element() {
    let mut members = Members::new();
    let value = |member: usize| (0..200_000).map(|i| (i * (member + 1)) as f32).collect::<Vec<_>>();
    for member in 0..2 {
        let attrs = of(DataType::Float).with("merge_op", "Max").with("final_op", "Div");
        members.add("CollectiveReduceV2", 2, vec![floats(&value(member))], attrs);
    }
    let results = members.run().unwrap();
    let found = results[0].as_slice::<f32>().unwrap();
    assert!(found.iter().enumerate().all(|(i, &v)| v == i as f32), "{:?}", &found[..4]);
}

#[test]
fn a_gather_is_in_the_order_of_devices_and_names() {
    let mut members = Members::new();
    for member in 0..12 {
        members.add("CollectiveGatherV2", 12, vec![floats(&[member as f32])], of(DataType::Float));
    }
    let expected: Vec<f32> = (0..12).map(|m| m as f32).collect();
    assert_eq!(all(&members.run().unwrap())[5], expected);
}

#[test]
fn all_get_what_one_sends() {
    let mut members = Members::new();
    let attrs = of(DataType::Float);
    members.add("CollectiveBcastSendV2", 3, vec![floats(&[7.0, 8.0])], attrs.clone());
    for _ in 0..2 {
        let inputs = [3, 1, 7].map(Tensor::scalar).into_iter();
        let inputs = inputs.chain([Tensor::vector(&[2i32]).unwrap()]).collect();
        members.add_node("CollectiveBcastRecvV2", inputs, attrs.clone());
    }
    assert_eq!(all(&members.run().unwrap()), vec![vec![7.0, 8.0]; 3]);
    let mut two = Members::new();
    for _ in 0..2 {
        two.add("CollectiveBcastSendV2", 2, vec![floats(&[7.0])], of(DataType::Float));
    }
    let status = refused(&two);
    assert!(status.message().contains("one source, not 2"), "{status}");
}

#[test]
fn parts_go_to_their_members() {
    let mut members = Members::new();
    for member in 0..2 {
        let value = Tensor::from_slice([2, 2], &[member as f32, 1.0, 2.0, 3.0]).unwrap();
        members.add("CollectiveAllToAllV2", 2, vec![value], of(DataType::Float));
    }
    assert_eq!(all(&members.run().unwrap()), [[0.0, 1.0, 1.0, 1.0], [2.0, 3.0, 2.0, 3.0]]);
    let mut members = Members::new();
    for member in 0..2 {
        let value = floats(&[member as f32, 1.0, 2.0, 3.0]);
        members.add("CollectiveReduceScatterV2", 2, vec![value], adding());
    }
    assert_eq!(all(&members.run().unwrap()), [[1.0, 2.0], [4.0, 6.0]]);
}

/// The operation of a member, the size of its group and what it brings.
type Brought = (&'static str, i32, Tensor);

#[test]
fn what_cannot_be_done_is_an_error_for_all() {
    let reduce = "CollectiveReduceV2";
    let cases: [(&str, Vec<Brought>); 6] = [
        ("mismatch", vec![(reduce, 2, floats(&[1.0])), (reduce, 2, floats(&[1.0, 2.0]))]),
        (
            "is joining a group with size",
            vec![(reduce, 2, floats(&[1.0])), (reduce, 3, floats(&[1.0]))],
        ),
        (
            "a gather of",
            vec![(reduce, 2, floats(&[1.0])), ("CollectiveGatherV2", 2, floats(&[1.0]))],
        ),
        ("positive integer", vec![(reduce, 0, floats(&[1.0]))]),
        ("positive integer", vec![(reduce, -3, floats(&[1.0]))]),
        (
            "first dimension size (3) must be the same",
            vec![("CollectiveAllToAllV2", 2, floats(&[1.0; 3])); 2],
        ),
    ];
    for (expected, nodes) in cases {
        let mut members = Members::new();
        for (op, size, value) in nodes {
            let attrs = if op == reduce { adding() } else { of(DataType::Float) };
            members.add(op, size, vec![value], attrs);
        }
        let status = refused(&members);
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        assert!(status.message().contains(expected), "{status}");
    }
}

#[test]
fn who_waits_in_vain_says_who_came() {
    let mut members = Members::new();
    members.add(
        "CollectiveReduceV2",
        3,
        vec![floats(&[1.0])],
        // Long enough for the other to come first, on a busy machine too.
        adding().with("timeout_seconds", 2f32),
    );
    members.add("CollectiveReduceV2", 3, vec![floats(&[1.0])], adding());
    let status = refused(&members);
    assert_eq!(status.code(), Code::DeadlineExceeded, "{status}");
    let text = status.message();
    assert!(text.contains("1 of 3 members") && text.contains("'CollectiveReduceV2_1'"), "{text}");
}

#[test]
fn a_cancelled_step_ends_what_waits() {
    let mut members = Members::new();
    members.add("CollectiveReduceV2", 2, vec![floats(&[1.0])], adding());
    let session = members.session();
    let token = CancellationToken::new();
    let cancel = token.clone();
    let _soon = after(Duration::from_millis(50), move || cancel.cancel());
    let options = StepOptions { cancellation: Some(token), ..StepOptions::default() };
    let status = session.run(members.request(), &options).unwrap_err();
    assert_eq!(status.code(), Code::Cancelled, "{status}");
    // The session is as good as before.
    let mut alone = Members::new();
    alone.add("CollectiveReduceV2", 1, vec![floats(&[1.0])], adding());
    assert_eq!(all(&alone.run().unwrap()), [[1.0]]);
}

#[test]
fn communicators_know_their_ranks() {
    // The rows of the first operation are parts of the group; of the second there are none: all are one.
    let rows = || Tensor::from_slice([2, 2], &[0, 2, 1, 3]).unwrap();
    let nothing = || Tensor::zeros(DataType::Int32, [0]).unwrap();
    let mut members = Members::new();
    for (index, rank) in [1, 0, 3, 2].into_iter().enumerate() {
        let told = [1, rank, 4].map(|n| members.constant(Tensor::scalar(n)));
        let mut builder = GraphBuilder::new(&mut members.graph, members.registry.ops());
        let (op, name) = ("CollectiveInitializeCommunicator", format!("communicator_{index}"));
        let communicator = builder.add_named(&name, op, &told, Attrs::new()).unwrap().into();
        let mut value = members.constant(floats(&[rank as f32, 10.0]));
        for groups in [rows(), nothing()] {
            let ends = [value, communicator, members.constant(groups)];
            let attrs = of(DataType::Float).with("reduction", "Add");
            value = members.add_ends("CollectiveReduceV3", &ends, attrs);
        }
    }
    let (part, whole) = (|sum| vec![sum, 20.0], vec![12.0, 80.0]);
    let expected = [4.0, 2.0, 4.0, 2.0].map(|sum| [part(sum), whole.clone()]).concat();
    assert_eq!(all(&members.run().unwrap()), expected);
}
