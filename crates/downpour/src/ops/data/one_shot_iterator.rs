//! `OneShotIterator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OneShotIterator() -> (handle)`.
///
/// * `dataset_factory`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn one_shot_iterator(graph: &Graph, dataset_factory: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> OneShotIterator {
    let mut node = NodeBuilder::in_graph(graph, "OneShotIterator");
    node.set("dataset_factory", dataset_factory.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    OneShotIterator(node)
}

/// A `OneShotIterator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OneShotIterator(NodeBuilder);

impl OneShotIterator {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OneShotIterator {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OneShotIterator {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OneShotIterator {
        OneShotIterator(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
