//! Graphs from messages: every claim is checked, and errors name the node.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use downpour_tensor::{Result, Status};
use downpour_wire::proto::{GraphDef, NodeDef};

use crate::attr_proto::attrs_from_proto;
use crate::function::FunctionLibrary;
use crate::graph::{Graph, VersionInfo, split_tensor_name};
use crate::node::{Endpoint, Node, NodeId};
use crate::registry::{OpRegistry, OpSpec};
use crate::splat::fill_large_constants;
use crate::types::{arg_types, complete_attrs};

/// The newest graph format we read (TensorFlow's TF_GRAPH_DEF_VERSION moves daily; its own check
/// only looks at `min_consumer`).
const GRAPH_DEF_VERSION: i32 = 2_500;

/// A message may ask for this many inputs and outputs in all. Each node may ask for a million outputs by
/// a number, so that a small message could otherwise claim any amount of memory.
const MAX_EDGES: usize = 1 << 24;

/// Adds the nodes of a message to `graph`; its inputs may name nodes that are already there.
/// On error the graph may hold some of the new nodes: import into a copy.
pub fn import_graph(
    graph: &mut Graph,
    proto: &GraphDef,
    registry: &OpRegistry,
    library: &FunctionLibrary,
) -> Result<()> {
    if let Some(versions) = &proto.versions {
        if versions.min_consumer > GRAPH_DEF_VERSION {
            return Err(Status::invalid_argument(format!(
                "GraphDef min consumer version {} is newer than the {GRAPH_DEF_VERSION} of this Downpour; \
                 use an older client or a newer Downpour",
                versions.min_consumer
            )));
        }
        graph.versions =
            VersionInfo { producer: versions.producer, min_consumer: versions.min_consumer };
    }
    // The Fill must be there: a registry of a few operations keeps its constants.
    let nodes = match registry.get("Fill") {
        Some(_) => fill_large_constants(&proto.node),
        None => Cow::Borrowed(&proto.node[..]),
    };
    import_nodes(graph, &nodes, registry, library)
}

fn import_nodes(
    graph: &mut Graph,
    nodes: &[NodeDef],
    registry: &OpRegistry,
    library: &FunctionLibrary,
) -> Result<()> {
    let specs = resolve_ops(nodes, registry, library)?;
    let first = graph.len();
    let mut edges = 0;
    for (proto, spec) in nodes.iter().zip(specs) {
        let node = import_node(proto, spec, &mut edges).map_err(|e| e.at_node(&proto.name))?;
        graph.push(node)?;
    }
    for (i, proto) in nodes.iter().enumerate() {
        let id = NodeId((first + i) as u32);
        let (inputs, controls) =
            resolve_inputs(graph, proto).map_err(|e| e.at_node(&proto.name))?;
        let node = graph.node_mut(id);
        node.inputs = inputs;
        node.controls = controls;
        check_input_types(graph, id).map_err(|e| e.at_node(&proto.name))?;
    }
    Ok(())
}

/// Operations that call functions of the Python process that built the graph.
const PYTHON: [&str; 3] = ["EagerPyFunc", "PyFunc", "PyFuncStateless"];

/// The definition of each node's operation, a function of the library included. All operations we
/// do not have are reported at once.
pub(crate) fn resolve_ops(
    nodes: &[NodeDef],
    registry: &OpRegistry,
    library: &FunctionLibrary,
) -> Result<Vec<Arc<OpSpec>>> {
    let mut missing: BTreeSet<&str> = BTreeSet::new();
    let mut specs = Vec::with_capacity(nodes.len());
    for node in nodes {
        match registry.get(&node.op).cloned().or_else(|| library.spec(&node.op)) {
            Some(spec) => specs.push(spec),
            None => drop(missing.insert(&node.op)),
        }
    }
    let Some(first) = missing.first() else { return Ok(specs) };
    let example = nodes.iter().find(|n| n.op == *first).map_or("", |n| n.name.as_str());
    let list: Vec<String> = missing.iter().map(|op| format!("'{op}'")).collect();
    let advice = match PYTHON.iter().find(|op| missing.contains(*op)) {
        Some(op) => format!(
            " {op} calls Python code, which lives in the client's process and not here: compute it in the client and \
             feed the result, read the data with tf.data in the client, or write it with operations of the graph."
        ),
        None => String::new(),
    };
    Err(Status::not_found(format!(
        "Op type not registered {} in this Downpour. The graph uses {} operation(s) that Downpour does not \
         have (first used by node '{example}'); run `downpour ops` for the list it has.{advice}",
        list.join(", "),
        missing.len()
    )))
}

