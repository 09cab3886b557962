//! Tables of which a step only looks up rows whose numbers the batch tells before the step runs.
//!
//! A table is one if every use of it in the step is a gather, or does not read values, and if what the gathers' row
//! numbers are computed from is constants and the batch: no variable, nothing random, nothing with state, and no
//! loop. Of every other variable all is needed.

use std::collections::{HashMap, HashSet};

use downpour_tensor::Result;
use downpour_wire::proto::attr_value::Value;
use downpour_wire::proto::{GraphDef, NodeDef};

use crate::gradients::Gradient;
use crate::output::Output;
use crate::session::Fetch;
use crate::training::exchange::{Local, handed};

/// Smaller tables are taken whole: that costs less than asking for rows.
const SMALL: usize = 64 << 10;

/// A table by the number of its gradient, with the values that tell which rows a step needs.
pub(super) struct Lookup {
    pub gradient: usize,
    pub numbers: Vec<Output>,
}

/// What a step looks up, and which columns of the batch the numbers are computed from.
pub(super) struct Lookups {
    pub tables: Vec<Lookup>,
    pub columns: Vec<usize>,
}

pub(super) fn lookups(local: &Local<'_>, fetches: &[&dyn Fetch]) -> Result<Lookups> {
    let graph = &local.program.graph;
    let proto = graph.to_graph_def()?;
    let inputs: Vec<String> = local.program.train.inputs.iter().map(|i| i.op().name()).collect();
    let nodes = Nodes::new(&proto);
    let step = nodes.needed(fetches.iter().map(|fetch| fetch.target()));
    let mut found = Lookups { tables: Vec::new(), columns: Vec::new() };
    let mut needed = HashSet::new();
    for (number, (variable, gradient)) in handed(local)?.gradients.iter().enumerate() {
        let bytes = variable.shape().elements() * variable.dtype().size();
        if bytes < SMALL || matches!(gradient, Gradient::Dense(_)) {
            continue;
        }
        let Some(gathers) = nodes.gathers(&variable.handle().op().name(), &step) else { continue };
        let sources = nodes.needed(gathers.iter().map(|input| node_of(input).to_string()));
        let known = |name: &str| match nodes.0.get(name) {
            Some(node) if node.op == "Placeholder" => inputs.iter().any(|input| input == name),
            Some(node) => {
                let spec = graph.registry().ops().get(&node.op);
                spec.is_some_and(|spec| !spec.def.is_stateful) && !is_control_flow(&node.op)
            }
            None => false,
        };
        if gathers.is_empty() || !sources.iter().all(|name| known(name)) {
            continue;
        }
        needed.extend(sources);
        let numbers = gathers.iter().map(|input| graph.output(&endpoint(input)));
        let numbers = numbers.collect::<Result<_>>()?;
        found.tables.push(Lookup { gradient: number, numbers });
    }
    let is_needed = |column: &usize| needed.contains(inputs[*column].as_str());
    found.columns = (0..inputs.len()).filter(is_needed).collect();
    Ok(found)
}

struct Nodes<'g>(HashMap<&'g str, &'g NodeDef>);

impl<'g> Nodes<'g> {
    fn new(graph: &'g GraphDef) -> Nodes<'g> {
        Nodes(graph.node.iter().map(|node| (node.name.as_str(), node)).collect())
    }

    /// Everything some nodes need, they among it.
    fn needed(&self, of: impl Iterator<Item = String>) -> HashSet<&'g str> {
        let mut needed = HashSet::new();
        let mut open: Vec<String> = of.collect();
        while let Some(name) = open.pop() {
            if let Some(node) = self.0.get(name.as_str())
                && needed.insert(node.name.as_str())
            {
                open.extend(node.input.iter().map(|input| node_of(input).to_string()));
            }
        }
        needed
    }

    /// The row numbers of all gathers from a variable; `None` if it is read otherwise.
    fn gathers(&self, handle: &str, step: &HashSet<&str>) -> Option<Vec<String>> {
        let mut numbers = Vec::new();
        for node in step.iter().filter_map(|name| self.0.get(name)) {
            let uses = |input: &String| !input.starts_with('^') && node_of(input) == handle;
            if !node.input.iter().any(uses) {
                continue;
            }
            match node.op.as_str() {
                "ResourceGather" if is_of_rows(node) => numbers.push(node.input.get(1)?.clone()),
                op if reads_nothing(op) => {}
                _ => return None,
            }
        }
        // The order of a set is no order.
        numbers.sort();
        numbers.dedup();
        Some(numbers)
    }
}

/// Whether a gather is along the first axis.
fn is_of_rows(gather: &NodeDef) -> bool {
    let batch = gather.attr.get("batch_dims").and_then(|attr| attr.value.as_ref());
    matches!(batch, None | Some(Value::I(0)))
}

/// Operations on a variable that do not look at its values, or only at those they change.
fn reads_nothing(op: &str) -> bool {
    let changes = ["ResourceApply", "ResourceSparseApply", "ResourceScatter"];
    let others = [
        "AssignVariableOp",
        "AssignAddVariableOp",
        "AssignSubVariableOp",
        "VariableShape",
        "VarIsInitializedOp",
    ];
    others.contains(&op) || changes.iter().any(|change| op.starts_with(change))
}

