//! Graphs of a few operations with rules simple enough to check by reading.

mod functional;
mod numbers;

use downpour_tensor::{Code, DataType, Result};

use super::{Differentiate, gradients};
use crate::{Attrs, Endpoint, Gradient, Graph, GraphBuilder, OpRegistry, OpSpec};

fn registry() -> OpRegistry {
    let mut ops = OpRegistry::new();
    let mut add = |spec: OpSpec| ops.add(spec).unwrap();
    let spec = |text: &str| OpSpec::new(text).unwrap();
    add(spec("Placeholder() -> (output: dtype)\n dtype: type"));
    add(spec("Const() -> (output: dtype)\n value: tensor\n dtype: type"));
    add(spec("_Arg() -> (output: T)\n T: type\n index: int"));
    add(spec("IdentityN(input: T) -> (output: T)\n T: list(type)")
        .gradient(|cx| Ok(vec![cx.gradient(0)])));
    add(spec("Identity(input: T) -> (output: T)\n T: type").gradient(|cx| Ok(vec![cx.gradient(0)])));
    for op in ["OnesLike(x: T) -> (y: T)\n T: type", "ZerosLike(x: T) -> (y: T)\n T: type"] {
        add(spec(op).not_differentiable());
    }
    add(spec("Mul(x: T, y: T) -> (z: T)\n T: type").gradient(|cx| {
        let (grad, x, y) = (cx.grad(0)?, cx.input(0), cx.input(1));
        let (dx, dy) = (cx.op("Mul", &[grad, y])?, cx.op("Mul", &[grad, x])?);
        Ok(vec![Gradient::Dense(dx), Gradient::Dense(dy)])
    }));
    add(spec("AddN(inputs: N * T) -> (sum: T)\n N: int >= 1\n T: type").gradient(|cx| {
        let grad = Gradient::Dense(cx.grad(0)?);
        Ok(vec![grad; cx.inputs_len()])
    }));
    add(spec("Rows(table: T, rows: int32, shape: int32) -> (taken: T)\n T: type").gradient(|cx| {
        let (values, indices, dense_shape) = (cx.grad(0)?, cx.input(1), cx.input(2));
        let rows = Gradient::Sparse { values, indices, dense_shape };
        Ok(vec![rows, Gradient::None, Gradient::None])
    }));
    add(spec("Halves(x: T) -> (low: T, high: T)\n T: type").gradient(|cx| {
        let (low, high) = (cx.grad(0)?, cx.grad(1)?);
        Ok(vec![Gradient::Dense(cx.op("AddN", &[low, high])?)])
    }));
    add(spec(
        "ConcatV2(values: N * T, axis: Tidx) -> (output: T)\n N: int >= 2\n T: type\n Tidx: type = int32",
    ));
    add(spec(
        "StridedSlice(input: T, begin: I, end: I, strides: I) -> (output: T)\
        \n T: type\n I: type\n shrink_axis_mask: int = 0",
    ));
    add(spec(
        "UnsortedSegmentSum(data: T, ids: I, n: N) -> (output: T)\n T: type\n I: type\n N: type",
    ));
    add(spec("Opaque(x: T) -> (y: T)\n T: type"));
    add(spec("Truncate(x: T) -> (y: int32)\n T: type"));
    add(spec("Widen(x: int32) -> (y: float)"));
    add(spec("Enter(data: T) -> (output: T)\n T: type\n frame_name: string"));
    add(spec("Call(x: T) -> (y: T)\n T: type\n f: func"));
    ops
}

fn placeholder(b: &mut GraphBuilder<'_>, name: &str, dtype: DataType) -> Endpoint {
    let attrs = Attrs::new().with("dtype", dtype);
    b.add_named(name, "Placeholder", &[], attrs).unwrap().into()
}

fn op(b: &mut GraphBuilder<'_>, op: &str, inputs: &[Endpoint]) -> Endpoint {
    b.op(op, inputs, Attrs::new()).unwrap()
}

fn differentiate(
    graph: &mut Graph,
    ops: &OpRegistry,
    ys: &[Endpoint],
    xs: &[Endpoint],
) -> Result<Vec<Gradient>> {
    let wanted = Differentiate { ys: ys.to_vec(), xs: xs.to_vec(), ..Differentiate::default() };
    gradients(graph, ops, &mut crate::FunctionLibrary::new(), &wanted)
}

/// A value written as the expression that computes it.
fn text(graph: &Graph, end: Endpoint) -> String {
    let node = graph.node(end.node);
    if node.inputs.is_empty() {
        return node.name.clone();
    }
    let inputs: Vec<String> = node.inputs.iter().map(|input| text(graph, *input)).collect();
    format!("{}({})", node.op_name(), inputs.join(", "))
}

fn dense(graph: &Graph, gradient: Gradient) -> String {
    match gradient {
        Gradient::Dense(end) => text(graph, end),
        other => format!("{other:?}"),
    }
}

