//! What cannot be differentiated is refused, with the name of what stands in the way.

use downpour_tensor::{Result, Status};

use super::Differentiate;
use super::own_gradient;
use super::reach::Between;
use super::units::{Level, Unit};
use crate::FunctionLibrary;
use crate::frames::{is_enter, is_next_iteration};
use crate::graph::Graph;
use crate::node::Node;
use crate::{AttrValue, GradientRule};

/// Values inside loops have no gradient that could be used outside.
pub(super) fn unreachable_ends(
    graph: &Graph,
    wanted: &Differentiate,
    level: Level<'_>,
) -> Result<()> {
    for end in wanted.ys.iter().chain(&wanted.xs) {
        let inside = match level.unit(end.node) {
            Some(Unit::Loop(_)) => !graph.node(end.node).op_name().ends_with("Exit"),
            _ => false,
        };
        if inside {
            return Err(Status::unimplemented(format!(
                "{} lies inside a loop and changes with its iterations; differentiate what leaves the \
                 loop, by what enters it",
                graph.endpoint_name(*end)
            )));
        }
    }
    Ok(())
}

/// Nodes between the `x`s and the `y`s for which there is no way.
pub(super) fn unsupported(
    graph: &Graph,
    library: &FunctionLibrary,
    between: &Between,
) -> Result<()> {
    for unit in &between.units {
        let Unit::Node(id) = unit else { continue };
        let node = graph.node(*id);
        let op = node.op_name();
        if op == "LoopCond" || is_next_iteration(op) || (is_enter(op) && is_lone(graph, node)) {
            return Err(Status::unimplemented(format!(
                "node '{}' ({op}) belongs to the loop '{}', which is not built as while_loop builds loops",
                node.name,
                node.string("frame_name").unwrap_or_else(|_| "?".to_string())
            )));
        }
        let calls = node.attrs.0.values().any(|v| matches!(v, AttrValue::Func(_)));
        let has_own_gradient = own_gradient::call(graph, library, *id).is_some();
        let known = ["While", "StatelessWhile", "If", "StatelessIf", "Case", "StatelessCase"];
        if calls
            && !has_own_gradient
            && !known.contains(&op)
            && matches!(node.op.gradient, GradientRule::Missing)
        {
            return Err(Status::unimplemented(format!(
                "node '{}' ({op}) calls a function, and such calls cannot be differentiated; \
                 use While, If, Case or PartitionedCall",
                node.name
            )));
        }
    }
    Ok(())
}

/// An Enter of a graph in which no loop ends.
fn is_lone(graph: &Graph, _: &Node) -> bool {
    !graph.nodes().any(|(_, node)| node.op_name() == "LoopCond")
}

pub(super) fn missing(node: &Node) -> Status {
    if node.op_name().starts_with("StackPop") {
        return Status::unimplemented(format!(
            "node '{}' ({}) belongs to the gradient of a loop of Enter and Exit, and second derivatives \
             of such loops cannot be made (nor by TensorFlow); build the loop as a While, which \
             tf.compat.v1.enable_control_flow_v2() does",
            node.name,
            node.op_name()
        ));
    }
    Status::not_found(format!(
        "No gradient defined for operation '{}' (op type: {}); if it may count as a constant, put a \
         StopGradient after it",
        node.name,
        node.op_name()
    ))
}