fn is_control_flow(op: &str) -> bool {
    let op = op.strip_prefix("Ref").unwrap_or(op);
    ["Enter", "Exit", "Switch", "Merge", "NextIteration", "LoopCond"].contains(&op)
}

/// The node of an input.
fn node_of(input: &str) -> &str {
    let input = input.strip_prefix('^').unwrap_or(input);
    input.split(':').next().unwrap_or(input)
}

/// An input with its port.
fn endpoint(input: &str) -> String {
    match input.contains(':') {
        true => input.to_string(),
        false => format!("{input}:0"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use downpour_data::{Field, Schema};
    use downpour_tensor::DataType;

    use super::*;
    use crate::node_builder::NodeBuilder;
    use crate::optimizer::Optimizer;
    use crate::session::Session;
    use crate::training::handed::Places;
    use crate::training::layouts::Layouts;
    use crate::training::model::{Built, Inputs};
    use crate::training::optimizers::Optimizers;
    use crate::training::program::{Plan, Program};
    use crate::training::strategy::Placement;
    use crate::training::trainer::StopFlag;
    use crate::training::update::Updates;
    use crate::variable::Variable;
    use crate::{Graph, initializers};

    /// The tables a step looks up, and the columns that tell their rows.
    fn found(model: fn(&Inputs) -> Result<Built>) -> (Vec<String>, Vec<usize>) {
        let mut optimizers = Optimizers::default();
        optimizers.set("", Optimizer::adam(0.1));
        let field = |name: &str, dtype| Field::new(name, dtype, &[8]);
        let schema =
            Schema { fields: vec![field("x", DataType::Float), field("id", DataType::Int32)] };
        let program = Program::build(&Plan {
            model: &model,
            optimizers: &optimizers,
            updates: Updates::Handed {
                places: Places { count: 2, ..Places::ONE },
                here: true,
                averaged: false,
            },
            placement: &Placement::local(),
            train: &schema,
            evaluate: None,
            seed: None,
            precision: None,
        })
        .unwrap();
        let session = Session::local(&program.graph).unwrap();
        let local = Local {
            session: &session,
            program: &program,
            stop: &StopFlag::default(),
            patience: Duration::ZERO,
            kept: None,
            give_values: &|| Ok(()),
            optimizers: &optimizers,
            relaid: None,
            layouts: &Layouts::default(),
        };
        let handed = handed(&local).unwrap();
        let gradients = handed.fetches();
        let mut fetches: Vec<&dyn Fetch> = vec![&program.train.built.loss, &program.update.train];
        fetches.extend(gradients.iter().map(|value| value as &dyn Fetch));
        let found = lookups(&local, &fetches).unwrap();
        let name = |table: &Lookup| handed.gradients[table.gradient].0.name().to_string();
        (found.tables.iter().map(name).collect(), found.columns)
    }

    fn table(graph: &Graph, name: &str, rows: usize) -> Result<Variable> {
        graph.variable(name, [rows, 4], DataType::Float, initializers::zeros())
    }

    fn loss(rows: &Output) -> Result<Built> {
        Ok(Built::new(rows.square()?.mean_all()?))
    }

    #[test]
    fn rows_that_the_batch_tells_are_looked_up() {
        let (tables, columns) = found(|inputs| {
            let large = table(inputs.graph(), "large", 10_000)?;
            let small = table(inputs.graph(), "small", 10)?;
            let ids = inputs.get("id")?;
            let rows = (large.gather(ids)? + large.gather(&(ids + 1.0)?)?)?;
            loss(&(rows + small.gather(ids)?)?)
        });
        assert_eq!((tables, columns), (vec!["large".to_string()], vec![1]));
    }

    #[test]
    fn a_table_that_is_also_read_is_needed_whole() {
        let (tables, columns) = found(|inputs| {
            let read = table(inputs.graph(), "read", 10_000)?;
            let rows = read.gather(inputs.get("id")?)?;
            let mean = crate::ops::stop_gradient(&read.value()).build()?.mean_all()?;
            loss(&(rows + mean)?)
        });
        assert_eq!((tables, columns), (vec![], vec![]));
    }

    #[test]
    fn numbers_that_only_the_step_knows_leave_a_table_whole() {
        let (tables, columns) = found(|inputs| {
            let graph = inputs.graph();
            let ids = inputs.get("id")?;
            // Of a variable, and random.
            let moved = graph.variable_builder("moved", [], DataType::Int32, initializers::zeros());
            let moved = moved.trainable(false).build()?;
            let by_variable =
                table(graph, "by_variable", 10_000)?.gather(&(ids + moved.value())?)?;
            let shape = graph.constant(vec![8i32])?;
            let limits = [graph.constant(0i32)?, graph.constant(9i32)?];
            let random = NodeBuilder::new("RandomUniformInt").input(&shape);
            let random = random.input(&limits[0]).input(&limits[1]).output()?;
            let by_chance = table(graph, "by_chance", 10_000)?.gather(&random)?;
            let known = table(graph, "known", 10_000)?.gather(ids)?;
            loss(&((by_variable + by_chance)? + known)?)
        });
        assert_eq!((tables, columns), (vec!["known".to_string()], vec![1]));
    }
}