#[test]
fn gradients_of_several_uses_are_summed_under_a_scope_of_their_own() {
    let ops = registry();
    let mut graph = Graph::new();
    let mut b = GraphBuilder::new(&mut graph, &ops);
    let x = placeholder(&mut b, "x", DataType::Float);
    let y = op(&mut b, "Mul", &[x, x]);
    let before = graph.len();
    let found = differentiate(&mut graph, &ops, &[y], &[x]).unwrap();
    assert_eq!(
        dense(&graph, found[0]),
        "AddN(Mul(OnesLike(Mul(x, x)), x), Mul(OnesLike(Mul(x, x)), x))"
    );
    for (id, node) in graph.nodes() {
        assert_eq!(id.index() >= before, node.name.starts_with("gradients/"), "{}", node.name);
    }
    assert!(graph.find("gradients/Mul_grad/Mul_1").is_some());
}

#[test]
fn a_gradient_can_be_differentiated_again() {
    let ops = registry();
    let mut graph = Graph::new();
    let mut b = GraphBuilder::new(&mut graph, &ops);
    let x = placeholder(&mut b, "x", DataType::Float);
    let y = op(&mut b, "Mul", &[x, x]);
    let first = differentiate(&mut graph, &ops, &[y], &[x]).unwrap();
    let Gradient::Dense(slope) = first[0] else { panic!("{first:?}") };
    let second = differentiate(&mut graph, &ops, &[slope], &[x]).unwrap();
    assert!(matches!(second[0], Gradient::Dense(_)));
    assert!(graph.find("gradients_1/grad_ys_0").is_some());
}

#[test]
fn nothing_flows_where_no_path_leads_or_integers_are_on_it() {
    let ops = registry();
    let mut graph = Graph::new();
    let mut b = GraphBuilder::new(&mut graph, &ops);
    let (x, z) =
        (placeholder(&mut b, "x", DataType::Float), placeholder(&mut b, "z", DataType::Float));
    let whole = op(&mut b, "Truncate", &[x]);
    let y = op(&mut b, "Widen", &[whole]);
    let found = differentiate(&mut graph, &ops, &[y], &[x, z]).unwrap();
    assert_eq!(found, [Gradient::None, Gradient::None]);
}

#[test]
fn an_unused_output_has_zeros_for_its_gradient() {
    let ops = registry();
    let mut graph = Graph::new();
    let mut b = GraphBuilder::new(&mut graph, &ops);
    let x = placeholder(&mut b, "x", DataType::Float);
    let low = op(&mut b, "Halves", &[x]);
    let found = differentiate(&mut graph, &ops, &[low], &[x]).unwrap();
    assert_eq!(dense(&graph, found[0]), "AddN(OnesLike(Halves(x)), ZerosLike(Halves(x)))");
}

#[test]
fn starting_gradients_and_constants_are_heeded() {
    let ops = registry();
    let mut graph = Graph::new();
    let mut b = GraphBuilder::new(&mut graph, &ops);
    let x = placeholder(&mut b, "x", DataType::Float);
    let start = placeholder(&mut b, "start", DataType::Float);
    let inner = op(&mut b, "Mul", &[x, x]);
    let y = op(&mut b, "Mul", &[x, inner]);
    let wanted = Differentiate {
        ys: vec![y],
        xs: vec![x],
        grad_ys: vec![Gradient::Dense(start)],
        stop_gradients: vec![inner],
        scope: "outer/gradients".into(),
        ..Differentiate::default()
    };
    let mut library = crate::FunctionLibrary::new();
    let found = gradients(&mut graph, &ops, &mut library, &wanted).unwrap();
    assert_eq!(dense(&graph, found[0]), "Mul(Identity(start), Mul(x, x))");
    assert!(graph.find("outer/gradients/grad_ys_0").is_some());
}

#[test]
fn rows_stay_rows_until_something_dense_joins_them() {
    let ops = registry();
    let mut graph = Graph::new();
    let mut b = GraphBuilder::new(&mut graph, &ops);
    let table = placeholder(&mut b, "table", DataType::Float);
    let rows = placeholder(&mut b, "rows", DataType::Int32);
    let shape = placeholder(&mut b, "shape", DataType::Int32);
    let one = op(&mut b, "Rows", &[table, rows, shape]);
    let two = op(&mut b, "Rows", &[table, rows, shape]);
    let all = op(&mut b, "Mul", &[table, table]);
    let found = differentiate(&mut graph, &ops, &[one, two], &[table]).unwrap();
    let Gradient::Sparse { values, indices, .. } = found[0] else { panic!("{found:?}") };
    assert!(text(&graph, indices).starts_with("ConcatV2(rows, rows, "));
    assert!(text(&graph, values).starts_with("ConcatV2(OnesLike(Rows("));
    let found = differentiate(&mut graph, &ops, &[one, all], &[table]).unwrap();
    assert!(dense(&graph, found[0]).contains("UnsortedSegmentSum(OnesLike(Rows("));
}

