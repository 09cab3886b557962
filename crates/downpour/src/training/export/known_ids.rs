//! Tables of ids in an exported model: sorted lists of the ids and their rows, searched by TensorFlow's operations.
//!
//! While training, `_IdTableFind` looks into the living table. Who uses a trained model has no such operation, and
//! nothing changes any more: the ids that have a row become the variable `.../known`, in ascending order, and their
//! rows `.../rows`.

use std::collections::BTreeMap;

use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::GraphDef;

use crate::graph::Graph;
use crate::initializers;
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};
use crate::variable::Variable;

/// What takes the place of a model's tables.
#[derive(Default)]
pub(super) struct KnownIds {
    /// The new variables' values.
    pub values: BTreeMap<String, Tensor>,
    /// The nodes that found rows, and those that do it now.
    replaced: Vec<(String, String)>,
}

struct Lists {
    known: Variable,
    rows: Variable,
    last: i64,
}

impl KnownIds {
    /// Adds to a model what finds rows without a table.
    pub fn of(
        graph: &Graph,
        value_of: &mut impl FnMut(&[String]) -> Result<Vec<Tensor>>,
    ) -> Result<KnownIds> {
        let mut made = KnownIds::default();
        let mut lists: BTreeMap<String, Lists> = BTreeMap::new();
        for (find, state, ids) in lookups(graph)? {
            if !lists.contains_key(state.name()) {
                let value = value_of(&[state.name().to_string()])?;
                let value = value.first().ok_or_else(|| Status::internal("a value for a name"))?;
                lists.insert(state.name().to_string(), made.lists(&state, value)?);
            }
            let found = lists[state.name()].find(&ids)?;
            made.replaced.push((find.name(), found.op().name()));
        }
        Ok(made)
    }

    fn lists(&mut self, state: &Variable, value: &Tensor) -> Result<Lists> {
        let owners = value.as_slice::<i64>()?.chunks_exact(3).enumerate().skip(1);
        let used = owners.filter(|(_, owner)| owner[1] > 0);
        let mut pairs: Vec<(i64, i64)> = used.map(|(row, owner)| (owner[0], row as i64)).collect();
        if pairs.is_empty() {
            // A list to search in has at least one entry; this one leads to the shared row.
            pairs.push((0, 0));
        }
        pairs.sort_unstable();
        let (known, rows): (Vec<i64>, Vec<i64>) = pairs.into_iter().unzip();
        let last = known.len() as i64 - 1;
        let mut list = |name: &str, values: Vec<i64>| {
            let name = format!("{}/{name}", state.name());
            let start = initializers::zeros();
            let shape = [values.len()];
            let list = state.graph().variable_builder(&name, shape, DataType::Int64, start);
            let list = list.trainable(false).build()?;
            self.values.insert(list.name().to_string(), Tensor::vector(&values)?);
            Ok::<Variable, Status>(list)
        };
        Ok(Lists { known: list("known", known)?, rows: list("rows", rows)?, last })
    }

    /// Puts the new nodes in the place of the old ones, under their names.
    pub fn replace(&self, graph: &mut GraphDef) {
        for (old, new) in &self.replaced {
            graph.node.retain(|node| node.name != *old);
            if let Some(node) = graph.node.iter_mut().find(|node| node.name == *new) {
                node.name = old.clone();
            }
        }
    }
}

/// Every node that finds rows, with the table's state and the ids.
fn lookups(graph: &Graph) -> Result<Vec<(Operation, Variable, Output)>> {
    let variables = graph.variables();
    let state = graph.lock();
    let mut all = Vec::new();
    for (id, node) in state.nodes.nodes().filter(|(_, node)| node.op_name() == "_IdTableFind") {
        let [handle, ids] = node.inputs[..] else {
            return Err(Status::internal("_IdTableFind has two inputs"));
        };
        let table = variables.iter().find(|v| v.handle().endpoint() == handle);
        let table = table.ok_or_else(|| Status::internal("a table without its state"))?;
        all.push((Operation::new(graph, id), table.clone(), Output::new(graph, ids)));
    }
    Ok(all)
}

impl Lists {
    /// The rows of ids of any shape; 0 for those that are not in the list.
    fn find(&self, ids: &Output) -> Result<Output> {
        let graph = ids.graph();
        let _scope = graph.name_scope("known_ids")?;
        let wanted = ids.reshape(&[1, -1])?;
        let list = self.known.value();
        let bound = NodeBuilder::new("LowerBound").input(&list.reshape(&[1, -1])?).input(&wanted);
        let place = bound.attr("out_type", DataType::Int64).output()?;
        let place = place.minimum(&graph.constant(self.last)?)?;
        let same = list.gather(&place, 0)?.equal(&wanted)?;
        let rows = self.rows.value().gather(&place, 0)?;
        let rows = same.select(&rows, &graph.constant(0i64)?)?;
        let shape = NodeBuilder::new("Shape").input(ids).output()?;
        NodeBuilder::new("Reshape").input(&rows).input(&shape).output()
    }
}
