//! A model's graph as a pipeline: built for every part of the batch, put on the stages' devices,
//! differentiated part by part.

use downpour_graph::NodeId;
use downpour_tensor::{Result, Status};

use super::backward::{self, Sum};
use super::micro_batches::{Division, Share, inputs, together};
use super::order::{self, Work};
use super::schedule::{Action, PipelineSchedule, schedule};
use super::stages::{BuiltNodes, Cut, Stages};
use crate::gradients::Gradient;
use crate::graph::Graph;
use crate::output::{Operation, Output};
use crate::training::{Built, Model};

/// What a pipeline is to be like.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub cut: Cut,
    pub stages: usize,
    pub micro_batches: usize,
    /// In which order parts are worked on; none: side by side.
    pub schedule: Option<PipelineSchedule>,
    /// The device of every stage's computations; none where there is no cluster.
    pub compute: Vec<String>,
    /// The device of every stage's variables.
    pub variables: Vec<String>,
}

/// A model in a graph, cut into stages.
pub(crate) struct Pipeline {
    graph: Graph,
    parts: Parts,
    stages: Stages,
    towers: Vec<Tower>,
    updates: Vec<Operation>,
}

/// The model for one part of the batch.
struct Tower {
    nodes: BuiltNodes,
    loss: Output,
    /// What it counts among the parts; all if there is one part only.
    weight: Option<Output>,
}

impl Pipeline {
    /// Cuts a model that was just built for a whole batch, with its variables, and builds it for the
    /// batch's parts. `built` becomes the model of all parts together.
    pub fn build(
        graph: &Graph,
        parts: &Parts,
        model: &dyn Model,
        whole: BuiltNodes,
        (names, columns): (&[String], &[Output]),
        built: &mut Built,
    ) -> Result<Pipeline> {
        let stages = Stages::cut(graph, &parts.cut, parts.stages, &whole)?;
        let mut pipeline = Pipeline {
            graph: graph.clone(),
            parts: parts.clone(),
            stages,
            towers: Vec::new(),
            updates: graph.updates(),
        };
        pipeline.place(&whole)?;
        if parts.micro_batches == 1 {
            let loss = built.loss.clone();
            pipeline.towers.push(Tower { nodes: whole, loss, weight: None });
            return Ok(pipeline);
        }
        let division = {
            let _scope = graph.name_scope(if parts.schedule.is_some() {
                "micro_batches"
            } else {
                "replicas"
            })?;
            Division::of(graph, columns, parts.micro_batches)?
        };
        let mut all = Vec::with_capacity(parts.micro_batches);
        for part in 0..parts.micro_batches {
            all.push(pipeline.tower(model, &division, part, (names, columns))?);
        }
        let _scope = graph.name_scope("together")?;
        *built = together(&all)?;
        Ok(pipeline)
    }

    /// The model for one part.
    fn tower(
        &mut self,
        model: &dyn Model,
        division: &Division,
        part: usize,
        (names, columns): (&[String], &[Output]),
    ) -> Result<(Share, Built)> {
        let graph = self.graph.clone();
        let kind = if self.parts.schedule.is_some() { "micro_batch" } else { "replica" };
        let _scope = graph.name_scope(&format!("{kind}_{part}"))?;
        let share = division.share(part)?;
        let inputs = inputs(&graph, &share, names, columns)?;
        let known = graph.updates().len();
        let first = graph.len();
        let built = {
            let _reuse = graph.reuse_variables();
            model.build(&inputs)?
        };
        // What is to happen once a step happens with the last part.
        self.updates = graph.updates().split_off(known);
        let nodes = BuiltNodes { nodes: first..graph.len(), scope: graph.current_scope() };
        self.place_again(&nodes)?;
        self.stages.expect_forward(&graph, &nodes)?;
        let (loss, weight) = (built.loss.clone(), Some(share.weight.clone()));
        self.towers.push(Tower { nodes, loss, weight });
        Ok((share, built))
    }

    /// Puts a model that was built over the same variables on the same stages.
    pub fn place_again(&mut self, built: &BuiltNodes) -> Result<()> {
        self.stages.add(&self.graph, built);
        self.place(built)
    }

