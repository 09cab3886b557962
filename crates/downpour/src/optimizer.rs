//! Optimizers: how gradients change variables, with TensorFlow's names, formulas and slots.
//!
//! ```
//! use downpour::{DataType, Graph, Optimizer, Session, initializers};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let w = graph.variable("w", [2], DataType::Float, initializers::ones())?;
//! let loss = w.value().square()?.sum_all()?;
//! let train = Optimizer::momentum(0.1, 0.9).minimize(&loss, Some(&graph.global_step()?))?;
//! let session = Session::local(&graph)?;
//! session.run(&[], &[&graph.initialize_variables()?])?;
//! for _ in 0..100 {
//!     session.run(&[], &[&train])?;
//! }
//! assert!(session.fetch(&[], &loss)?.to_scalar::<f32>()? < 0.01);
//! # Ok(())
//! # }
//! ```

mod adadelta;
mod adagrad;
mod adam;
mod claimed;
mod ftrl;
mod gradient_descent;
mod momentum;
mod rms_prop;
mod rule;

use std::collections::HashMap;
use std::sync::Arc;

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use crate::gradients::{Gradient, gradients};
use crate::graph::Graph;
use crate::initializers;
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};
use crate::schedule::LearningRate;
use crate::variable::Variable;
use claimed::Followers;

pub use adadelta::Adadelta;
pub use adagrad::Adagrad;
pub use adam::{Adam, AdamW, AmsGrad};
pub use ftrl::Ftrl;
pub use gradient_descent::GradientDescent;
pub use momentum::Momentum;
pub use rms_prop::RmsProp;
pub use rule::{SharedVariable, Update, UpdateRule};

/// A rule of changing variables, a learning rate, and the slots made so far.
///
/// ```
/// use downpour::{DataType, Graph, Optimizer, Session, initializers, optimizer::Momentum};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let w = graph.variable("w", [], DataType::Float, initializers::constant(4.0))?;
/// let loss = (w.value() - 1.0)?.square()?;
/// // Ready-made, or a rule with its settings; the learning rate may be a schedule.
/// let optimizer = Optimizer::new(0.05, Momentum { momentum: 0.9, nesterov: true });
/// let train = optimizer.minimize(&loss, Some(&graph.global_step()?))?;
/// assert_eq!(optimizer.slots(&w)[0].name(), "w/Momentum");
///
/// let session = Session::local(&graph)?;
/// session.run(&[], &[&graph.initialize_variables()?])?;
/// for _ in 0..100 {
///     session.run(&[], &[&train])?;
/// }
/// assert!((session.fetch(&[], &w.value())?.to_scalar::<f32>()? - 1.0).abs() < 0.05);
/// # Ok(())
/// # }
/// ```
pub struct Optimizer {
    rule: Arc<dyn UpdateRule>,
    learning_rate: LearningRate,
    /// By the variable's name; in the order of the rule.
    slots: Mutex<HashMap<String, Vec<Variable>>>,
    /// Of tables whose rows belong to ids by turns, by the variable's name.
    followers: Mutex<HashMap<String, Followers>>,
    shared: Mutex<Vec<Variable>>,
}

impl Optimizer {
    /// An optimizer by its rule: `Optimizer::new(0.1, Momentum { momentum: 0.9, nesterov: true })`. The
    /// learning rate is a number, a value of the graph or a schedule.
    pub fn new(
        learning_rate: impl Into<LearningRate>,
        rule: impl UpdateRule + 'static,
    ) -> Optimizer {
        Optimizer {
            rule: Arc::new(rule),
            learning_rate: learning_rate.into(),
            slots: Mutex::default(),
            followers: Mutex::default(),
            shared: Mutex::default(),
        }
    }

    /// Plain gradient descent.
    pub fn gradient_descent(learning_rate: impl Into<LearningRate>) -> Optimizer {
        Optimizer::new(learning_rate, GradientDescent)
    }

    /// Gradient descent with momentum.
    pub fn momentum(learning_rate: impl Into<LearningRate>, momentum: f64) -> Optimizer {
        Optimizer::new(learning_rate, Momentum { momentum, nesterov: false })
    }

