//! What goes where: which server has which variables or rows of them, and the programs that change them there.

use std::collections::HashMap;
use std::ops::Range;

use downpour_cluster::{GradientInput, UpdateProgram};
use downpour_params::{Definition, Mode, Named};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::GraphDef;

use super::parts::{concatenated, cut};
use crate::training::exchange::{Assign, Local, handed, values_here};
use crate::training::handed::{Group, Input, Place};
use crate::training::subgraph::{Elsewhere, subgraph};
use crate::variable::Variable;

/// What goes where.
pub(super) struct Plan {
    /// Of each server, what it has that updates change.
    servers: Vec<Vec<Held>>,
    /// What no update changes; the first server keeps it for those who come later.
    pub others: Vec<Variable>,
    /// Of each server, what workers take whole whenever they take parameters.
    pub parameters: Vec<Vec<String>>,
    take_parameters: Assign,
    take_all: Assign,
    /// The variable of this worker's place in its data.
    pub position: String,
}

/// A variable on a server, or some rows of it.
#[derive(Clone)]
struct Held {
    variable: Variable,
    rows: Option<Range<usize>>,
    /// Its name there.
    name: String,
}

/// The name of what a group that is applied by itself does not share with the others.
fn apart(variable: &Variable) -> String {
    format!("{}/apart", variable.name())
}

impl Held {
    fn new(variable: &Variable, rows: Option<Range<usize>>) -> Held {
        Held { variable: variable.clone(), rows, name: variable.name().to_string() }
    }

    /// Only for the server itself: whoever saves or goes on takes the variable.
    fn is_copy(&self) -> bool {
        self.name != self.variable.name()
    }
}

impl Plan {
    pub fn new(local: &Local<'_>, worker: usize) -> Result<Plan> {
        let program = local.program;
        let handed = handed(local)?;
        let held = |place: &Place| {
            let changed = place.variables.iter();
            let mut held: Vec<Held> =
                changed.map(|(variable, rows)| Held::new(variable, rows.clone())).collect();
            if place.apart.is_some() {
                let copy =
                    |shared: &Variable| Held { name: apart(shared), ..Held::new(shared, None) };
                held.extend(place.shared.iter().map(copy));
            }
            held
        };
        let mut servers: Vec<Vec<Held>> = handed.places.iter().map(held).collect();
        servers[0].extend(program.positions.iter().map(|position| Held::new(position, None)));
        let changed = |v: &Variable| servers.iter().flatten().any(|held| held.variable == *v);
        let others = program.graph.variables().into_iter().filter(|v| !changed(v)).collect();
        let name = |input: &Input| input.variable.name().to_string();
        let parameters = handed.places.iter().map(|place| place.inputs().map(name).collect());
        let own = program.positions.get(worker);
        let own =
            own.ok_or_else(|| Status::internal("a worker without a place for its position"))?;
        let trained = handed.gradients.iter().map(|(variable, _)| variable);
        let all = unique(servers.iter().flatten().map(|held| &held.variable));
        Ok(Plan {
            parameters: parameters.collect(),
            take_parameters: Assign::new(local, trained)?,
            take_all: Assign::new(local, all)?,
            position: own.name().to_string(),
            servers,
            others,
        })
    }

    /// These variables are not taken whole any more.
    pub fn leave_out(&mut self, local: &Local<'_>, variables: &[&Variable]) -> Result<()> {
        let out = |name: &String| variables.iter().any(|variable| variable.name() == name);
        self.parameters.iter_mut().for_each(|names| names.retain(|name| !out(name)));
        let trained = handed(local)?.gradients.iter().map(|(variable, _)| variable);
        self.take_parameters =
            Assign::new(local, trained.filter(|variable| !variables.contains(variable)))?;
        Ok(())
    }

    pub fn definitions(&self, local: &Local<'_>, mode: Mode) -> Result<Vec<Definition>> {
        let whole = local.program.graph.to_graph_def()?;
        let step = local.program.global_step.name();
        let definition = |(number, place): (usize, &Place)| {
            let mut program = self.program(&whole, number, &place.group, step, false)?;
            let others = self.others.iter().filter(|_| number == 0);
            program.variables = self.servers[number].iter().map(|held| held.name.clone()).collect();
            program.variables.extend(others.map(|other| other.name().to_string()));
            if let Some(group) = &place.apart {
                program.apart = Some(Box::new(self.program(&whole, number, group, step, true)?));
            }
            Ok(Definition { program: program.to_bytes(), mode })
        };
        handed(local)?.places.iter().enumerate().map(definition).collect()
    }

