//! What goes where: which server has which variables or rows of them, and the programs that change them there.

use std::ops::Range;

use downpour_cluster::{GradientInput, UpdateProgram};
use downpour_params::{Definition, Mode};
use downpour_tensor::Result;
use downpour_wire::proto::GraphDef;

use crate::training::handed::{Group, Handed, Input, Place};
use crate::training::program::Program;
use crate::training::subgraph::{Elsewhere, subgraph};
use crate::variable::Variable;

/// Which server has what.
pub(super) struct Division {
    /// Of each server, what it has that updates change.
    pub servers: Vec<Vec<Held>>,
    /// What no update changes; the first server keeps it for those who come later.
    pub others: Vec<Variable>,
}

/// A variable on a server, or some rows of it.
#[derive(Clone)]
pub(super) struct Held {
    pub variable: Variable,
    pub rows: Option<Range<usize>>,
    /// Its name there.
    pub name: String,
    /// By their names there: what its optimizer has for all of its variables.
    pub needs: Vec<String>,
}

/// The name of what a group that is applied by itself does not share with the others.
fn apart(variable: &Variable) -> String {
    format!("{}/apart", variable.name())
}

impl Held {
    fn new(variable: &Variable, rows: Option<Range<usize>>) -> Held {
        Held {
            variable: variable.clone(),
            rows,
            name: variable.name().to_string(),
            needs: Vec::new(),
        }
    }

    /// Only for the server itself: whoever saves or goes on takes the variable.
    pub fn is_copy(&self) -> bool {
        self.name != self.variable.name()
    }
}

impl Division {
    pub fn new(program: &Program, handed: &Handed) -> Division {
        let mut servers: Vec<Vec<Held>> = handed.places.iter().map(held).collect();
        servers[0].extend(program.positions.iter().map(|position| Held::new(position, None)));
        let changed = |v: &Variable| servers.iter().flatten().any(|held| held.variable == *v);
        let others = program.graph.variables().into_iter().filter(|v| !changed(v)).collect();
        Division { servers, others }
    }

    /// What each server trains.
    pub fn definitions(
        &self,
        program: &Program,
        handed: &Handed,
        mode: Mode,
    ) -> Result<Vec<Definition>> {
        let whole = program.graph.to_graph_def()?;
        let step = program.global_step.name();
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
        handed.places.iter().enumerate().map(definition).collect()
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
}

/// What a place has.
fn held(place: &Place) -> Vec<Held> {
    let changed = place.variables.iter();
    let mut held: Vec<Held> =
        changed.map(|(variable, rows)| Held::new(variable, rows.clone())).collect();
    let mut needs = |input: &Input, name: fn(&Variable) -> String| {
        let own = held.iter_mut().find(|held| held.variable == input.variable);
        if let Some(own) = own {
            own.needs = input.shared.iter().map(name).collect();
        }
    };
    place.group.inputs.iter().for_each(|input| needs(input, |shared| shared.name().to_string()));
    if let Some(group) = &place.apart {
        group.inputs.iter().for_each(|input| needs(input, apart));
        let copy = |shared: &Variable| Held { name: apart(shared), ..Held::new(shared, None) };
        held.extend(place.shared.iter().map(copy));
    }
    held
}
