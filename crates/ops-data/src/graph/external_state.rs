//! Whether the functions of a dataset have effects or state that its graph does not hold.

use downpour_graph::OpRegistry;
use downpour_tensor::{Result, Status};
use downpour_wire::proto::{FunctionDef, GraphDef, NodeDef};

use super::functions::named;

/// The treatment of a dataset whose functions have state of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExternalStatePolicy {
    /// It is written without its state.
    Ignore,
    /// It is refused.
    Fail,
}

impl ExternalStatePolicy {
    /// Returns the policy of a number in messages and attributes. A warning goes to nobody here.
    pub fn from_number(number: i64) -> Result<ExternalStatePolicy> {
        match number {
            0 | 1 => Ok(ExternalStatePolicy::Ignore),
            2 => Ok(ExternalStatePolicy::Fail),
            _ => Err(Status::invalid_argument(format!(
                "{number} is not an external_state_policy: 0 warns, 1 ignores, 2 fails"
            ))),
        }
    }
}

/// Fails if a function of the graph has state.
pub(crate) fn check(graph: &GraphDef, ops: &OpRegistry) -> Result<()> {
    let functions = graph.library.iter().flat_map(|library| &library.function);
    functions.clone().try_for_each(|function| check_function(function, graph, ops, 0))
}

/// Functions that call each other in branches are followed so far.
const DEEPEST: usize = 50;

fn check_function(
    function: &FunctionDef,
    graph: &GraphDef,
    ops: &OpRegistry,
    depth: usize,
) -> Result<()> {
    let is_stateful = function.signature.as_ref().is_some_and(|s| s.is_stateful);
    if !is_stateful || depth > DEEPEST {
        return Ok(());
    }
    function.node_def.iter().try_for_each(|node| check_node(node, graph, ops, depth))
}

fn check_node(node: &NodeDef, graph: &GraphDef, ops: &OpRegistry, depth: usize) -> Result<()> {
    let Some(spec) = ops.get(&node.op) else { return Ok(()) };
    if !spec.def.is_stateful || is_harmless(&node.op) {
        return Ok(());
    }
    // These count as stateful for what their branches may do.
    if node.op == "If" || node.op == "While" {
        let library = graph.library.iter().flat_map(|library| &library.function);
        for called in named(&node.attr) {
            let is_called = |function: &&FunctionDef| {
                function.signature.as_ref().is_some_and(|s| s.name == called.name)
            };
            if let Some(function) = library.clone().find(is_called) {
                check_function(function, graph, ops, depth + 1)?;
            }
        }
        return Ok(());
    }
    Err(Status::failed_precondition(format!("{} is stateful.", node.op)))
}

/// Datasets count as stateful only to keep them from being folded; the others have no state that matters to a dataset.
fn is_harmless(op: &str) -> bool {
    const HARMLESS: [&str; 7] = [
        "Assert",
        "LookupTableFindV2",
        "LookupTableSize",
        "LookupTableSizeV2",
        "Print",
        "PrintV2",
        "Timestamp",
    ];
    op.ends_with("Dataset") || op.ends_with("DatasetV2") || HARMLESS.contains(&op)
}

#[cfg(test)]
mod tests {
    use downpour_graph::OpSpec;
    use downpour_wire::proto::attr_value::Value;
    use downpour_wire::proto::{AttrValue, FunctionDefLibrary, NameAttrList, OpDef};

    use super::*;

    fn ops() -> OpRegistry {
        let mut ops = OpRegistry::new();
        for signature in [
            "RandomUniform() -> (x: float) @stateful",
            "RangeDataset() -> (x: variant) @stateful",
            "Print() -> (x: float) @stateful",
            "Add() -> (x: float)",
            "If() -> (x: float) @stateful\nthen_branch: func",
        ] {
            ops.add(OpSpec::new(signature).unwrap()).unwrap();
        }
        ops
    }

    fn function(name: &str, nodes: Vec<NodeDef>, is_stateful: bool) -> FunctionDef {
        let signature = OpDef { name: name.into(), is_stateful, ..OpDef::default() };
        FunctionDef { signature: Some(signature), node_def: nodes, ..FunctionDef::default() }
    }

    fn node(op: &str) -> NodeDef {
        NodeDef { op: op.into(), ..NodeDef::default() }
    }

    fn graph(function: Vec<FunctionDef>) -> GraphDef {
        let library = Some(FunctionDefLibrary { function, ..FunctionDefLibrary::default() });
        GraphDef { library, ..GraphDef::default() }
    }

    #[test]
    fn operations_with_state_are_named() {
        let harmless = ["Add", "RangeDataset", "Print", "NobodyKnows"].map(node).to_vec();
        check(&graph(vec![function("f", harmless, true)]), &ops()).unwrap();
        let error = check(&graph(vec![function("f", vec![node("RandomUniform")], true)]), &ops());
        assert_eq!(error.unwrap_err().message(), "RandomUniform is stateful.");
    }

    #[test]
    fn branches_count_for_what_they_do() {
        let mut branch = node("If");
        let called = NameAttrList { name: "branch".into(), ..NameAttrList::default() };
        let value = AttrValue { value: Some(Value::Func(called)) };
        branch.attr.insert("then_branch".into(), value);
        for (inner, is_refused) in [("Add", false), ("RandomUniform", true)] {
            let functions = vec![
                function("f", vec![branch.clone()], true),
                function("branch", vec![node(inner)], inner == "RandomUniform"),
            ];
            assert_eq!(check(&graph(functions), &ops()).is_err(), is_refused);
        }
    }

    #[test]
    fn numbers_of_policies_are_checked() {
        assert_eq!(ExternalStatePolicy::from_number(2).unwrap(), ExternalStatePolicy::Fail);
        assert_eq!(ExternalStatePolicy::from_number(0).unwrap(), ExternalStatePolicy::Ignore);
        assert!(ExternalStatePolicy::from_number(3).is_err());
    }
}