    /// What changes the variables of a group on a server, without their list.
    fn program(
        &self,
        whole: &GraphDef,
        server: usize,
        group: &Group,
        step: &str,
        is_apart: bool,
    ) -> Result<UpdateProgram> {
        let mut elsewhere = Elsewhere::default();
        for held in &self.servers[server] {
            let handle = held.variable.handle().op().name();
            if let Some(rows) = &held.rows {
                elsewhere.rows.insert(handle.clone(), rows.clone());
            }
            if held.is_copy() && is_apart {
                elsewhere.names.insert(handle, held.name.clone());
            }
        }
        for input in group.inputs.iter().filter(|input| input.indices.is_none()) {
            if let Some(rows) = &input.rows {
                elsewhere.rows.insert(input.values.op().name(), rows.clone());
            }
        }
        let input = |input: &Input| GradientInput {
            variable: input.variable.name().to_string(),
            values: input.values.name(),
            indices: input.indices.as_ref().map(|rows| rows.name()).unwrap_or_default(),
        };
        Ok(UpdateProgram {
            graph: subgraph(whole, &group.apply.name(), &elsewhere)?,
            inputs: group.inputs.iter().map(input).collect(),
            apply: group.apply.name(),
            global_step: step.to_string(),
            variables: Vec::new(),
            apart: None,
        })
    }

    /// What a server is to have, from the values that are here.
    pub fn values_for(&self, local: &Local<'_>, server: usize) -> Result<Vec<Named<Tensor>>> {
        let held = &self.servers[server];
        let variables: Vec<Variable> = held.iter().map(|held| held.variable.clone()).collect();
        let values = values_here(local.session, &variables)?;
        let mut parts = Vec::with_capacity(values.len());
        for (held, (_, value)) in held.iter().zip(values) {
            parts.push((held.name.clone(), cut(&value, held.rows.as_ref())?));
        }
        if server == 0 {
            parts.extend(values_here(local.session, &self.others)?);
        }
        Ok(parts)
    }

    /// What of a server is asked for to have everything.
    pub fn all_names(&self, server: usize) -> Vec<String> {
        let own = self.servers[server].iter().filter(|held| !held.is_copy());
        own.map(|held| held.name.clone()).collect()
    }

    /// Takes everything; the values are those of each server, in their order.
    pub fn take_all(&self, values: Vec<Vec<Named<Tensor>>>) -> Result<()> {
        self.take_all.run(self.assembled(values)?)
    }

    /// Takes what workers take whole.
    pub fn take_parameters(&self, values: Vec<Vec<Named<Tensor>>>) -> Result<()> {
        self.take_parameters.run(self.assembled(values)?)
    }

    /// Whole variables out of what each server has of them.
    fn assembled(&self, values: Vec<Vec<Named<Tensor>>>) -> Result<Vec<Named<Tensor>>> {
        let mut whole = Vec::new();
        let mut parts: HashMap<String, Vec<Tensor>> = HashMap::new();
        for (server, values) in values.into_iter().enumerate() {
            for (name, value) in values {
                let held = self.servers[server].iter().find(|held| held.name == name);
                match held.is_some_and(|held| held.rows.is_some()) {
                    // Rows are in the order of the servers.
                    true => parts.entry(name).or_default().push(value),
                    false => whole.push((name, value)),
                }
            }
        }
        // What all servers have (the global step) is taken from the first: of several values the last counts.
        whole.reverse();
        for (name, parts) in parts {
            whole.push((name, concatenated(&parts)?));
        }
        Ok(whole)
    }
}

fn unique<'v>(variables: impl Iterator<Item = &'v Variable>) -> Vec<&'v Variable> {
    let mut all: Vec<&Variable> = Vec::new();
    for variable in variables {
        if !all.contains(&variable) {
            all.push(variable);
        }
    }
    all
}