#[test]
fn what_cannot_be_differentiated_is_named() {
    let ops = registry();
    let refused = |kind: &str, attrs: Attrs| {
        let mut graph = Graph::new();
        let mut b = GraphBuilder::new(&mut graph, &ops);
        let x = placeholder(&mut b, "x", DataType::Float);
        let y = b.add_named("culprit", kind, &[x], attrs).unwrap().into();
        differentiate(&mut graph, &ops, &[y], &[x]).unwrap_err()
    };
    let opaque = refused("Opaque", Attrs::new());
    assert_eq!(opaque.code(), Code::NotFound);
    let told = "No gradient defined for operation 'culprit' (op type: Opaque)";
    assert!(opaque.message().contains(told), "{}", opaque.message());
    let frame = refused("Enter", Attrs::new().with("frame_name", "counting"));
    assert_eq!(frame.code(), Code::Unimplemented);
    assert!(frame.message().contains("the loop 'counting'"), "{}", frame.message());
    let function = crate::Function { name: "f".to_string(), attrs: Attrs::new() };
    let call = refused("Call", Attrs::new().with("f", function));
    assert_eq!(call.code(), Code::Unimplemented);
    let own = refused("Opaque", Attrs::new().with("_gradient_op_type", "CustomGradient-7"));
    assert!(own.message().contains("CustomGradient-7"), "{}", own.message());
}

#[test]
fn a_complex_value_needs_a_starting_gradient() {
    let ops = registry();
    let mut graph = Graph::new();
    let mut b = GraphBuilder::new(&mut graph, &ops);
    let x = placeholder(&mut b, "x", DataType::Complex64);
    let error = differentiate(&mut graph, &ops, &[x], &[x]).unwrap_err();
    assert!(error.message().contains("starting gradient"), "{}", error.message());
}

/// A library with `square(x) = x * x` and `forever(x) = forever(x)`.
fn library() -> crate::FunctionLibrary {
    use downpour_wire::proto::op_def::ArgDef;
    use downpour_wire::proto::{FunctionDef, NodeDef, OpDef};
    let function = |name: &str, op: &str, inputs: &[&str], result: &str| {
        let arg = |name: &str| ArgDef {
            name: name.to_string(),
            r#type: DataType::Float as i32,
            ..ArgDef::default()
        };
        let mut node = NodeDef {
            name: "inner".to_string(),
            op: op.to_string(),
            input: inputs.iter().map(|i| i.to_string()).collect(),
            ..NodeDef::default()
        };
        if op == "Mul" {
            let t = crate::attr_proto::attr_to_proto(&DataType::Float.into()).unwrap();
            node.attr.insert("T".to_string(), t);
        }
        FunctionDef {
            signature: Some(OpDef {
                name: name.to_string(),
                input_arg: vec![arg("x")],
                output_arg: vec![arg("y")],
                ..OpDef::default()
            }),
            node_def: vec![node],
            ret: [("y".to_string(), result.to_string())].into_iter().collect(),
            ..FunctionDef::default()
        }
    };
    let functions = vec![
        function("square", "Mul", &["x", "x"], "inner:z:0"),
        function("forever", "forever", &["x"], "inner:y:0"),
    ];
    let mut library = crate::FunctionLibrary::new();
    library.extend(&library_of(functions)).unwrap();
    library
}

fn library_of(
    function: Vec<downpour_wire::proto::FunctionDef>,
) -> downpour_wire::proto::FunctionDefLibrary {
    downpour_wire::proto::FunctionDefLibrary { function, ..Default::default() }
}

/// A graph in which a node named `call` of the library's function is applied to `x`.
fn calling(ops: &OpRegistry, library: &crate::FunctionLibrary, function: &str) -> Graph {
    let mut graph = Graph::new();
    let x = placeholder(&mut GraphBuilder::new(&mut graph, ops), "x", DataType::Float);
    let float = crate::EdgeType { dtype: DataType::Float, is_ref: false };
    graph
        .push(crate::Node {
            name: "call".to_string(),
            op: library.spec(function).unwrap(),
            device: String::new(),
            attrs: Attrs::new(),
            inputs: vec![x],
            controls: Vec::new(),
            input_types: vec![float],
            output_types: vec![float],
        })
        .unwrap();
    graph
}

#[test]
fn a_call_is_opened_and_keeps_its_name() {
    let (ops, mut library) = (registry(), library());
    let mut graph = calling(&ops, &library, "square");
    let (x, y) = (graph.find_endpoint("x").unwrap(), graph.find_endpoint("call").unwrap());
    let wanted = Differentiate { ys: vec![y], xs: vec![x], ..Differentiate::default() };
    assert!(gradients(&mut graph, &ops, &mut library, &wanted).unwrap()[0] != Gradient::None);
    assert_eq!(text(&graph, y), "IdentityN(Mul(x, x))");
    assert!(graph.find("call/inner").is_some());
}

#[test]
fn a_function_that_calls_itself_is_refused() {
    let (ops, mut library) = (registry(), library());
    let mut graph = calling(&ops, &library, "forever");
    let (x, y) = (graph.find_endpoint("x").unwrap(), graph.find_endpoint("call").unwrap());
    let wanted = Differentiate { ys: vec![y], xs: vec![x], ..Differentiate::default() };
    let error = gradients(&mut graph, &ops, &mut library, &wanted).unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted);
}
