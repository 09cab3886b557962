//! Graphs that come as messages, made callable apart from the graph of whoever asks.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use downpour_graph::{FunctionGraph, FunctionLibrary, Graph, NodeId, OpRegistry, import_graph};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::{GraphDef, NodeDef};

use super::function::FunctionRuntime;
use crate::function::FunctionHandle;
use crate::kernel::FunctionSource;
use crate::optimize::GraphOptions;
use crate::registry::Registry;

/// Makes graphs callable. They have the functions they bring and no others.
#[derive(Clone)]
pub struct GraphLoader {
    registry: Arc<Registry>,
    inter_op: usize,
    options: GraphOptions,
}

/// A graph as a function whose arguments are its `_Arg` nodes. It and the functions of its nodes can be called while this lives.
pub struct LoadedGraph {
    function: Arc<FunctionHandle>,
    _runtime: Arc<FunctionRuntime>,
}

impl GraphLoader {
    pub(super) fn new(
        registry: Arc<Registry>,
        inter_op: usize,
        options: GraphOptions,
    ) -> GraphLoader {
        GraphLoader { registry, inter_op, options }
    }

    /// The operations that graphs may have.
    pub fn ops(&self) -> &OpRegistry {
        self.registry.ops()
    }

    /// Makes callable what a graph needs for some of its tensors (`node` or `node:port`), which are the results.
    pub fn load<S: AsRef<str>>(&self, proto: &GraphDef, fetches: &[S]) -> Result<LoadedGraph> {
        let mut library = FunctionLibrary::new();
        if let Some(functions) = &proto.library {
            library.extend(functions)?;
        }
        let needed = GraphDef {
            node: needed(proto, fetches),
            versions: proto.versions.clone(),
            ..GraphDef::default()
        };
        let mut graph = Graph::new();
        import_graph(&mut graph, &needed, self.registry.ops(), &library)?;
        let results = fetches
            .iter()
            .map(|fetch| graph.find_endpoint(fetch.as_ref()))
            .collect::<Result<_>>()?;
        let args = arguments(&graph)?;
        let body = FunctionGraph { graph, args, results, ..FunctionGraph::default() };
        let function = library.add_graph("loaded_graph", &body)?;
        let runtime = FunctionRuntime::new(
            self.registry.clone(),
            Arc::new(library),
            self.inter_op,
            self.options.clone(),
        );
        Ok(LoadedGraph { function: runtime.function(&function)?, _runtime: runtime })
    }
}

/// Returns the nodes that stand for arguments, in the order of their numbers.
fn arguments(graph: &Graph) -> Result<Vec<NodeId>> {
    let nodes = graph.nodes().filter(|(_, node)| node.op_name() == "_Arg");
    let mut numbered = nodes
        .map(|(id, node)| Ok((node.int("index")?, id)))
        .collect::<Result<Vec<(i64, NodeId)>>>()?;
    numbered.sort_unstable();
    if numbered.iter().enumerate().any(|(i, (index, _))| *index != i as i64) {
        return Err(Status::invalid_argument(
            "the arguments of a graph are not numbered from 0 on",
        ));
    }
    Ok(numbered.into_iter().map(|(_, id)| id).collect())
}

impl LoadedGraph {
    /// The graph as a function.
    pub fn function(&self) -> &Arc<FunctionHandle> {
        &self.function
    }
}

/// Returns the nodes that these tensors are made from, in their order.
fn needed<S: AsRef<str>>(proto: &GraphDef, fetches: &[S]) -> Vec<NodeDef> {
    let by_name: HashMap<&str, &NodeDef> =
        proto.node.iter().map(|node| (node.name.as_str(), node)).collect();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut waiting: Vec<&str> = fetches.iter().map(|fetch| node_of(fetch.as_ref())).collect();
    while let Some(name) = waiting.pop() {
        if let Some(node) = by_name.get(name)
            && seen.insert(name)
        {
            waiting.extend(node.input.iter().map(|input| node_of(input)));
        }
    }
    proto.node.iter().filter(|node| seen.contains(node.name.as_str())).cloned().collect()
}

/// Returns the name of the node that `name:port` or `^name` refers to.
fn node_of(input: &str) -> &str {
    let name = input.strip_prefix('^').unwrap_or(input);
    match name.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, input: &[&str]) -> NodeDef {
        let input = input.iter().map(|&input| input.to_owned()).collect();
        NodeDef { name: name.into(), input, ..NodeDef::default() }
    }

    #[test]
    fn only_what_is_fetched_and_its_inputs_are_needed() {
        let nodes =
            vec![node("a", &[]), node("b", &["a:1", "^c"]), node("c", &["b"]), node("d", &["b"])];
        let proto = GraphDef { node: nodes, ..GraphDef::default() };
        let names =
            |fetch: &str| needed(&proto, &[fetch]).into_iter().map(|n| n.name).collect::<Vec<_>>();
        assert_eq!(names("b:0"), ["a", "b", "c"]);
        assert_eq!(names("a"), ["a"]);
        assert!(names("e").is_empty());
    }
}
