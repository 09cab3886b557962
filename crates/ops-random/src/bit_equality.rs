//! Compares every operation of the family with what TensorFlow answered, bit by bit.
//!
//! `fixtures/bit_equality.tsv` is written by `fixtures/make.py`; each line is an operation, its
//! attributes, its inputs and a checksum of every output of some consecutive runs of one node.

use std::sync::Arc;

use downpour_graph::{AttrValue, Attrs, Graph, GraphBuilder, OpSpec, PartialShape};
use downpour_runtime::{
    CancellationToken, ComputePool, KernelBox, OpContext, Parallel, Registry, ResourceManager,
    Step, StepConfig, Value, Variable,
};
use downpour_tensor::{Bytes, DataType, Tensor};

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |c, _| (c >> 1) ^ (0xEDB8_8320 & (c & 1).wrapping_neg()))
    })
}

fn bytes(hex: &str) -> Bytes {
    let digits: Vec<u8> =
        hex.chars().map(|c| c.to_digit(16).expect("a hexadecimal digit") as u8).collect();
    digits.chunks_exact(2).map(|d| d[0] << 4 | d[1]).collect()
}

fn dtype(name: &str) -> DataType {
    DataType::from_name(name).expect("a type name")
}

fn attributes(text: &str) -> Attrs {
    let mut attrs = Attrs::new();
    for item in text.split(';').filter(|t| !t.is_empty()) {
        let (kind, rest) = item.split_once(':').expect("a kind");
        let (name, value) = rest.split_once('=').expect("a value");
        let float = |v: &str| AttrValue::Float(v.parse().expect("a number"));
        let value = match kind {
            "int" => AttrValue::Int(value.parse().expect("an integer")),
            "bool" => AttrValue::Bool(value == "1"),
            "type" => AttrValue::Type(dtype(value)),
            "float" => float(value),
            _ => AttrValue::List(value.split(',').map(float).collect()),
        };
        attrs.set(name, value);
    }
    attrs
}

fn tensor(dtype_name: &str, dims: &str, hex: &str) -> Tensor {
    let dims: Vec<usize> =
        dims.split(',').filter(|d| !d.is_empty()).map(|d| d.parse().expect("a size")).collect();
    Tensor::from_bytes(dtype(dtype_name), dims, bytes(hex))
        .expect("as many bytes as the shape says")
}

/// Checksums of the outputs of each run, then of the state; as many as TensorFlow's answer has.
fn run(op: &str, attrs: &str, inputs: &str, expected: &str) -> Vec<String> {
    let mut registry = Registry::new();
    crate::register(&mut registry).unwrap();
    let source = OpSpec::new("Source() -> (output: dtype)\n dtype: type").unwrap();
    registry.add_without_kernel(source).unwrap();
    let resources = Arc::new(ResourceManager::new());
    let mut state = None;
    let inputs: Vec<Tensor> = inputs
        .split(';')
        .filter(|t| !t.is_empty())
        .map(|text| {
            let fields: Vec<&str> = text.split(':').collect();
            let value = tensor(fields[1], fields[2], fields[3]);
            if fields[0] == "tensor" {
                return value;
            }
            let variable = Variable::new("state", value.dtype(), PartialShape::unknown());
            variable.assign(value);
            state = Some(resources.create("", "state", variable).unwrap());
            Tensor::handle(ResourceManager::make_handle::<Variable>("", "", "state"))
        })
        .collect();

    let mut graph = Graph::new();
    let mut builder = GraphBuilder::new(&mut graph, registry.ops());
    let ends: Vec<_> = inputs
        .iter()
        .map(|t| builder.op("Source", &[], Attrs::new().with("dtype", t.dtype())).unwrap())
        .collect();
    let id = builder.add_named("test", op, &ends, attributes(attrs)).unwrap();
    let node = Arc::new(graph.node(id).clone());
    let KernelBox::Sync(kernel) = registry.make_kernel(&node, None).unwrap() else {
        panic!("random kernels compute at once")
    };
    let step = Step::new(StepConfig {
        id: 1,
        resources,
        parallel: Parallel::new(ComputePool::new(3).unwrap(), 3),
        cancellation: CancellationToken::new(),
        device: "/job:localhost/replica:0/task:0/device:CPU:0".into(),
        trace: None,
        rendezvous: None,
    });
    expected
        .split(';')
        .map(|answer| {
            let mut values: Vec<Value> = inputs.iter().cloned().map(Value::Tensor).collect();
            let mut cx = OpContext::new(&node, &step, &mut values);
            kernel.compute(&mut cx).unwrap_or_else(|e| panic!("{op} {attrs}: {e}"));
            let mut tensors: Vec<Tensor> =
                cx.into_outputs().iter().map(|v| v.tensor().unwrap().clone()).collect();
            tensors.extend(state.as_ref().map(|s| s.read().unwrap()));
            let sums: Vec<String> = tensors
                .iter()
                .take(answer.split(',').count())
                .map(|t| format!("{:08x}", crc32(t.bytes().unwrap())))
                .collect();
            sums.join(",")
        })
        .collect()
}

#[test]
fn equal_to_tensorflow() {
    let mut wrong = Vec::new();
    for line in include_str!("../fixtures/bit_equality.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [op, attrs, inputs, expected] = fields[..] else { panic!("four fields: {line}") };
        let got = run(op, attrs, inputs, expected).join(";");
        if got != expected {
            let shown: String = inputs.chars().take(100).collect();
            wrong.push(format!("{op} {attrs} {shown}\n  expected {expected}\n  got      {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