    /// The operations to run with every step besides the optimizer's.
    pub fn updates(&self) -> Vec<Operation> {
        self.updates.clone()
    }

    /// Puts nodes on the devices of their stages, variables' own nodes on those of the variables.
    fn place(&self, built: &BuiltNodes) -> Result<()> {
        if self.parts.compute.is_empty() {
            return Ok(());
        }
        let state = &mut *self.graph.lock();
        for index in built.nodes.clone() {
            let id = NodeId(index as u32);
            let Some(stage) = self.stages.of(id) else { continue };
            let part = self.stages.part_of.contains_key(&id);
            let of_variable =
                part || self.stages.bound_to(&state.nodes, state.nodes.node(id)).is_some();
            let devices = if of_variable { &self.parts.variables } else { &self.parts.compute };
            let device = devices.get(stage).ok_or_else(|| {
                Status::internal(format!("stage {stage} of a pipeline has no device"))
            })?;
            // What is fed comes from the task that reads the data.
            let node = state.nodes.node_mut(id);
            if node.op_name() != "Placeholder" {
                node.device.clone_from(device);
            }
        }
        Ok(())
    }

    /// The gradient of the batch's loss by each of these values, computed part by part; `larger` is what is
    /// to be differentiated instead of a part's loss.
    pub fn gradients(
        &mut self,
        by: &[&Output],
        larger: &dyn Fn(&Output) -> Result<Output>,
    ) -> Result<Vec<Option<Gradient>>> {
        let graph = self.graph.clone();
        let last = self.parts.stages - 1;
        let mut sums: Vec<Sum> = by.iter().map(|_| Sum::new()).collect();
        let mut work = Work::new();
        for part in 0..self.towers.len() {
            let _scope = graph.name_scope(&format!("backward_{part}"))?;
            let first = graph.len();
            let found = {
                let _on = self.on(last)?;
                let tower = &self.towers[part];
                backward::of_part(&larger(&tower.loss)?, tower.weight.as_ref(), by)?
            };
            self.note(&mut work, part, first..graph.len(), last);
            for (i, value) in by.iter().enumerate() {
                let stage = self.stages.of(value.endpoint().node).unwrap_or(last);
                let _on = self.on(stage)?;
                if let Some(added) = sums[i].add(found[i].as_ref())? {
                    work.entry((stage, Action::Backward(part))).or_default().push(added);
                }
            }
        }
        let mut all = Vec::with_capacity(sums.len());
        for (sum, value) in sums.into_iter().zip(by) {
            let _on = self.on(self.stages.of(value.endpoint().node).unwrap_or(last))?;
            all.push(sum.finish(&graph)?);
        }
        if let Some(kind) = self.parts.schedule.filter(|_| self.towers.len() > 1) {
            let order = schedule(kind, self.parts.stages, self.towers.len());
            let values = all.iter().flatten().map(|gradient| gradient.values().clone());
            let wanted: Vec<Output> =
                values.chain(self.towers.iter().map(|tower| tower.loss.clone())).collect();
            order::keep(&graph, &order, &work, &self.parts.compute, &wanted)?;
        }
        Ok(all)
    }

    /// Notes which nodes of a part are whose work: the model's, and those of its gradients.
    fn note(
        &mut self,
        work: &mut Work,
        part: usize,
        backward: std::ops::Range<usize>,
        otherwise: usize,
    ) {
        let state = self.graph.lock();
        let tower = &self.towers[part];
        for index in tower.nodes.nodes.clone() {
            let id = NodeId(index as u32);
            if let Some(stage) = self.stages.of(id) {
                work.entry((stage, Action::Forward(part))).or_default().push(id);
            }
        }
        for index in backward {
            let id = NodeId(index as u32);
            let stage = self.stages.settle(&state.nodes, id, otherwise);
            work.entry((stage, Action::Backward(part))).or_default().push(id);
        }
    }

    fn on(&self, stage: usize) -> Result<Option<crate::graph::ScopeGuard>> {
        let device = self.parts.compute.get(stage);
        device.map(|device| self.graph.device(device)).transpose()
    }
}

#[cfg(test)]
mod tests;
