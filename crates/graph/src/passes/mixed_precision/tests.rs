use downpour_tensor::DataType;

use super::*;
use crate::fixture;
use crate::frames::topological_order;
use crate::passes::sweep;
use crate::registry::OpSpec;

fn registry() -> OpRegistry {
    let mut registry = OpRegistry::new();
    for signature in [
        "_Arg() -> (out: T)\n T: type\n index: int = 0",
        "Const() -> (out: dtype)\n value: tensor\n dtype: type",
        "VarHandleOp() -> (out: resource) @stateful",
        "ReadVariableOp(variable: resource) -> (out: dtype) @stateful\n dtype: type",
        "Apply(variable: resource, gradient: T) -> () @stateful\n T: type",
        "MatMul(a: T, b: T) -> (out: T)\n T: {bfloat16, half, float}",
        "BatchMatMulV2(a: T, b: T) -> (out: T)\n T: {float}",
        "AddV2(a: T, b: T) -> (out: T)\n T: type",
        "BiasAdd(a: T, b: T) -> (out: T)\n T: type",
        "Relu(x: T) -> (out: T)\n T: type",
        "Reshape(x: T, shape: int32) -> (out: T)\n T: type",
        "Shape(x: T) -> (out: int32)\n T: type",
        "Split(axis: int32, x: T) -> (out: num_split * T)\n T: type\n num_split: int",
        "Exp(x: T) -> (out: T)\n T: type",
        "Sum(x: T) -> (out: T)\n T: type",
        "Print(x: T) -> (out: T)\n T: type",
        "FusedBatchNormV3(x: T, scale: U) -> (y: T, mean: U)\n T: type\n U: type",
        "Identity(x: T) -> (out: T)\n T: type",
        "IdentityN(x: T) -> (out: T)\n T: list(type)",
        "Cast(x: SrcT) -> (y: DstT)\n SrcT: type\n DstT: type",
        "Enter(data: T) -> (out: T)\n T: type\n frame_name: string\n is_constant: bool = false\n parallel_iterations: int = 10",
        "Merge(x: N * T) -> (out: T, index: int32)\n T: type\n N: int",
        "Switch(data: T, pred: bool) -> (no: T, yes: T)\n T: type",
        "LoopCond(x: bool) -> (out: bool)",
        "NextIteration(data: T) -> (out: T)\n T: type",
        "Exit(data: T) -> (out: T)\n T: type",
    ] {
        registry.add(OpSpec::new(signature).unwrap()).unwrap();
    }
    registry
}

fn rewritten(graph: &mut Graph, lists: &PrecisionLists) -> Result<MixedPrecisionReport> {
    let wanted = MixedPrecision { compute: DataType::BFloat16, lists, supports: &|_| true };
    mixed_precision(graph, &registry(), &wanted)
}

#[test]
fn fixtures() {
    fixture::check_all("passes/mixed_precision/fixtures", &registry(), |subgraph| {
        let mut subgraph = subgraph.clone();
        rewritten(&mut subgraph.graph, &PrecisionLists::default())?;
        topological_order(&subgraph.graph)?;
        Ok(fixture::text(&sweep(&subgraph)?.graph, &[]))
    });
}

fn product() -> Graph {
    let (mut graph, registry) = (Graph::new(), registry());
    let mut builder = crate::GraphBuilder::new(&mut graph, &registry);
    let x = crate::Attrs::new().with("T", DataType::Float);
    let x = builder.op("_Arg", &[], x).unwrap();
    builder.op("MatMul", &[x, x], crate::Attrs::new()).unwrap();
    graph
}

#[test]
fn names_and_numbers_keep_their_types() {
    let mut graph = product();
    let before: Vec<_> =
        graph.nodes().map(|(_, n)| (n.name.clone(), n.output_types.clone())).collect();
    let report = rewritten(&mut graph, &PrecisionLists::default()).unwrap();
    assert_eq!((report.changed, report.casts), (vec![NodeId(1)], 1));
    for ((_, node), (name, types)) in graph.nodes().zip(before) {
        assert_eq!((&node.name, &node.output_types), (&name, &types));
    }
    assert_eq!(graph.node(graph.find("MatMul/bfloat16").unwrap()).op_name(), "MatMul");
}

#[test]
fn a_second_time_changes_nothing() {
    let mut graph = product();
    rewritten(&mut graph, &PrecisionLists::default()).unwrap();
    let once = fixture::text(&graph, &[]);
    assert!(rewritten(&mut graph, &PrecisionLists::default()).unwrap().changed.is_empty());
    assert_eq!(fixture::text(&graph, &[]), once);
}

#[test]
fn what_lists_and_kernels_do_not_allow_stays() {
    let lists = PrecisionLists::default().with("MatMul", Numerics::Deny);
    assert!(rewritten(&mut product(), &lists).unwrap().changed.is_empty());
    let lists = PrecisionLists::default();
    let mut wanted =
        MixedPrecision { compute: DataType::Half, lists: &lists, supports: &|_| false };
    assert!(mixed_precision(&mut product(), &registry(), &wanted).unwrap().changed.is_empty());
    wanted.compute = DataType::Double;
    let refused = mixed_precision(&mut product(), &registry(), &wanted).unwrap_err();
    assert!(refused.message().contains("half or bfloat16"), "{refused}");
}
