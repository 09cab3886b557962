//! `ExperimentalThreadPoolHandle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalThreadPoolHandle() -> (handle)`.
///
/// * `num_threads`: attribute, int
/// * `display_name`: attribute, string
/// * gives `handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn experimental_thread_pool_handle(graph: &Graph, num_threads: i64, display_name: &str) -> ExperimentalThreadPoolHandle {
    let mut node = NodeBuilder::in_graph(graph, "ExperimentalThreadPoolHandle");
    node.set("num_threads", num_threads.into());
    node.set("display_name", text(display_name));
    ExperimentalThreadPoolHandle(node)
}

/// A `ExperimentalThreadPoolHandle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExperimentalThreadPoolHandle(NodeBuilder);

impl ExperimentalThreadPoolHandle {
    /// The attribute `max_intra_op_parallelism`; `1` unless set.
    pub fn max_intra_op_parallelism(mut self, value: i64) -> ExperimentalThreadPoolHandle {
        self.0.set("max_intra_op_parallelism", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> ExperimentalThreadPoolHandle {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> ExperimentalThreadPoolHandle {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExperimentalThreadPoolHandle {
        ExperimentalThreadPoolHandle(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
