//! Rows of tables for ids that nobody knows in advance, before an optimizer changes them.
//!
//! Since a step's lookup a row may have gone to another id, and its slots may still be those of the id before.
//! `_IdTableClaim` sees to both; it needs the ids and rows of the lookups that the gradient's rows come from, and
//! those are found by going back from the gradient.

use downpour_graph::{Endpoint, NodeId};
use downpour_tensor::{DataType, Result, Status};

use crate::gradients::{Gradient, IndexedSlices};
use crate::graph::Graph;
use crate::initializers;
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};
use crate::variable::Variable;

/// The slots of a table's rows, and whose rows they are for.
#[derive(Clone, Default)]
pub(super) struct Followers {
    pub slots: Vec<Variable>,
    /// The slots' first values.
    pub initial: Vec<f64>,
    /// There are none without slots.
    pub marks: Option<Variable>,
}

/// What remembers for which owners of rows the slots are; for tables only.
pub(super) fn marks(graph: &Graph, name: &str, of: &Variable) -> Result<Option<Variable>> {
    let Some(table) = graph.id_table(of) else { return Ok(None) };
    let capacity = of.shape().first().copied().unwrap_or(0);
    let name = format!("{name}/owners");
    let marks = graph.variable_builder(&name, [capacity], DataType::Int64, initializers::zeros());
    marks.trainable(false).beside(&table.state).build().map(Some)
}

/// For tables: the gradient for rows that still belong to whom they belonged when they were looked up.
pub(super) fn claimed(
    variable: &Variable,
    gradient: &Gradient,
    followers: &Followers,
) -> Result<Option<IndexedSlices>> {
    let graph = variable.graph();
    let Some(table) = graph.id_table(variable) else { return Ok(None) };
    let Gradient::Sparse(rows) = gradient else {
        return Err(Status::unimplemented(format!(
            "'{}' is a table of rows for ids that come and go, and can be trained by rows only: its whole value \
             must not be part of the loss",
            variable.name()
        )));
    };
    let lookups = lookups(graph, variable, &rows.indices)?;
    let values = |port: usize| lookups.iter().map(move |lookup| input(lookup, port));
    let ids = values(4).collect::<Result<Vec<Output>>>()?;
    let found = lookups.iter().map(|lookup| lookup.output(0)).collect::<Result<Vec<Output>>>()?;
    let marks: Vec<Output> = followers.marks.iter().map(Variable::handle).collect();
    let slots: Vec<Output> = followers.slots.iter().map(Variable::handle).collect();
    let initial = followers.initial.iter().map(|value| (*value as f32).into()).collect();
    let claim = NodeBuilder::new("_IdTableClaim")
        .input(&table.state.handle())
        .input(&table.totals.handle())
        .list(&marks)
        .list(&slots)
        .list(&ids)
        .list(&found)
        .input(&rows.indices.cast(DataType::Int64)?)
        .attr("hold", table.hold)
        .attr("initial", crate::AttrValue::List(initial));
    let indices = claim.name("claim").output()?;
    Ok(Some(IndexedSlices { indices, ..rows.clone() }))
}

fn input(operation: &Operation, port: usize) -> Result<Output> {
    let graph = operation.graph();
    let end = graph.lock().nodes.node(operation.id()).inputs.get(port).copied();
    let end = end.ok_or_else(|| Status::internal("a lookup has five inputs"))?;
    Ok(Output::new(graph, end))
}

/// The lookups in the table that these row numbers were given by.
fn lookups(graph: &Graph, table: &Variable, rows: &Output) -> Result<Vec<Operation>> {
    let state = graph.lock();
    let mut found: Vec<NodeId> = Vec::new();
    let mut open: Vec<Endpoint> = vec![rows.endpoint()];
    while let Some(end) = open.pop() {
        let node = state.nodes.node(end.node);
        match node.op_name() {
            "_IdTableAdmit" if node.inputs.get(3) == Some(&table.handle().endpoint()) => {
                if !found.contains(&end.node) {
                    found.push(end.node);
                }
            }
            "Reshape" | "Cast" | "Identity" => open.extend(node.inputs.first()),
            "ConcatV2" => {
                open.extend(node.inputs.split_last().map(|(_, all)| all).unwrap_or_default())
            }
            other => {
                return Err(Status::unimplemented(format!(
                    "'{}' is a table of rows for ids that come and go: gradients reach it only by rows that \
                     HashEmbedding looked up for training, not by those of the {other} '{}'",
                    table.name(),
                    node.name
                )));
            }
        }
    }
    drop(state);
    // In the order they were added, whichever way they were found.
    found.sort_unstable_by_key(|id| id.index());
    Ok(found.into_iter().map(|id| Operation::new(graph, id)).collect())
}
