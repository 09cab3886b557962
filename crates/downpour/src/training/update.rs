//! What a worker runs each step, and what the chief runs besides when workers are synchronous.
//!
//! Asynchronous: the worker's gradients are applied where the variables are, then the global step counts
//! one up. Synchronous, as TensorFlow's SyncReplicasOptimizer: a worker hands its gradients to an
//! accumulator beside each variable, with the global step at which it computed them (the accumulator drops
//! those of an older step), and waits for a token. The chief takes the average of as many gradients as there
//! are workers, applies it, counts the step and puts a token with its number into every worker's queue. Each
//! has a queue of its own: out of a common one a fast worker takes a slow one's token, and is then in the
//! average twice and the other not at all.
//!
//! Handed: the step gives the gradients out and something else carries them (see `exchange`).
//!
//! With a loss scale that follows the gradients, an asynchronous worker looks at its own gradients and
//! leaves them out if they are not finite. A synchronous one hands over what it has, with the scale taken
//! out; the chief looks at the average, in which nothing is finite that was not with every worker, and
//! leaves out the update of all. Either way the step counts.

use downpour_tensor::{DataType, Result, Status, Tensor};

use super::handed::{Handed, Places};
use super::optimizers::{Found, Optimizers};
use super::program::Tower;
use crate::gradients::{Gradient, IndexedSlices};
use crate::graph::Graph;
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};
use crate::pipeline::Pipeline;
use crate::precision::{LossScale, Scaler};
use crate::variable::Variable;

/// When gradients become updates.
#[derive(Clone, Debug)]
pub(crate) enum Updates {
    /// Each worker's at once.
    Alone,
    /// Those of so many workers together, of which this is one; the queues of tokens stand on this device.
    Together { workers: usize, worker: usize, tokens_on: String },
    /// Outside of the graph: gradients are handed over, to these places; and applied here too if this copy
    /// of the parameters is to go on by itself. Workers without servers average them before.
    Handed { places: Places, here: bool, averaged: bool },
}

/// The end of a training step.
pub(crate) struct Update {
    /// Everything the step is to do.
    pub train: Operation,
    /// The global step after it.
    pub step: Output,
    /// Fed with the worker's position in its data after this batch.
    pub position: Output,
    pub together: Option<Together>,
    pub handed: Option<Handed>,
    /// What loss scaling keeps from step to step.
    pub scale: Vec<Variable>,
}

/// What only synchronous training has.
pub(crate) struct Together {
    /// Fed with the global step the worker knows.
    pub known_step: Output,
    /// Run by the chief, over and over: one update from everybody's gradients.
    pub apply: Operation,
    /// Run by the chief at the end: workers that wait for a token learn that none will come.
    pub close: Operation,
}

impl Update {
    #[expect(clippy::too_many_arguments, reason = "each is a part of the one program")]
    pub fn build(
        graph: &Graph,
        optimizers: &Optimizers,
        updates: &Updates,
        tower: &Tower,
        global_step: &Variable,
        position: &Variable,
        loss_scale: LossScale,
        pipeline: Option<&mut Pipeline>,
    ) -> Result<Update> {
        if !matches!(updates, Updates::Alone) {
            graph.refuse_id_tables()?;
        }
        let _scope = graph.name_scope("update")?;
        let fed_position = graph.placeholder("position", DataType::String, ())?;
        let mut all = vec![position.assign(&fed_position)?];
        all.extend(pipeline.as_ref().map_or_else(|| graph.updates(), |p| p.updates()));
        let scaler = loss_scale.build(graph)?;
        let scaler = scaler.as_ref();
        let found = optimizers.gradients(&tower.built.loss, scaler, pipeline)?;
        let mut handed = None;
        let (step, together) = match updates {
            Updates::Handed { places, here, averaged } => {
                if scaler.is_some() {
                    return Err(Status::unimplemented(
                        "a loss scale does not go with gradients that are exchanged outside of the graph: use \
                         bfloat16, which needs none (loss_scale = \"none\"), or the strategies asynchronous and \
                         synchronous",
                    ));
                }
                let made =
                    Handed::build(graph, optimizers, &found, global_step, *places, *averaged)?;
                handed = Some(made);
                if *here {
                    let apply = optimizers.apply(graph, &found, global_step, None)?;
                    all.push(apply);
                }
                (global_step.read()?, None)
            }
            Updates::Alone => {
                let apply = optimizers.apply(graph, &found, global_step, scaler)?;
                let _after = graph.control_dependencies(&[&apply])?;
                (global_step.read()?, None)
            }
            Updates::Together { workers, worker, tokens_on } => {
                let (workers, worker) = (*workers, *worker);
                let parts =
                    Parts { graph, optimizers, global_step, workers, worker, tokens_on, scaler };
                let (token, together) = parts.build(&found)?;
                (token, Some(together))
            }
        };
        all.push(step.op());
        let train = graph.group("train", &all)?;
        let scale = scaler.map(Scaler::variables).unwrap_or_default();
        Ok(Update { train, step, position: fed_position, together, handed, scale })
    }
}

struct Parts<'a> {
    graph: &'a Graph,
    optimizers: &'a Optimizers,
    global_step: &'a Variable,
    workers: usize,
    worker: usize,
    tokens_on: &'a str,
    scaler: Option<&'a Scaler>,
}