/// A node with complete attributes and types; inputs are resolved later. `edges` counts the inputs and
/// outputs of all nodes so far.
pub(crate) fn import_node(proto: &NodeDef, spec: Arc<OpSpec>, edges: &mut usize) -> Result<Node> {
    if proto.name.is_empty() {
        return Err(Status::invalid_argument(format!(
            "a node of operation {} has no name",
            proto.op
        )));
    }
    let mut attrs = attrs_from_proto(&proto.attr)?;
    for name in attrs.0.keys() {
        if !name.starts_with('_') && spec.def.attr(name).is_none() {
            return Err(Status::invalid_argument(format!(
                "NodeDef mentions attr '{name}' not in Op<name={}>; NodeDef: {}",
                spec.def.name, proto.name
            )));
        }
    }
    complete_attrs(&spec.def, &mut attrs)?;
    let input_types = arg_types(&spec.def.inputs, &attrs)?;
    let output_types = arg_types(&spec.def.outputs, &attrs)?;
    *edges += input_types.len() + output_types.len();
    if *edges > MAX_EDGES {
        return Err(Status::resource_exhausted(format!(
            "the nodes up to this one have {edges} inputs and outputs; at most {MAX_EDGES} are supported"
        )));
    }
    Ok(Node {
        name: proto.name.clone(),
        op: spec,
        device: proto.device.clone(),
        attrs,
        inputs: Vec::new(),
        controls: Vec::new(),
        input_types,
        output_types,
    })
}

fn resolve_inputs(graph: &Graph, proto: &NodeDef) -> Result<(Vec<Endpoint>, Vec<NodeId>)> {
    let mut inputs = Vec::new();
    let mut controls = Vec::new();
    let unknown = |input: &str| {
        Status::invalid_argument(format!("Node '{}': Unknown input node '{input}'", proto.name))
    };
    for input in &proto.input {
        if let Some(name) = input.strip_prefix('^') {
            controls.push(graph.find(name).ok_or_else(|| unknown(input))?);
            continue;
        }
        if !controls.is_empty() {
            return Err(Status::invalid_argument(format!(
                "Node '{}': input '{input}' stands after a control input",
                proto.name
            )));
        }
        let (name, port) = split_tensor_name(input)?;
        let node = graph.find(name).ok_or_else(|| unknown(input))?;
        inputs.push(Endpoint { node, port });
    }
    Ok((inputs, controls))
}

/// Checks the number and types of a node's inputs against what they are connected to.
pub(crate) fn check_input_types(graph: &Graph, id: NodeId) -> Result<()> {
    let node = graph.node(id);
    if node.inputs.len() != node.input_types.len() {
        return Err(Status::invalid_argument(format!(
            "Node '{}' ({}) expects {} inputs but has {}",
            node.name,
            node.op_name(),
            node.input_types.len(),
            node.inputs.len()
        )));
    }
    for (i, (&end, expected)) in node.inputs.iter().zip(&node.input_types).enumerate() {
        let source = graph.node(end.node);
        let Some(given) = source.output_types.get(end.port as usize) else {
            return Err(Status::invalid_argument(format!(
                "Node '{}': Connecting to invalid output {} of source node {} which has {} outputs",
                node.name,
                end.port,
                source.name,
                source.output_types.len()
            )));
        };
        if given.dtype != expected.dtype || (expected.is_ref && !given.is_ref) {
            let show =
                |t: &crate::EdgeType| format!("{}{}", t.dtype, if t.is_ref { "_ref" } else { "" });
            return Err(Status::invalid_argument(format!(
                "Input {i} of node {} was passed {} from {}:{} incompatible with expected {}.",
                node.name,
                show(given),
                source.name,
                end.port,
                show(expected)
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attr::AttrValue;
    use crate::attr_proto::attr_to_proto;

    fn registry() -> OpRegistry {
        let mut registry = OpRegistry::new();
        registry.add(OpSpec::new("Many() -> (out: N * float)\n N: int").unwrap()).unwrap();
        registry
    }

    fn node(name: String, op: &str, outputs: i64) -> NodeDef {
        let n = attr_to_proto(&AttrValue::Int(outputs)).unwrap();
        NodeDef { name, op: op.into(), attr: [("N".into(), n)].into(), ..NodeDef::default() }
    }

    fn import(node: Vec<NodeDef>) -> Result<()> {
        let proto = GraphDef { node, ..GraphDef::default() };
        import_graph(&mut Graph::new(), &proto, &registry(), &FunctionLibrary::new())
    }

    #[test]
    fn small_messages_cannot_claim_any_number_of_outputs() {
        let outputs = |nodes: usize, each: i64| {
            import((0..nodes).map(|i| node(format!("n{i}"), "Many", each)).collect())
        };
        outputs(10, 1000).unwrap();
        for each in [i64::MAX, -1] {
            assert!(outputs(1, each).unwrap_err().message().contains("n0"));
        }
        let refused = outputs(20, 1 << 20).unwrap_err();
        assert!(refused.message().contains("n16"), "{refused}");
    }

    #[test]
    fn missing_operations_are_listed_once_each() {
        let ops = ["B", "A", "B", "Many"];
        let nodes = ops.iter().enumerate().map(|(i, op)| node(format!("n{i}"), op, 1)).collect();
        let refused = import(nodes).unwrap_err();
        assert!(refused.message().contains("'A', 'B' in this"), "{refused}");
        assert!(refused.message().contains("'n1'"), "{refused}");
        assert!(!refused.message().contains("Python"), "{refused}");
        let python = import(vec![node("n".into(), "PyFunc", 1)]).unwrap_err();
        assert!(python.message().contains("PyFunc calls Python code"), "{python}");
    }
}
