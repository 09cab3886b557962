//! What holds for the nodes added now: scopes, device, control dependencies, colocation, reuse.

use downpour_graph::{AttrValue, DeviceName, Graph, Node, NodeId};
use downpour_tensor::Result;

use super::Graph as GraphHandle;
use super::names::Names;

/// One thing that was entered and not yet left.
pub(super) enum Entry {
    /// The whole path, without a slash at the end.
    Scope(String),
    /// A path for nodes and for variables.
    Absolute(String),
    VariableScope {
        variables: String,
        nodes: String,
    },
    /// Variables are looked up; the names asked for so far, counted anew.
    Reuse(Asked),
    Device(DeviceName),
    /// Forgets the devices and colocations entered before.
    NoDevice,
    Controls(Vec<NodeId>),
    /// Forgets the control dependencies entered before.
    NoControls,
    Colocate(NodeId),
}

/// Names asked for, each numbered by how often.
#[derive(Default)]
pub(crate) struct Asked {
    pub variables: Names,
    pub layers: Names,
}

/// Everything entered, innermost last.
#[derive(Default)]
pub(crate) struct Surroundings {
    entries: Vec<(u64, Entry)>,
    next: u64,
    /// What was asked for outside of reuse.
    asked: Asked,
}

impl Surroundings {
    pub(super) fn enter(&mut self, entry: Entry) -> u64 {
        self.next += 1;
        self.entries.push((self.next, entry));
        self.next
    }

    fn leave(&mut self, number: u64) {
        self.entries.retain(|(n, _)| *n != number);
    }

    /// The path of the current scope, empty at the top.
    pub fn scope(&self) -> &str {
        self.entries
            .iter()
            .rev()
            .find_map(|(_, entry)| match entry {
                Entry::Scope(path) | Entry::Absolute(path) => Some(path.as_str()),
                Entry::VariableScope { nodes, .. } => Some(nodes.as_str()),
                _ => None,
            })
            .unwrap_or("")
    }

    /// The path under which variables are named, empty at the top; and whether it is a variable scope,
    /// where a name stands for one variable.
    pub fn variable_scope(&self) -> (&str, bool) {
        self.entries
            .iter()
            .rev()
            .find_map(|(_, entry)| match entry {
                Entry::Absolute(path) => Some((path.as_str(), false)),
                Entry::VariableScope { variables, .. } => Some((variables.as_str(), true)),
                _ => None,
            })
            .unwrap_or(("", false))
    }

    /// True while variables are looked up instead of made.
    pub fn reuses(&self) -> bool {
        self.entries.iter().any(|(_, entry)| matches!(entry, Entry::Reuse(_)))
    }

    /// The names asked for since variables are reused, or since the beginning.
    pub fn asked(&mut self) -> &mut Asked {
        let reuse = self.entries.iter_mut().rev().find_map(|(_, entry)| match entry {
            Entry::Reuse(asked) => Some(asked),
            _ => None,
        });
        reuse.unwrap_or(&mut self.asked)
    }

    /// `name` inside the current scope.
    pub fn scoped(&self, name: &str) -> String {
        match self.scope() {
            "" => name.to_string(),
            scope => format!("{scope}/{name}"),
        }
    }

    /// Device and colocation for a new node.
    fn place(&self, graph: &Graph, node: &mut Node) -> Result<()> {
        let mut device = DeviceName::default();
        let mut classes: Vec<AttrValue> = Vec::new();
        for (_, entry) in &self.entries {
            match entry {
                Entry::Device(inner) => device = override_with(&device, inner),
                Entry::NoDevice => {
                    device = DeviceName::default();
                    classes.clear();
                }
                Entry::Colocate(id) => {
                    let with = graph.node(*id);
                    device = DeviceName::parse(&with.device)?;
                    classes = match with.attrs.get("_class") {
                        Some(AttrValue::List(classes)) => classes.clone(),
                        _ => vec![AttrValue::Str(format!("loc:@{}", with.name).into())],
                    };
                }
                _ => {}
            }
        }
        if !device.is_open() {
            node.device = device.to_string();
        }
        if !classes.is_empty() && node.attrs.get("_class").is_none() {
            node.attrs.0.insert("_class".to_string(), AttrValue::List(classes));
        }
        Ok(())
    }

    /// The control dependencies for a new node.
    fn controls(&self) -> Vec<NodeId> {
        let mut controls = Vec::new();
        for (_, entry) in &self.entries {
            match entry {
                Entry::Controls(ids) => controls.extend(ids),
                Entry::NoControls => controls.clear(),
                _ => {}
            }
        }
        controls
    }

    /// Gives a new node everything that holds now, but its name.
    pub fn apply(&self, graph: &Graph, node: &mut Node) -> Result<()> {
        if node.device.is_empty() {
            self.place(graph, node)?;
        }
        for id in self.controls() {
            let feeds = node.inputs.iter().any(|end| end.node == id);
            if !feeds && !node.controls.contains(&id) {
                node.controls.push(id);
            }
        }
        Ok(())
    }
}

/// The inner device's parts, the outer's where the inner leaves them open.
fn override_with(outer: &DeviceName, inner: &DeviceName) -> DeviceName {
    DeviceName {
        job: inner.job.clone().or_else(|| outer.job.clone()),
        replica: inner.replica.or(outer.replica),
        task: inner.task.or(outer.task),
        kind: inner.kind.clone().or_else(|| outer.kind.clone()),
        index: inner.index.or(outer.index),
    }
}

/// Ends what was entered (a scope, a device, ...) when it is dropped.
#[must_use = "it ends when this is dropped: bind it to a name (`let _scope = ...`)"]
pub struct ScopeGuard {
    graph: GraphHandle,
    number: u64,
}

impl ScopeGuard {
    pub(super) fn new(graph: &GraphHandle, entry: Entry) -> ScopeGuard {
        let number = graph.lock().surroundings.enter(entry);
        ScopeGuard { graph: graph.clone(), number }
    }

    /// The same where the graph is locked already.
    pub(super) fn locked(
        graph: &GraphHandle,
        state: &mut super::State,
        entry: Entry,
    ) -> ScopeGuard {
        ScopeGuard { graph: graph.clone(), number: state.surroundings.enter(entry) }
    }
}

impl Drop for ScopeGuard {
    fn drop(&mut self) {
        self.graph.lock().surroundings.leave(self.number);
    }
}
