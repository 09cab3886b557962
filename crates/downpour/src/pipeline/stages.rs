//! Which stage each node of a model belongs to.
//!
//! Variables lead: each belongs to the stage its scope was given to, or to the one the model was cut into.
//! A node in a named scope belongs to that scope's stage; any other follows what it takes, to the last of
//! its inputs' stages, and what depends on no variable at all (labels, pictures) goes to the first stage
//! that takes it. So a model is cut without being told anything, and its evaluation by the same stages.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use downpour_graph::{AttrValue, Graph as Nodes, Node, NodeId};
use downpour_tensor::{DataType, Result, Status};

use super::cut::balance;
use super::work;
use crate::graph::Graph;

/// How a model is cut.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cut {
    /// The stages of scopes; the longest scope that fits a name holds.
    Scopes(Vec<(String, usize)>),
    /// Into so many stages that take equally long: by times of nodes of an earlier run, else by estimates.
    Balanced { stages: usize, measured: Option<Arc<Vec<(String, f64)>>> },
}

/// A variable of the model.
pub(super) struct Owner {
    pub name: String,
    pub handle: NodeId,
    pub stage: Option<usize>,
}

/// The stages of a model's variables and nodes.
pub(super) struct Stages {
    pub count: usize,
    scopes: Vec<(String, usize)>,
    pub owners: Vec<Owner>,
    /// The variable a node is a part of: its handle, first value, assignment and read.
    pub part_of: HashMap<NodeId, usize>,
    of_node: Vec<Option<usize>>,
}

/// The nodes of a model that was built in one go, and the name scope it was built in.
#[derive(Clone, Debug)]
pub(crate) struct BuiltNodes {
    pub nodes: Range<usize>,
    pub scope: String,
}

impl Stages {
    /// Cuts a model that was just built, with its variables.
    pub fn cut(graph: &Graph, cut: &Cut, count: usize, built: &BuiltNodes) -> Result<Stages> {
        let mut stages = Stages {
            count,
            scopes: Vec::new(),
            owners: Vec::new(),
            part_of: HashMap::new(),
            of_node: Vec::new(),
        };
        {
            let state = graph.lock();
            let own = state.collections.variables.iter();
            let own = own.filter(|record| built.nodes.contains(&record.handle.node.index()));
            let owner = |record: &Arc<crate::variable::Record>| Owner {
                name: record.name.clone(),
                handle: record.handle.node,
                stage: None,
            };
            stages.owners = own.map(owner).collect();
            stages.find_parts(&state.nodes, &built.nodes);
        }
        match cut {
            Cut::Scopes(scopes) => stages.take_scopes(graph, scopes, built)?,
            Cut::Balanced { stages: wanted, measured } => {
                let line =
                    work::line(graph, &stages, built, measured.as_deref().map(Vec::as_slice))?;
                let cut = balance(&line.segments, *wanted, line.time_per_byte)?;
                for (owner, segment) in stages.owners.iter_mut().zip(line.of_variable) {
                    owner.stage = segment.map(|segment| cut[segment]);
                }
            }
        }
        stages.add(graph, built);
        Ok(stages)
    }

    /// Nodes under a variable's name are its own.
    fn find_parts(&mut self, nodes: &Nodes, range: &Range<usize>) {
        let handles: HashMap<&str, usize> = self
            .owners
            .iter()
            .enumerate()
            .map(|(i, owner)| (nodes.node(owner.handle).name.as_str(), i))
            .collect();
        for index in range.clone() {
            let id = NodeId(index as u32);
            let name = &nodes.node(id).name;
            let mut ends = name.match_indices('/').map(|(at, _)| at).chain([name.len()]);
            if let Some(owner) = ends.find_map(|end| handles.get(&name[..end])) {
                self.part_of.insert(id, *owner);
            }
        }
    }

    fn take_scopes(
        &mut self,
        graph: &Graph,
        scopes: &[(String, usize)],
        built: &BuiltNodes,
    ) -> Result<()> {
        let state = graph.lock();
        for (scope, stage) in scopes {
            if *stage >= self.count {
                return Err(Status::invalid_argument(format!(
                    "the scope '{scope}' is to be on task {stage}, but there are {} tasks for the model, \
                     counted from 0",
                    self.count
                )));
            }
            let fits = |name: &str| within(name, scope);
            let used = built.nodes.clone().any(|index| {
                let node = state.nodes.node(NodeId(index as u32));
                relative(&node.name, &built.scope).is_some_and(fits)
            });
            if !used && !self.owners.iter().any(|owner| fits(&owner.name)) {
                let names: Vec<&str> = self.owners.iter().map(|o| o.name.as_str()).collect();
                return Err(Status::invalid_argument(format!(
                    "the model has nothing in the scope '{scope}'; its variables are {}",
                    names.join(", ")
                )));
            }
        }
        self.scopes = scopes.to_vec();
        for owner in &mut self.owners {
            owner.stage = stage_of_name(scopes, &owner.name);
        }
        Ok(())
    }

