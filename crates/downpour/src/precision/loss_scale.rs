//! Loss scaling: gradients of a larger loss, so that small ones are not zero in half.
//!
//! The scale is found by trying, with the numbers of Keras' LossScaleOptimizer: a step whose gradients are
//! not all finite changes no variable and no slot, and the scale is halved; after `growth_interval` good
//! steps in a row it is doubled. Scale and counter are variables, which checkpoints contain.

use downpour_tensor::{DataType, Result, Status};

use super::conditional::run_if;
use crate::gradients::Gradient;
use crate::graph::Graph;
use crate::initializers;
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};
use crate::variable::Variable;

/// How the loss is scaled before it is differentiated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LossScale {
    /// Not at all.
    #[default]
    None,
    /// By this number; gradients that are not finite are applied as they are.
    Fixed(f64),
    /// By as much as gradients allow.
    Dynamic {
        /// What the scale begins with.
        initial: f64,
        /// After so many good steps in a row the scale grows.
        growth_interval: i64,
        /// By which it grows and falls.
        factor: f64,
    },
}

impl LossScale {
    /// Keras' choice: from 2^15, doubled after 2000 good steps.
    pub fn dynamic() -> LossScale {
        LossScale::Dynamic { initial: 32768.0, growth_interval: 2000, factor: 2.0 }
    }

    fn check(&self) -> Result<()> {
        let positive = |number: f64| (number as f32).is_normal() && number > 0.0;
        let good = match *self {
            LossScale::None => true,
            LossScale::Fixed(scale) => positive(scale),
            LossScale::Dynamic { initial, growth_interval, factor } => {
                positive(initial) && growth_interval > 0 && positive(factor) && factor > 1.0
            }
        };
        match good {
            true => Ok(()),
            false => Err(Status::invalid_argument(format!(
                "{self:?}: the scale must be a positive number, the interval at least 1 and the factor above 1"
            ))),
        }
    }

    /// The scale in a graph, if there is one.
    pub(crate) fn build(&self, graph: &Graph) -> Result<Option<Scaler>> {
        self.check()?;
        let (scale, dynamic) = match *self {
            LossScale::None => return Ok(None),
            LossScale::Fixed(scale) => (graph.constant(scale as f32)?, None),
            LossScale::Dynamic { initial, growth_interval, factor } => {
                let _top = graph.absolute_scope("")?;
                let start = initializers::constant(initial);
                let scale = graph.variable_builder("loss_scale/scale", [], DataType::Float, start);
                let scale = scale.trainable(false).build()?;
                let start = initializers::zeros();
                let good =
                    graph.variable_builder("loss_scale/good_steps", [], DataType::Int64, start);
                let good_steps = good.trainable(false).beside(&scale).build()?;
                let value = scale.value();
                (value, Some(Dynamic { scale, good_steps, growth_interval, factor }))
            }
        };
        Ok(Some(Scaler { graph: graph.clone(), scale, dynamic }))
    }
}

/// A scale in a graph. It is read once a step: what was scaled by it is unscaled by the same number,
/// whoever changes the variable meanwhile.
pub(crate) struct Scaler {
    graph: Graph,
    scale: Output,
    dynamic: Option<Dynamic>,
}

struct Dynamic {
    scale: Variable,
    good_steps: Variable,
    growth_interval: i64,
    factor: f64,
}

impl Scaler {
    /// What it keeps from step to step.
    pub fn variables(&self) -> Vec<Variable> {
        let kept = |dynamic: &Dynamic| vec![dynamic.scale.clone(), dynamic.good_steps.clone()];
        self.dynamic.as_ref().map(kept).unwrap_or_default()
    }

    pub fn scaled(&self, loss: &Output) -> Result<Output> {
        let _scope = self.graph.name_scope("loss_scale")?;
        loss * self.scale.cast(loss.dtype())?
    }

    /// In float32, beside the variable: a gradient of 16 bits travels as such.
    pub fn unscaled(&self, gradient: &Gradient, variable: &Variable) -> Result<Gradient> {
        let _scope = self.graph.name_scope("unscale")?;
        let _beside = self.graph.colocate_with(&variable.handle().op())?;
        let values = gradient.values();
        Ok(gradient.with_values((values / self.scale.cast(values.dtype())?)?))
    }

    /// What `apply` builds is run if all of these gradients are finite, and the scale is changed by that.
    pub fn apply(
        &self,
        gradients: &[Output],
        apply: impl FnOnce() -> Result<Operation>,
    ) -> Result<Operation> {
        let Some(dynamic) = &self.dynamic else { return apply() };
        let _scope = self.graph.name_scope("loss_scale")?;
        let finite = all_finite(gradients)?;
        let applied = run_if(&finite, apply)?;
        let changed = dynamic.change(&self.scale, &finite)?;
        self.graph.group("apply", &[vec![applied], changed].concat())
    }
}

impl Dynamic {
    /// Several workers may change the scale at once: each computes it from what it has read, so two that
    /// overflow together halve it once.
    fn change(&self, scale: &Output, finite: &Output) -> Result<Vec<Operation>> {
        let graph = self.scale.graph();
        let _beside = graph.colocate_with(&self.scale.handle().op())?;
        let good = (self.good_steps.value() + graph.constant(1i64)?)?;
        let is_due = good.greater_equal(&graph.constant(self.growth_interval)?)?;
        let larger = (scale * self.factor)?;
        // Beyond float32's range, where no gradient would be finite again, it neither grows nor falls.
        let larger =
            NodeBuilder::new("IsFinite").input(&larger).output()?.select(&larger, scale)?;
        let smaller =
            (scale / self.factor)?.maximum(&scale.scalar_like(f32::MIN_POSITIVE.into())?)?;
        let grown = is_due.select(&larger, scale)?;
        let none = graph.constant(0i64)?;
        let counted = is_due.select(&none, &good)?;
        Ok(vec![
            self.scale.assign(&finite.select(&grown, &smaller)?)?,
            self.good_steps.assign(&finite.select(&counted, &none)?)?,
        ])
    }
}

/// Whether all numbers of all of these are finite; each is looked at where it is.
fn all_finite(values: &[Output]) -> Result<Output> {
    let Some(first) = values.first() else {
        return Err(Status::invalid_argument("loss scaling: there is no gradient"));
    };
    let graph = first.graph();
    let mut finite = Vec::with_capacity(values.len());
    for value in values {
        let _beside = graph.colocate_with(&value.op())?;
        let is_finite = NodeBuilder::new("IsFinite").input(value).output()?;
        finite.push(all(&is_finite.reshape(&[-1])?)?);
    }
    all(&Output::stack(&finite, 0)?)
}

fn all(vector: &Output) -> Result<Output> {
    let axis = vector.graph().constant([0i32])?;
    NodeBuilder::new("All").input(vector).input(&axis).output()
}
