//! DatasetFingerprint: a number by which datasets are told apart that are made differently.
//!
//! A node is hashed by its operation, its attributes and what its inputs are, a function by what its results are made
//! of: names of nodes and functions, which clients number, do not count. The number differs from TensorFlow's, whose
//! documentation does not promise it either.

use std::collections::{BTreeMap, HashMap};

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::fingerprint::fingerprint64;
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::Message;
use downpour_wire::proto::{AttrValue, FunctionDef, GraphDef, NodeDef, attr_value::Value};

use super::export::{self, export};
use super::to_graph::not_serialized;
use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("DatasetFingerprint(input_dataset: variant) -> (fingerprint: uint64)")?
            .shape(shapes::scalar),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let graph = export(dataset::input(cx, 0)?).map_err(not_serialized)?;
    cx.set_output(0, Tensor::scalar(fingerprint(&graph)?));
    Ok(())
}

/// Returns the fingerprint of the node that is the result of a graph.
fn fingerprint(graph: &GraphDef) -> Result<u64> {
    let mut hasher = Hasher { functions: HashMap::new(), ready: HashMap::new() };
    for function in graph.library.iter().flat_map(|library| &library.function) {
        if let Some(signature) = &function.signature {
            hasher.functions.insert(&signature.name, function);
        }
    }
    let result = graph.node.iter().rfind(|node| node.op == export::RESULT);
    let result =
        result.ok_or_else(|| Status::internal("the graph of a dataset names its result"))?;
    Body::new(&graph.node).hash_in_order(&mut hasher, &graph.node, 0)?.hash(
        &mut hasher,
        &result.input[0],
        0,
    )
}

/// Functions that call each other, and nodes that stand before their inputs, are followed so far.
const DEEPEST: usize = 100;

struct Hasher<'g> {
    functions: HashMap<&'g str, &'g FunctionDef>,
    ready: HashMap<&'g str, u64>,
}

impl<'g> Hasher<'g> {
    fn function(&mut self, name: &str, depth: usize) -> Result<u64> {
        if let Some(&hash) = self.ready.get(name) {
            return Ok(hash);
        }
        let Some((&name, &function)) = self.functions.get_key_value(name) else {
            return Ok(fingerprint64(name.as_bytes()));
        };
        // A function that calls itself is met here again.
        self.ready.insert(name, 0);
        let mut body = Body::new(&function.node_def);
        if let Some(signature) = &function.signature {
            for (i, argument) in signature.input_arg.iter().enumerate() {
                body.arguments.insert(&argument.name, i);
            }
        }
        let mut body = body.hash_in_order(self, &function.node_def, depth)?;
        let mut parts = Parts::new("function");
        for result in function.ret.values() {
            parts.add(body.hash(self, result, depth + 1)?);
        }
        for result in function.control_ret.values() {
            parts.add(body.hash(self, result, depth + 1)?);
        }
        let hash = parts.hash();
        self.ready.insert(name, hash);
        Ok(hash)
    }

    fn attrs(&mut self, attrs: &BTreeMap<String, AttrValue>, depth: usize) -> Result<u64> {
        let mut parts = Parts::new("attrs");
        for (name, value) in attrs {
            parts.add(fingerprint64(name.as_bytes()));
            match &value.value {
                Some(Value::Func(function)) => {
                    parts.add(self.function(&function.name, depth)?);
                    parts.add(self.attrs(&function.attr, depth + 1)?);
                }
                Some(Value::List(list)) if !list.func.is_empty() => {
                    for function in &list.func {
                        parts.add(self.function(&function.name, depth)?);
                    }
                }
                _ => parts.add(fingerprint64(&value.encode_to_vec())),
            }
        }
        Ok(parts.hash())
    }
}

/// The nodes of a graph or a function.
struct Body<'g> {
    nodes: HashMap<&'g str, &'g NodeDef>,
    arguments: HashMap<&'g str, usize>,
    ready: HashMap<&'g str, u64>,
}

