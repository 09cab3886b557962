//! The optimizers of a run: one for all variables, or others for some of them.

use downpour_tensor::{Result, Status};

use crate::clip::clip_by_global_norm;
use crate::gradients::{Gradient, gradients};
use crate::graph::Graph;
use crate::optimizer::Optimizer;
use crate::output::{Operation, Output};
use crate::variable::Variable;

pub(crate) type Gradients = Vec<(Option<Gradient>, Variable)>;

/// Optimizers by the beginning of the names of the variables they change; the longest that fits has one.
#[derive(Default)]
pub(crate) struct Optimizers {
    groups: Vec<(String, Optimizer)>,
    pub clip_norm: Option<f64>,
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

    /// The gradient of a loss by every variable that is trained, clipped if that is wanted.
    pub fn gradients(&self, loss: &Output) -> Result<Gradients> {
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
        let mut found = gradients(&[loss], &handles)?;
        if let Some(norm) = self.clip_norm {
            found = clip_by_global_norm(&found, norm)?.0;
        }
        Ok(found.into_iter().zip(variables).collect())
    }

    /// Changes every variable by its gradient, then counts the global step up.
    pub fn apply(
        &self,
        graph: &Graph,
        gradients: &Gradients,
        global_step: &Variable,
    ) -> Result<Operation> {
        if let [(_, only)] = self.groups.as_slice() {
            return only.apply_gradients(gradients, Some(global_step));
        }
        let mut applied = Vec::new();
        for (index, (_, optimizer)) in self.groups.iter().enumerate() {
            let own = gradients.iter().filter(|(_, v)| self.group_of(v) == Some(index));
            let own: Gradients = own.cloned().collect();
            if own.iter().any(|(gradient, _)| gradient.is_some()) {
                applied.push(optimizer.apply_gradients(&own, None)?);
            }
        }
        let after: Vec<&Operation> = applied.iter().collect();
        let _after = graph.control_dependencies(&after)?;
        let _beside = graph.colocate_with(&global_step.handle().op())?;
        global_step.assign_add(&graph.constant(1i64)?)
    }
}
