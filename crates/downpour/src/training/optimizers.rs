//! The optimizers of a run: one for all variables, or others for some of them.

use downpour_tensor::{Result, Status};

use crate::clip::clip_by_global_norm;
use crate::gradients::{Gradient, gradients};
use crate::graph::Graph;
use crate::optimizer::Optimizer;
use crate::output::{Operation, Output};
use crate::pipeline::Pipeline;
use crate::precision::Scaler;
use crate::variable::Variable;

pub(crate) type Gradients = Vec<(Option<Gradient>, Variable)>;

/// Optimizers by the beginning of the names of the variables they change; the longest that fits has one.
#[derive(Default)]
pub(crate) struct Optimizers {
    groups: Vec<(String, Optimizer)>,
    pub clip_norm: Option<f64>,
}

/// The gradients of a step, as they are to be applied.
pub(crate) struct Found {
    pub gradients: Gradients,
    /// The numbers as they were computed, from which it is seen whether they can be applied.
    pub computed: Vec<Output>,
}

impl Optimizers {
    pub fn set(&mut self, prefix: &str, optimizer: Optimizer) {
        self.groups.retain(|(known, _)| known != prefix);
        self.groups.push((prefix.to_string(), optimizer));
    }

    /// The number of the group a variable belongs to.
    fn group_of(&self, variable: &Variable) -> Option<usize> {
        let fits = |prefix: &str| {
            let rest = variable.name().strip_prefix(prefix);
            rest.is_some_and(|rest| prefix.is_empty() || rest.starts_with('/'))
        };
        let fitting = self.groups.iter().enumerate().filter(|(_, (prefix, _))| fits(prefix));
        fitting.max_by_key(|(_, (prefix, _))| prefix.len()).map(|(index, _)| index)
    }

    /// The gradient of a loss by every variable that is trained: of a larger loss if that is wanted, and
    /// then as if it were not larger; clipped if that is wanted.
    pub fn gradients(
        &self,
        loss: &Output,
        scaler: Option<&Scaler>,
        pipeline: Option<&mut Pipeline>,
    ) -> Result<Found> {
        let graph = loss.graph();
        let variables: Vec<Variable> = graph.trainable_variables();
        if variables.is_empty() {
            return Err(Status::invalid_argument(
                "the model has no variables to train; make some with layers or Graph::variable",
            ));
        }
        if self.groups.is_empty() {
            return Err(Status::invalid_argument(
                "the trainer has no optimizer; give it one with Trainer::optimizer",
            ));
        }
        if let Some(without) = variables.iter().find(|v| self.group_of(v).is_none()) {
            let prefixes: Vec<&str> = self.groups.iter().map(|(p, _)| p.as_str()).collect();
            return Err(Status::invalid_argument(format!(
                "no optimizer is for the variable '{}': there are some for {}; give one for all others with \
                 Trainer::optimizer",
                without.name(),
                prefixes.join(", ")
            )));
        }
        let handles: Vec<Output> = variables.iter().map(Variable::handle).collect();
        let handles: Vec<&Output> = handles.iter().collect();
        let larger = |loss: &Output| match scaler {
            Some(scaler) => scaler.scaled(loss),
            None => Ok(loss.clone()),
        };
        let mut found = match pipeline {
            Some(pipeline) => pipeline.gradients(&handles, &larger)?,
            None => gradients(&[&larger(loss)?], &handles)?,
        };
        let computed = found.iter().flatten().map(|gradient| gradient.values().clone()).collect();
        if let Some(scaler) = scaler {
            for (gradient, variable) in found.iter_mut().zip(&variables) {
                let Some(scaled) = gradient.as_ref() else { continue };
                *gradient = Some(scaler.unscaled(scaled, variable)?);
            }
        }
        if let Some(norm) = self.clip_norm {
            found = clip_by_global_norm(&found, norm)?.0;
        }
        Ok(Found { gradients: found.into_iter().zip(variables).collect(), computed })
    }

    /// Changes every variable by its gradient, then counts the global step up. With a scale that follows
    /// the gradients nothing is changed where they are not finite; the step counts nevertheless, as its
    /// batch is used up.
    pub fn apply(
        &self,
        graph: &Graph,
        found: &Found,
        global_step: &Variable,
        scaler: Option<&Scaler>,
    ) -> Result<Operation> {
        let gradients = &found.gradients;
        let applied = match (scaler, self.groups.as_slice()) {
            (Some(scaler), _) => vec![scaler.apply(&found.computed, || {
                let applied = self.change(gradients)?;
                graph.group("update", &applied)
            })?],
            (None, [(_, only)]) => return only.apply_gradients(gradients, Some(global_step)),
            (None, _) => self.change(gradients)?,
        };
        let after: Vec<&Operation> = applied.iter().collect();
        let _after = graph.control_dependencies(&after)?;
        let _beside = graph.colocate_with(&global_step.handle().op())?;
        global_step.assign_add(&graph.constant(1i64)?)
    }

    /// Whether rows of a variable may be changed in several places.
    pub fn is_elementwise(&self, variable: &Variable) -> bool {
        let group = self.group_of(variable).and_then(|index| self.groups.get(index));
        group.is_some_and(|(_, optimizer)| optimizer.is_elementwise())
    }

    /// The slots of a variable that was to be changed.
    pub fn slots(&self, variable: &Variable) -> Vec<Variable> {
        let group = self.group_of(variable).and_then(|index| self.groups.get(index));
        group.map(|(_, optimizer)| optimizer.slots(variable)).unwrap_or_default()
    }

    /// What all variables of an optimizer share.
    pub fn shared(&self) -> Vec<Variable> {
        self.groups.iter().flat_map(|(_, optimizer)| optimizer.shared()).collect()
    }

    /// What a variable's optimizer has for all of its variables.
    pub fn shared_of(&self, variable: &Variable) -> Vec<Variable> {
        let group = self.group_of(variable).and_then(|index| self.groups.get(index));
        group.map(|(_, optimizer)| optimizer.shared()).unwrap_or_default()
    }

    /// Changes every variable by the optimizer that is for it.
    pub fn change(&self, gradients: &Gradients) -> Result<Vec<Operation>> {
        let mut applied = Vec::new();
        for (index, (_, optimizer)) in self.groups.iter().enumerate() {
            let own = gradients.iter().filter(|(_, v)| self.group_of(v) == Some(index));
            let own: Gradients = own.cloned().collect();
            if own.iter().any(|(gradient, _)| gradient.is_some()) {
                applied.push(optimizer.apply_gradients(&own, None)?);
            }
        }
        Ok(applied)
    }
}
