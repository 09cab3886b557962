//! Which tasks a registered graph exchanges values with over links, and that links to them exist.

use std::collections::HashSet;
use std::sync::Arc;

use downpour_graph::{DeviceName, PEER, SLOT};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::attr_value::Value;
use downpour_wire::proto::{GraphDef, NodeDef};

use super::Worker;
use super::steps::StepState;
use crate::spec::{ClusterSpec, TaskAddress};

#[derive(Clone, Debug)]
pub struct LinkedTask {
    pub incarnation: u64,
    pub task: TaskAddress,
}

/// The tasks at the other ends of a graph's numbered transfers; the client's ends are its master's.
pub fn linked_tasks(graph: &GraphDef, spec: &ClusterSpec, own: u64) -> Result<Arc<[LinkedTask]>> {
    let mut tasks: Vec<LinkedTask> = Vec::new();
    let mut known = HashSet::from([own]);
    for node in graph.node.iter().filter(|n| n.attr.contains_key(SLOT)) {
        let (incarnation, device) = match node.op.as_str() {
            "_Send" => (PEER, "recv_device"),
            _ => ("send_device_incarnation", "send_device"),
        };
        let incarnation = int(node, incarnation) as u64;
        let for_client = matches!(value(node, "client_terminated"), Some(Value::B(true)));
        if for_client || !known.insert(incarnation) {
            continue;
        }
        let device = match value(node, device) {
            Some(Value::S(name)) => String::from_utf8_lossy(name).into_owned(),
            _ => String::new(),
        };
        tasks.push(LinkedTask { incarnation, task: task_of(&device, spec)? });
    }
    Ok(tasks.into())
}

fn value<'a>(node: &'a NodeDef, name: &str) -> Option<&'a Value> {
    node.attr.get(name)?.value.as_ref()
}

fn int(node: &NodeDef, name: &str) -> i64 {
    match value(node, name) {
        Some(Value::I(number)) => *number,
        _ => 0,
    }
}

fn task_of(device: &str, spec: &ClusterSpec) -> Result<TaskAddress> {
    let name = DeviceName::parse(device)?;
    match (&name.job, name.task) {
        (Some(job), Some(task)) => spec.task(job, task),
        _ => Err(Status::invalid_argument(format!("'{device}' names no task"))),
    }
}

impl Worker {
    /// Sees to it that the step's tasks are linked. One that cannot be is the end of the step: nobody
    /// would push what it waits for.
    pub(super) fn link_all(&self, step: &Arc<StepState>, tasks: &[LinkedTask]) {
        for task in tasks.iter().filter(|t| self.links.get(t.incarnation).is_none()) {
            let (links, task, step) = (self.links.clone(), task.clone(), step.clone());
            tokio::spawn(async move {
                if let Err(status) = links.reach(&task.task, task.incarnation).await {
                    step.abort(status);
                }
            });
        }
    }
}
