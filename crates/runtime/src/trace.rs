//! What each node of a traced step did and when.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use downpour_graph::Node;
use downpour_tensor::{DataType, Shape};
use parking_lot::Mutex;

use crate::value::{Outputs, Value};

/// Collects the nodes of one step; hand it to the step's options and read it when the step is done.
pub struct StepTrace {
    nodes: Mutex<Vec<NodeTrace>>,
    start: Instant,
    start_nanos: u64,
}

#[derive(Clone)]
pub struct NodeTrace {
    pub node: Arc<Node>,
    /// Nanoseconds since 1970.
    pub start_nanos: u64,
    pub duration_nanos: u64,
    /// A small number per thread.
    pub thread: u32,
    pub outputs: Vec<OutputTrace>,
}

#[derive(Clone)]
pub struct OutputTrace {
    pub slot: u32,
    pub dtype: DataType,
    pub shape: Shape,
    pub bytes: usize,
}

impl Default for StepTrace {
    fn default() -> StepTrace {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        StepTrace {
            nodes: Mutex::default(),
            start: Instant::now(),
            start_nanos: since.as_nanos() as u64,
        }
    }
}

impl StepTrace {
    pub fn new() -> Arc<StepTrace> {
        Arc::default()
    }

    pub(crate) fn record(&self, node: &Arc<Node>, start: Instant, outputs: &Outputs) {
        let duration_nanos = start.elapsed().as_nanos() as u64;
        let offset = start.saturating_duration_since(self.start).as_nanos() as u64;
        let describe = |(slot, value): (usize, &Value)| {
            let tensor = value.tensor()?;
            Some(OutputTrace {
                slot: slot as u32,
                dtype: tensor.dtype(),
                shape: tensor.shape().clone(),
                bytes: tensor.byte_len(),
            })
        };
        self.nodes.lock().push(NodeTrace {
            node: node.clone(),
            start_nanos: self.start_nanos + offset,
            duration_nanos,
            thread: thread_number(),
            outputs: outputs.iter().enumerate().filter_map(describe).collect(),
        });
    }

    /// Everything recorded so far.
    pub fn nodes(&self) -> Vec<NodeTrace> {
        self.nodes.lock().clone()
    }
}

fn thread_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    thread_local! {
        static NUMBER: u32 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|n| *n)
}