impl Parts<'_> {
    fn build(&self, found: &Found) -> Result<(Output, Together)> {
        let known_step = self.graph.placeholder("known_step", DataType::Int64, ())?;
        let (mut given, mut averages, mut counters) = (Vec::new(), Vec::new(), Vec::new());
        for (gradient, variable) in &found.gradients {
            let Some(gradient) = gradient else { continue };
            let _beside = self.graph.colocate_with(&variable.handle().op())?;
            let accumulator = self.accumulator(gradient, variable)?;
            given.push(give(&accumulator, &known_step, gradient)?);
            averages.push((Some(self.take(&accumulator, gradient, variable)?), variable.clone()));
            counters.push(accumulator);
        }
        let queues = (0..self.workers).map(|worker| self.queue(worker));
        let queues = queues.collect::<Result<Vec<Output>>>()?;
        let token = {
            let given: Vec<&Operation> = given.iter().collect();
            let _after = self.graph.control_dependencies(&given)?;
            let types = vec![DataType::Int64.into()];
            let dequeue = NodeBuilder::new("QueueDequeueV2").input(&queues[self.worker]);
            dequeue.attr("component_types", crate::AttrValue::List(types)).output()?
        };
        let numbers = averages.iter().filter_map(|(average, _)| average.as_ref());
        let computed = numbers.map(|average| average.values().clone()).collect();
        let averages = Found { gradients: averages, computed };
        let apply = self.apply(&averages, &counters, &queues)?;
        let close = |queue: &Output| {
            let close = NodeBuilder::new("QueueCloseV2").input(queue);
            close.attr("cancel_pending_enqueues", true).operation()
        };
        let closed = queues.iter().map(close).collect::<Result<Vec<Operation>>>()?;
        let close = self.graph.group("close", &closed)?;
        Ok((token, Together { known_step, apply, close }))
    }

    /// A worker's tokens.
    fn queue(&self, worker: usize) -> Result<Output> {
        let _on = self.graph.device(self.tokens_on)?;
        let types = vec![DataType::Int64.into()];
        let queue = NodeBuilder::in_graph(self.graph, "FIFOQueueV2")
            .attr("component_types", crate::AttrValue::List(types))
            .attr("shared_name", format!("sync_tokens_{worker}"));
        queue.name("tokens").output()
    }

    fn accumulator(&self, gradient: &Gradient, variable: &Variable) -> Result<Output> {
        let op = match gradient {
            Gradient::Dense(_) => "ConditionalAccumulator",
            Gradient::Sparse(_) => "SparseConditionalAccumulator",
        };
        let shape = crate::PartialShape::from(variable.shape());
        NodeBuilder::in_graph(self.graph, op)
            .attr("dtype", variable.dtype())
            .attr("shape", shape)
            .attr("shared_name", format!("{}/gradients", variable.name()))
            .output()
    }

    /// The average of everybody's gradient.
    fn take(
        &self,
        accumulator: &Output,
        gradient: &Gradient,
        variable: &Variable,
    ) -> Result<Gradient> {
        let required = self.graph.constant(Tensor::scalar(self.workers as i32))?;
        let op = match gradient {
            Gradient::Dense(_) => "AccumulatorTakeGradient",
            Gradient::Sparse(_) => "SparseAccumulatorTakeGradient",
        };
        let taken = NodeBuilder::new(op).input(accumulator).input(&required);
        let outputs = taken.attr("dtype", variable.dtype()).outputs()?;
        Ok(match (gradient, outputs.as_slice()) {
            (Gradient::Sparse(slices), [indices, values, dense_shape]) => {
                let indices = indices.cast(slices.indices.dtype())?;
                Gradient::Sparse(IndexedSlices {
                    values: values.clone(),
                    indices,
                    dense_shape: dense_shape.clone(),
                })
            }
            _ => Gradient::Dense(outputs[0].clone()),
        })
    }

    fn apply(
        &self,
        averages: &Found,
        accumulators: &[Output],
        queues: &[Output],
    ) -> Result<Operation> {
        let applied = self.optimizers.apply(self.graph, averages, self.global_step, self.scaler)?;
        let step = {
            let _after = self.graph.control_dependencies(&[&applied])?;
            self.global_step.read()?
        };
        // First no accumulator takes gradients of the past, then workers may go on.
        let mut told = Vec::new();
        for accumulator in accumulators {
            let _beside = self.graph.colocate_with(&accumulator.op())?;
            let tell = NodeBuilder::new("AccumulatorSetGlobalStep").input(accumulator).input(&step);
            told.push(tell.operation()?);
        }
        let told: Vec<&Operation> = told.iter().collect();
        let _after = self.graph.control_dependencies(&told)?;
        let enqueue = |queue: &Output| {
            let _beside = self.graph.colocate_with(&queue.op())?;
            let types = vec![DataType::Int64.into()];
            let enqueue =
                NodeBuilder::new("QueueEnqueueV2").input(queue).list(std::slice::from_ref(&step));
            enqueue.attr("Tcomponents", crate::AttrValue::List(types)).operation()
        };
        let tokens = queues.iter().map(enqueue).collect::<Result<Vec<Operation>>>()?;
        self.graph.group("tokens", &tokens)
    }
}

/// Hands a gradient to its accumulator.
fn give(accumulator: &Output, known_step: &Output, gradient: &Gradient) -> Result<Operation> {
    match gradient {
        Gradient::Dense(value) => NodeBuilder::new("AccumulatorApplyGradient")
            .input(accumulator)
            .input(known_step)
            .input(value)
            .operation(),
        Gradient::Sparse(slices) => NodeBuilder::new("SparseAccumulatorApplyGradient")
            .input(accumulator)
            .input(known_step)
            .input(&slices.indices.cast(DataType::Int64)?)
            .input(&slices.values)
            .input(&slices.dense_shape.cast(DataType::Int64)?)
            .attr("has_known_shape", true)
            .operation(),
    }
}
