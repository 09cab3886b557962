//! What a worker takes from which server, and gives it.

use std::collections::HashMap;

use downpour_params::{Named, concatenated};
use downpour_tensor::{Result, Status, Tensor};

use super::division::Division;
use super::parts::cut;
use crate::training::exchange::{Assign, Local, handed, values_here};
use crate::training::handed::Input;
use crate::variable::Variable;

/// What goes where.
pub(super) struct Plan {
    pub division: Division,
    /// Of each server, what workers take whole whenever they take parameters.
    pub parameters: Vec<Vec<String>>,
    take_parameters: Assign,
    take_all: Assign,
    /// The variable of this worker's place in its data.
    pub position: String,
}

impl Plan {
    pub fn new(local: &Local<'_>, worker: usize) -> Result<Plan> {
        let program = local.program;
        let handed = handed(local)?;
        let name = |input: &Input| input.variable.name().to_string();
        let parameters = handed.places.iter().map(|place| place.inputs().map(name).collect());
        let own = program.positions.get(worker);
        let own =
            own.ok_or_else(|| Status::internal("a worker without a place for its position"))?;
        let trained = handed.gradients.iter().map(|(variable, _)| variable);
        let division = Division::new(program, handed);
        let all = unique(division.servers.iter().flatten().map(|held| &held.variable));
        Ok(Plan {
            parameters: parameters.collect(),
            take_parameters: Assign::new(local, trained)?,
            take_all: Assign::new(local, all)?,
            position: own.name().to_string(),
            division,
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

    /// What a server is to have, from the values that are here.
    pub fn values_for(&self, local: &Local<'_>, server: usize) -> Result<Vec<Named<Tensor>>> {
        let held = &self.division.servers[server];
        let variables: Vec<Variable> = held.iter().map(|held| held.variable.clone()).collect();
        let values = values_here(local.session, &variables)?;
        let mut parts = Vec::with_capacity(values.len());
        for (held, (_, value)) in held.iter().zip(values) {
            parts.push((held.name.clone(), cut(&value, held.rows.as_ref())?));
        }
        if server == 0 {
            parts.extend(values_here(local.session, &self.division.others)?);
        }
        Ok(parts)
    }

    /// What of a server is asked for to have everything.
    pub fn all_names(&self, server: usize) -> Vec<String> {
        let own = self.division.servers[server].iter().filter(|held| !held.is_copy());
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
                let held = self.division.servers[server].iter().find(|held| held.name == name);
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