    /// Adagrad, as TensorFlow sets it up.
    pub fn adagrad(learning_rate: impl Into<LearningRate>) -> Optimizer {
        Optimizer::new(learning_rate, Adagrad::default())
    }

    /// Adam, as TensorFlow sets it up.
    pub fn adam(learning_rate: impl Into<LearningRate>) -> Optimizer {
        Optimizer::new(learning_rate, Adam::default())
    }

    /// RMSProp, as TensorFlow sets it up.
    pub fn rms_prop(learning_rate: impl Into<LearningRate>) -> Optimizer {
        Optimizer::new(learning_rate, RmsProp::default())
    }

    /// FTRL, as TensorFlow sets it up.
    pub fn ftrl(learning_rate: impl Into<LearningRate>) -> Optimizer {
        Optimizer::new(learning_rate, Ftrl::default())
    }

    /// The rule's name, which its slots carry.
    pub fn name(&self) -> &str {
        self.rule.name()
    }

    /// The slots made for a variable, in the order of the rule (Adam: first and second moment).
    pub fn slots(&self, variable: &Variable) -> Vec<Variable> {
        self.slots.lock().get(variable.name()).cloned().unwrap_or_default()
    }

    /// Whether rows of a variable may be changed in several places.
    pub(crate) fn is_elementwise(&self) -> bool {
        self.rule.is_elementwise()
    }

    /// What all variables share (Adam: the powers of its rates).
    pub(crate) fn shared(&self) -> Vec<Variable> {
        self.shared.lock().clone()
    }

    /// Gradients, then their application and the graph's other updates ([`Graph::updates`]), in one
    /// operation; counts `global_step` up after the application.
    pub fn minimize(&self, loss: &Output, global_step: Option<&Variable>) -> Result<Operation> {
        let graph = loss.graph();
        let found = self.compute_gradients(loss, &graph.trainable_variables())?;
        let applied = self.apply_gradients(&found, global_step)?;
        let mut all = graph.updates();
        if all.is_empty() {
            return Ok(applied);
        }
        all.push(applied);
        graph.group("train", &all)
    }

    /// The gradient of a loss by each variable; `None` where the loss does not depend on it.
    pub fn compute_gradients(
        &self,
        loss: &Output,
        variables: &[Variable],
    ) -> Result<Vec<(Option<Gradient>, Variable)>> {
        if variables.is_empty() {
            return Err(Status::invalid_argument(format!(
                "{}: there is no variable to optimize; make one with Graph::variable before this",
                self.name()
            )));
        }
        let handles: Vec<Output> = variables.iter().map(Variable::handle).collect();
        let found = gradients(&[loss], &handles.iter().collect::<Vec<_>>())?;
        Ok(found.into_iter().zip(variables.iter().cloned()).collect())
    }

    /// The operation that changes every variable by its gradient, then counts `global_step` up.
    pub fn apply_gradients(
        &self,
        gradients: &[(Option<Gradient>, Variable)],
        global_step: Option<&Variable>,
    ) -> Result<Operation> {
        let some: Vec<(&Gradient, &Variable)> =
            gradients.iter().filter_map(|(g, v)| Some((g.as_ref()?, v))).collect();
        let Some((_, first)) = some.first() else {
            let names: Vec<&str> = gradients.iter().map(|(_, v)| v.name()).collect();
            return Err(Status::invalid_argument(format!(
                "No gradients provided for any variable: {}; does the loss depend on them?",
                names.join(", ")
            )));
        };
        let graph = first.graph().clone();
        self.make_slots(&graph, &some)?;
        let shared = self.shared.lock().clone();
        let _scope = graph.name_scope(self.name())?;
        let rate = self.learning_rate.build(&graph)?;
        let mut updates = Vec::with_capacity(some.len());
        for (gradient, variable) in some {
            let slots = self.slots(variable);
            let update = Update { variable, slots: &slots, shared: &shared, rate: &rate };
            updates.push(self.update(&graph, &update, gradient)?);
        }
        {
            let after: Vec<&Operation> = updates.iter().collect();
            let _after = graph.control_dependencies(&after)?;
            let finished = self.rule.finish(&shared)?;
            updates.extend(finished);
        }
        let Some(step) = global_step else { return graph.group("apply", &updates) };
        let done = graph.group("update", &updates)?;
        let _after = graph.control_dependencies(&[&done])?;
        let _beside = graph.colocate_with(&step.handle().op())?;
        let one = step.value().scalar_like(1.0)?;
        let count = NodeBuilder::new("AssignAddVariableOp").input(&step.handle()).input(&one);
        count.name("apply").operation()
    }