impl<'g> Body<'g> {
    fn new(nodes: &'g [NodeDef]) -> Body<'g> {
        let nodes = nodes.iter().map(|node| (node.name.as_str(), node)).collect();
        Body { nodes, arguments: HashMap::new(), ready: HashMap::new() }
    }

    /// Hashes nodes that are in the order of their inputs, so that no call goes deep.
    fn hash_in_order(
        mut self,
        hasher: &mut Hasher<'g>,
        nodes: &'g [NodeDef],
        depth: usize,
    ) -> Result<Body<'g>> {
        for node in nodes {
            self.node(hasher, &node.name, depth)?;
        }
        Ok(self)
    }

    /// Returns the hash of what an input names: a node, one of its outputs, or an argument.
    fn hash(&mut self, hasher: &mut Hasher<'g>, input: &str, depth: usize) -> Result<u64> {
        if depth > DEEPEST {
            return Err(Status::invalid_argument(format!(
                "the graph of the dataset is more than {DEEPEST} nodes deep"
            )));
        }
        let plain = input.strip_prefix('^').unwrap_or(input);
        let (name, port) = plain.split_once(':').unwrap_or((plain, "0"));
        let mut parts = Parts::new(if plain == input { "data" } else { "control" });
        parts.add(fingerprint64(port.as_bytes()));
        if let Some(&argument) = self.arguments.get(name) {
            parts.add(argument as u64);
        } else {
            parts.add(self.node(hasher, name, depth)?);
        }
        Ok(parts.hash())
    }

    fn node(&mut self, hasher: &mut Hasher<'g>, name: &str, depth: usize) -> Result<u64> {
        if let Some(&hash) = self.ready.get(name) {
            return Ok(hash);
        }
        let Some((&name, &node)) = self.nodes.get_key_value(name) else { return Ok(0) };
        // A loop comes back to its nodes.
        self.ready.insert(name, 0);
        let mut parts = Parts::new("node");
        parts.add(fingerprint64(node.op.as_bytes()));
        parts.add(fingerprint64(node.device.as_bytes()));
        if hasher.functions.contains_key(node.op.as_str()) {
            parts.add(hasher.function(&node.op, depth + 1)?);
        }
        parts.add(hasher.attrs(&node.attr, depth + 1)?);
        for input in &node.input {
            parts.add(self.hash(hasher, input, depth + 1)?);
        }
        let hash = parts.hash();
        self.ready.insert(name, hash);
        Ok(hash)
    }
}

/// Hashes that are hashed together, in their order.
struct Parts(Vec<u8>);

impl Parts {
    fn new(kind: &str) -> Parts {
        Parts(kind.as_bytes().to_vec())
    }

    fn add(&mut self, part: u64) {
        self.0.extend_from_slice(&part.to_le_bytes());
    }

    fn hash(&self) -> u64 {
        fingerprint64(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, op: &str, input: &[&str]) -> NodeDef {
        let input = input.iter().map(|&input| input.to_owned()).collect();
        NodeDef { name: name.into(), op: op.into(), input, ..NodeDef::default() }
    }

    fn of(nodes: Vec<NodeDef>) -> u64 {
        fingerprint(&GraphDef { node: nodes, ..GraphDef::default() }).unwrap()
    }

    #[test]
    fn names_do_not_count_and_operations_and_their_order_do() {
        let graph = |a: &str, b: &str, first: &str, second: &str| {
            of(vec![
                node(a, first, &[]),
                node(b, second, &[a]),
                node("result", export::RESULT, &[b]),
            ])
        };
        let one = graph("a", "b", "Range", "Map");
        assert_eq!(one, graph("x", "y", "Range", "Map"));
        assert_ne!(one, graph("a", "b", "Map", "Range"));
        assert_ne!(one, graph("a", "b", "Range", "Filter"));
    }

    #[test]
    fn nodes_that_depend_on_each_other_end() {
        let cycle = vec![
            node("a", "Next", &["b"]),
            node("b", "Next", &["a"]),
            node("result", export::RESULT, &["a"]),
        ];
        of(cycle);
    }
}
