//! `ResourceConditionalAccumulator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceConditionalAccumulator() -> (handle)`.
///
/// * `dtype`: attribute, type, one of float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64
/// * `shape`: attribute, shape
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_conditional_accumulator(
    graph: &Graph,
    dtype: DataType,
    shape: &PartialShape,
) -> ResourceConditionalAccumulator {
    let mut node = NodeBuilder::in_graph(graph, "ResourceConditionalAccumulator");
    node.set("dtype", dtype.into());
    node.set("shape", shape.clone().into());
    ResourceConditionalAccumulator(node)
}

/// A `ResourceConditionalAccumulator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceConditionalAccumulator(NodeBuilder);

impl ResourceConditionalAccumulator {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> ResourceConditionalAccumulator {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> ResourceConditionalAccumulator {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `reduction_type`; `"MEAN"` unless set.
    pub fn reduction_type(mut self, value: &str) -> ResourceConditionalAccumulator {
        self.0.set("reduction_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceConditionalAccumulator {
        ResourceConditionalAccumulator(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