    fn update(&self, graph: &Graph, update: &Update<'_>, gradient: &Gradient) -> Result<Operation> {
        let variable = update.variable;
        let _scope = graph.name_scope(&format!("update_{}", variable.name()))?;
        let _beside = graph.colocate_with(&variable.handle().op())?;
        let followers = self.followers.lock().get(variable.name()).cloned().unwrap_or_default();
        let claimed = claimed::claimed(variable, gradient, &followers)?;
        // Rules that read whole slots must not read them before.
        let claim = claimed.as_ref().map(|rows| rows.indices.op());
        let _after = claim.map(|claim| graph.control_dependencies(&[&claim])).transpose()?;
        let claimed = claimed.map(Gradient::Sparse);
        let gradient = claimed.as_ref().unwrap_or(gradient);
        match gradient {
            Gradient::Dense(gradient) => {
                let shape = gradient.shape();
                if !shape.allows(variable.shape()) {
                    return Err(Status::invalid_argument(format!(
                        "{}: a gradient of shape {shape} ({}) cannot change the variable '{}' of shape {}",
                        self.name(),
                        gradient.name(),
                        variable.name(),
                        variable.shape()
                    )));
                }
                self.rule.dense(update, gradient)
            }
            Gradient::Sparse(rows) if self.rule.takes_repeated_rows() => {
                self.rule.sparse(update, &rows.values, &rows.indices)
            }
            Gradient::Sparse(rows) => {
                // Squares of sums, not sums of squares: rows that occur twice are added first.
                let unique = NodeBuilder::new("Unique").input(&rows.indices).outputs()?;
                let [indices, places] = unique.as_slice() else {
                    return Err(Status::internal("Unique gives two vectors"));
                };
                let count = NodeBuilder::new("Size").input(indices).output()?;
                let sums = NodeBuilder::new("UnsortedSegmentSum").input(&rows.values);
                let sums = sums.input(places).input(&count).output()?;
                self.rule.sparse(update, &sums, indices)
            }
        }
    }

    /// The slots of these variables and what all of them share, beside the variables.
    fn make_slots(&self, graph: &Graph, wanted: &[(&Gradient, &Variable)]) -> Result<()> {
        let mut shared = self.shared.lock();
        // The same variable on every worker, in whichever order they list them.
        let first = wanted.iter().map(|(_, v)| *v).min_by_key(|v| v.name().to_string());
        if let (true, Some(first)) = (shared.is_empty(), first) {
            for SharedVariable { name, initial } in self.rule.shared() {
                let start = initializers::constant(initial);
                let made = graph.variable_builder(name, [], first.dtype(), start);
                shared.push(made.trainable(false).beside(first).build()?);
            }
        }
        let _top = graph.absolute_scope("")?;
        let mut slots = self.slots.lock();
        for (_, variable) in wanted {
            if slots.contains_key(variable.name()) {
                continue;
            }
            let mut made = Vec::new();
            for initial in self.rule.slots() {
                let name = format!("{}/{}", variable.name(), self.name());
                let shape = variable.shape().clone();
                let start = initializers::constant(initial);
                let slot = graph.variable_builder(&name, shape, variable.dtype(), start);
                made.push(slot.trainable(false).beside(variable).build()?);
            }
            if let Some(first) = made.first()
                && let Some(marks) = claimed::marks(graph, first.name(), variable)?
            {
                let (slots, initial) = (made.clone(), self.rule.slots());
                let followers = Followers { slots, initial, marks: Some(marks) };
                self.followers.lock().insert(variable.name().to_string(), followers);
            }
            slots.insert(variable.name().to_string(), made);
        }
        Ok(())
    }
}
