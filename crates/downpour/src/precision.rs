//! Mixed precision: products in 16 bits, weights and losses in float32, and losses scaled so that small
//! gradients survive.
//!
//! A [`MixedPrecision`] is given to a [`Trainer`](crate::training::Trainer). Who runs steps by hand builds
//! the whole graph, the update by [`MixedPrecision::minimize`], and then rewrites it:
//!
//! ```
//! use downpour::{DataType, Graph, MixedPrecision, Optimizer, Session, initializers, tensor};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let x = graph.placeholder("x", DataType::Float, [None, Some(2)])?;
//! let w = graph.variable("w", [2, 1], DataType::Float, initializers::ones())?;
//! let loss = (x.matmul(&w.value())? - 1.0)?.square()?.mean_all()?;
//! let precision = MixedPrecision::float16();
//! let train = precision.minimize(&Optimizer::gradient_descent(0.1), &loss, None)?;
//! let rewritten = graph.mixed_precision(&precision)?;
//! assert!(rewritten.iter().any(|node| node.op_type() == "MatMul"));
//!
//! let session = Session::local(&graph)?;
//! session.run(&[], &[&graph.initialize_variables()?])?;
//! let fed = tensor([[1.0f32, 0.5]])?;
//! for _ in 0..50 {
//!     session.run(&[(&x, fed.clone())], &[&train])?;
//! }
//! // The value is asked for in float32 as ever, though it is computed in half.
//! assert!(session.fetch(&[(&x, fed)], &loss)?.to_scalar::<f32>()? < 1e-3);
//! # Ok(())
//! # }
//! ```

mod conditional;
mod loss_scale;

use std::sync::Arc;

use downpour_graph::passes;
use downpour_tensor::{DataType, Result};

pub use downpour_graph::passes::{Numerics, PrecisionLists};
pub use loss_scale::LossScale;
pub(crate) use loss_scale::Scaler;

use crate::gradients::Gradient;
use crate::graph::Graph;
use crate::optimizer::Optimizer;
use crate::output::{Operation, Output};
use crate::variable::Variable;

/// What is computed in 16 bits, and how losses are scaled for it.
///
/// Variables, their slots and the loss stay float32, and every value of the graph is fetched in the type it
/// was built with. Bodies of loops and branches ([`while_loop`](crate::while_loop),
/// [`cond`](crate::cond)) and functions compute in float32.
///
/// CPUs that have no 16-bit arithmetic compute in float32 and round: training in 16 bits then shows what
/// accelerators would compute, halves the bytes of weights and gradients between tasks and of what is kept
/// for gradients, and takes longer, not shorter.
#[derive(Clone, Debug, PartialEq)]
pub struct MixedPrecision {
    /// The type of fast computations: [`DataType::BFloat16`] or [`DataType::Half`].
    pub compute: DataType,
    /// How the loss is scaled.
    pub loss_scale: LossScale,
    /// Which operations may be computed so.
    pub lists: PrecisionLists,
}

impl MixedPrecision {
    /// bfloat16 has float32's range: losses need no scaling.
    pub fn bfloat16() -> MixedPrecision {
        MixedPrecision {
            compute: DataType::BFloat16,
            loss_scale: LossScale::None,
            lists: PrecisionLists::default(),
        }
    }

    /// half loses gradients below 6e-8: the loss is scaled, as much as gradients allow.
    pub fn float16() -> MixedPrecision {
        MixedPrecision {
            compute: DataType::Half,
            loss_scale: LossScale::dynamic(),
            lists: PrecisionLists::default(),
        }
    }

    /// The same with another scaling of the loss.
    pub fn loss_scale(mut self, loss_scale: LossScale) -> MixedPrecision {
        self.loss_scale = loss_scale;
        self
    }

    /// The same with an operation on another list.
    pub fn with(mut self, op: &str, numerics: Numerics) -> MixedPrecision {
        self.lists = self.lists.with(op, numerics);
        self
    }

    /// The same with an operation on no list: it stays float32 and says nothing about its neighbours.
    pub fn without(mut self, op: &str) -> MixedPrecision {
        self.lists = self.lists.without(op);
        self
    }

    /// As [`Optimizer::minimize`], with the loss scaled. Rewrite the graph after this, by
    /// [`Graph::mixed_precision`].
    pub fn minimize(
        &self,
        optimizer: &Optimizer,
        loss: &Output,
        global_step: Option<&Variable>,
    ) -> Result<Operation> {
        let graph = loss.graph();
        let Some(scaler) = self.loss_scale.build(graph)? else {
            return optimizer.minimize(loss, global_step);
        };
        let variables = graph.trainable_variables();
        let found = optimizer.compute_gradients(&scaler.scaled(loss)?, &variables)?;
        let checked: Vec<Output> =
            found.iter().filter_map(|(g, _)| g.as_ref()).map(|g| g.values().clone()).collect();
        let unscale = |(gradient, variable): (Option<Gradient>, Variable)| {
            let gradient = gradient.map(|g| scaler.unscaled(&g, &variable)).transpose()?;
            Ok((gradient, variable))
        };
        let found: Vec<_> = found.into_iter().map(unscale).collect::<Result<_>>()?;
        let mut all = graph.updates();
        all.push(scaler.apply(&checked, || optimizer.apply_gradients(&found, None))?);
        let done = graph.group("train", &all)?;
        let Some(step) = global_step else { return Ok(done) };
        let _after = graph.control_dependencies(&[&done])?;
        step.assign_add(&step.value().scalar_like(1.0)?)
    }
}

impl Graph {
    /// Rewrites everything built so far so that it computes in mixed precision; the nodes that now compute
    /// in 16 bits. Names and types of all values stay. A session that is running has the graph as it was:
    /// rewrite first. Feed what the graph has placeholders for: a value in the middle of 16-bit nodes that
    /// is fed is not seen by them.
    pub fn mixed_precision(&self, precision: &MixedPrecision) -> Result<Vec<Operation>> {
        let _anywhere = self.device("")?;
        let _free = self.no_control_dependencies();
        let report = self.extend_with(|nodes, registry, _| {
            let supports = |node: &downpour_graph::Node| {
                registry.make_kernel(&Arc::new(node.clone()), None).is_ok()
            };
            let (compute, lists) = (precision.compute, &precision.lists);
            let wanted = passes::MixedPrecision { compute, lists, supports: &supports };
            passes::mixed_precision(nodes, registry.ops(), &wanted)
        })?;
        self.lock().changed.extend(report.changed);
        Ok(report.computing.into_iter().map(|id| Operation::new(self, id)).collect())
    }
}