    /// Finds the stages of further nodes: of the model built again.
    pub fn add(&mut self, graph: &Graph, built: &BuiltNodes) {
        let state = graph.lock();
        let nodes = &state.nodes;
        self.of_node.resize(nodes.len(), None);
        for index in built.nodes.clone() {
            let id = NodeId(index as u32);
            if !self.part_of.contains_key(&id) {
                self.of_node[index] = self.follow(nodes, id, &built.scope);
            }
        }
        // What hangs on no variable goes to the first stage that takes it.
        let mut first: Vec<Option<usize>> = vec![None; built.nodes.len()];
        for index in built.nodes.clone().rev() {
            let id = NodeId(index as u32);
            if self.part_of.contains_key(&id) {
                continue;
            }
            let own = self.of_node[index].or(first[index - built.nodes.start]).unwrap_or(0);
            self.of_node[index] = Some(own);
            for end in &nodes.node(id).inputs {
                if let Some(at) = end.node.index().checked_sub(built.nodes.start)
                    && let Some(least) = first.get_mut(at)
                {
                    *least = Some(least.map_or(own, |known: usize| known.min(own)));
                }
            }
        }
        for (id, owner) in &self.part_of {
            self.of_node[id.index()] = Some(self.owners[*owner].stage.unwrap_or(0));
        }
    }

    /// A node's stage, if its name or something it takes says one.
    fn follow(&mut self, nodes: &Nodes, id: NodeId, scope: &str) -> Option<usize> {
        let node = nodes.node(id);
        let taken: Vec<usize> =
            node.inputs.iter().filter_map(|end| self.part_of.get(&end.node).copied()).collect();
        let bound = self.bound_to(nodes, node);
        let named = relative(&node.name, scope);
        let named = named.and_then(|name| stage_of_name(&self.scopes, name));
        let inputs = node.inputs.iter().filter_map(|end| match self.part_of.get(&end.node) {
            Some(owner) => self.owners[*owner].stage,
            None => self.of_node.get(end.node.index()).copied().flatten(),
        });
        let stage = bound.and_then(|owner| self.owners[owner].stage).or(named).or(inputs.max());
        let stage = match stage {
            None if taken.is_empty() && bound.is_none() => return None,
            stage => stage.unwrap_or(0),
        };
        for owner in taken.into_iter().chain(bound) {
            self.owners[owner].stage.get_or_insert(stage);
        }
        Some(stage)
    }

    /// The variable on whose device a node must stand: it takes the handle, or was put beside it.
    pub fn bound_to(&self, nodes: &Nodes, node: &Node) -> Option<usize> {
        let handles = node.inputs.iter().zip(&node.input_types);
        let mut handles = handles.filter(|(_, kind)| kind.dtype == DataType::Resource);
        let by_handle = handles.find_map(|(end, _)| self.part_of.get(&end.node));
        let beside = || beside(nodes, node).and_then(|id| self.part_of.get(&id));
        by_handle.or_else(beside).copied()
    }

    /// The stage of a node that is known.
    pub fn of(&self, id: NodeId) -> Option<usize> {
        self.of_node.get(id.index()).copied().flatten()
    }

    /// Gives a node that has none the stage of what it was put beside, else this one.
    pub fn settle(&mut self, nodes: &Nodes, id: NodeId, otherwise: usize) -> usize {
        self.of_node.resize(nodes.len(), None);
        let beside = beside(nodes, nodes.node(id)).and_then(|other| self.of(other));
        let stage = self.of(id).or(beside).unwrap_or(otherwise);
        self.of_node[id.index()] = Some(stage);
        stage
    }

    /// In a pipeline values go from a stage to later ones only.
    pub fn expect_forward(&self, graph: &Graph, built: &BuiltNodes) -> Result<()> {
        let state = graph.lock();
        for index in built.nodes.clone() {
            let node = state.nodes.node(NodeId(index as u32));
            let Some(stage) = self.of(NodeId(index as u32)) else { continue };
            let own = |end: &&downpour_graph::Endpoint| built.nodes.contains(&end.node.index());
            for end in node.inputs.iter().filter(own) {
                if let Some(before) = self.of(end.node).filter(|before| *before > stage) {
                    return Err(Status::invalid_argument(format!(
                        "'{}' on stage {stage} takes '{}' of stage {before}: a batch goes through the stages of \
                         a pipeline in their order. Give the scopes other stages, or train without micro-batches.",
                        node.name,
                        state.nodes.node(end.node).name
                    )));
                }
            }
        }
        Ok(())
    }
}

/// The node that a node was put beside.
fn beside(nodes: &Nodes, node: &Node) -> Option<NodeId> {
    let Some(AttrValue::List(classes)) = node.attrs.get("_class") else { return None };
    let Some(AttrValue::Str(class)) = classes.first() else { return None };
    let name = class.as_ref().strip_prefix(b"loc:@")?;
    nodes.find(std::str::from_utf8(name).ok()?)
}

fn within(name: &str, scope: &str) -> bool {
    name.strip_prefix(scope).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A name within the scope the model was built in.
pub(super) fn relative<'a>(name: &'a str, scope: &str) -> Option<&'a str> {
    match scope {
        "" => Some(name),
        scope => name.strip_prefix(scope)?.strip_prefix('/'),
    }
}

fn stage_of_name(scopes: &[(String, usize)], name: &str) -> Option<usize> {
    let fitting = scopes.iter().filter(|(scope, _)| within(name, scope));
    fitting.max_by_key(|(scope, _)| scope.len()).map(|(_, stage)| *stage)
}
