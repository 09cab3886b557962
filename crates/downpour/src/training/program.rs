//! The graph of a training run: the model for training and for evaluation, its update, and what saving,
//! restoring and starting need.

use downpour_data::{Field, Schema};
use downpour_graph::PartialShape;
use downpour_tensor::{DataType, Result, Status, Tensor};

use super::model::{Built, Inputs, Mode, Model};
use super::optimizers::Optimizers;
use super::strategy::Placement;
use super::update::{Update, Updates};
use crate::graph::{Graph, legal_name};
use crate::initializers;
use crate::output::{Operation, Output};
use crate::pipeline::{BuiltNodes, Pipeline};
use crate::precision::MixedPrecision;
use crate::variable::Variable;

/// The scope of what reads and writes whole variables for checkpoints.
const SAVE: &str = "save";

/// A model built for one kind of batch, with where the batch enters.
pub(crate) struct Tower {
    /// One for each column, in the data's order.
    pub inputs: Vec<Output>,
    pub names: Vec<String>,
    pub built: Built,
}

/// Gives a variable a value from outside.
pub(crate) struct Restore {
    pub variable: Variable,
    pub value: Output,
    pub assign: Operation,
}

pub(crate) struct Program {
    pub graph: Graph,
    pub train: Tower,
    pub evaluate: Option<Tower>,
    pub update: Update,
    pub global_step: Variable,
    /// Where each worker stands in its data, kept with the other variables so that a checkpoint has both or
    /// neither.
    pub positions: Vec<Variable>,
    pub initialize: Operation,
    pub uninitialized: Output,
    pub restore: Vec<Restore>,
}

/// What a program is made of.
pub(crate) struct Plan<'a> {
    pub model: &'a dyn Model,
    pub optimizers: &'a Optimizers,
    pub updates: Updates,
    pub placement: &'a Placement,
    pub train: &'a Schema,
    pub evaluate: Option<&'a Schema>,
    pub seed: Option<i64>,
    pub precision: Option<&'a MixedPrecision>,
}

impl Program {
    pub fn build(plan: &Plan<'_>) -> Result<Program> {
        let graph = Graph::new();
        if let Some(seed) = plan.seed {
            graph.set_seed(seed);
        }
        plan.placement.apply(&graph);
        let _device = plan.placement.compute().map(|device| graph.device(&device)).transpose()?;
        let global_step = graph.global_step()?;
        let positions = positions(&graph, plan.placement.workers())?;
        let (mut train, nodes) = {
            let _scope = graph.name_scope("train")?;
            built_nodes(&graph, || build_tower(&graph, plan.model, plan.train, Mode::Train))?
        };
        let mut pipeline = match plan.placement.parts() {
            Some(parts) => {
                let Tower { inputs, names, built } = &mut train;
                let columns = (&names[..], &inputs[..]);
                Some(Pipeline::build(&graph, parts, plan.model, nodes, columns, built)?)
            }
            None => None,
        };
        let own = positions.get(plan.placement.index());
        let own =
            own.ok_or_else(|| Status::internal("a worker without a place for its position"))?;
        let loss_scale = plan.precision.map(|precision| precision.loss_scale).unwrap_or_default();
        let update = Update::build(
            &graph,
            plan.optimizers,
            &plan.updates,
            &train,
            &global_step,
            own,
            loss_scale,
            pipeline.as_mut(),
        )?;
        let evaluate = match plan.evaluate {
            Some(schema) => {
                let _scope = graph.name_scope("evaluate")?;
                let _reuse = graph.reuse_variables();
                let (tower, nodes) = built_nodes(&graph, || {
                    build_tower(&graph, plan.model, schema, Mode::Evaluate)
                })?;
                if let Some(pipeline) = &mut pipeline {
                    pipeline.place_again(&nodes)?;
                }
                Some(tower)
            }
            None => None,
        };
        let variables = graph.variables();
        let restore = variables.iter().map(restore).collect::<Result<_>>()?;
        let initialize = graph.initialize_variables()?;
        let uninitialized = graph.report_uninitialized(&variables)?;
        if let Some(precision) = plan.precision
            && graph.mixed_precision(precision)?.is_empty()
        {
            tracing::warn!("no operation of the model can be computed in {}", precision.compute);
        }
        Ok(Program {
            graph,
            train,
            evaluate,
            update,
            global_step,
            positions,
            initialize,
            uninitialized,
            restore,
        })
    }
}

/// Runs what builds a model, and tells which nodes that were.
fn built_nodes<T>(graph: &Graph, build: impl FnOnce() -> Result<T>) -> Result<(T, BuiltNodes)> {
    let first = graph.len();
    let built = build()?;
    Ok((built, BuiltNodes { nodes: first..graph.len(), scope: graph.current_scope() }))
}

/// A place for each worker's position.
fn positions(graph: &Graph, workers: usize) -> Result<Vec<Variable>> {
    let _top = graph.absolute_scope("")?;
    let position = |worker: usize| {
        let name = format!("data_position/worker_{worker}");
        let builder = graph.variable_builder(
            &name,
            [],
            DataType::String,
            initializers::value(Tensor::string(""))?,
        );
        builder.trainable(false).build()
    };
    (0..workers).map(position).collect()
}

pub(crate) fn build_tower(
    graph: &Graph,
    model: &dyn Model,
    schema: &Schema,
    mode: Mode,
) -> Result<Tower> {
    let column = |field: &Field| {
        let shape = PartialShape::from_i64(&batch_shape(field).collect::<Vec<_>>())?;
        let value = graph.placeholder(&legal_name(&field.name), field.dtype, shape)?;
        Ok((field.name.clone(), value))
    };
    let values = schema.fields.iter().map(column).collect::<Result<Vec<_>>>()?;
    let inputs = Inputs::new(graph, mode, values);
    let built = model.build(&inputs)?;
    if built.loss.shape().rank().is_some_and(|rank| rank != 0) {
        return Err(Status::invalid_argument(format!(
            "the model's loss must be one number, but {} has the shape {}; take its mean",
            built.loss.name(),
            built.loss.shape()
        )));
    }
    let names = inputs.names().map(str::to_string).collect();
    let inputs = inputs.outputs().cloned().collect();
    Ok(Tower { inputs, names, built })
}

/// The last batch may be smaller than the others.
fn batch_shape(field: &Field) -> impl Iterator<Item = i64> + '_ {
    let dim = |(axis, size): (usize, &Option<usize>)| match size {
        Some(size) if axis > 0 => *size as i64,
        _ => -1,
    };
    field.shape.iter().enumerate().map(dim)
}

fn restore(variable: &Variable) -> Result<Restore> {
    let graph = variable.graph();
    let _scope = graph.absolute_scope(SAVE)?;
    let _beside = graph.colocate_with(&variable.handle().op())?;
    let value = graph.placeholder(variable.name(), variable.dtype(), variable.shape())?;
    let assign = variable.assign(&value)?;
    Ok(Restore { variable: variable.clone(), value, assign })
}
