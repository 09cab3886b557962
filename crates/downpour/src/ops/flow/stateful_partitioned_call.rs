//! `StatefulPartitionedCall`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatefulPartitionedCall(args) -> (output)`.
///
/// * `args`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `f`: attribute, func
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient. Has state or effects.
pub fn stateful_partitioned_call(
    graph: &Graph,
    args: &[Output],
    tout: &[DataType],
    f: &Function,
) -> StatefulPartitionedCall {
    let mut node = NodeBuilder::in_graph(graph, "StatefulPartitionedCall").list(args);
    node.set("Tout", tout.to_vec().into());
    node.set("f", f.clone().into());
    StatefulPartitionedCall(node)
}

/// A `StatefulPartitionedCall` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulPartitionedCall(NodeBuilder);

impl StatefulPartitionedCall {
    /// The attribute `config`; `""` unless set.
    pub fn config(mut self, value: &str) -> StatefulPartitionedCall {
        self.0.set("config", text(value));
        self
    }

    /// The attribute `config_proto`; `""` unless set.
    pub fn config_proto(mut self, value: &str) -> StatefulPartitionedCall {
        self.0.set("config_proto", text(value));
        self
    }

    /// The attribute `executor_type`; `""` unless set.
    pub fn executor_type(mut self, value: &str) -> StatefulPartitionedCall {
        self.0.set("executor_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulPartitionedCall {
        StatefulPartitionedCall(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
