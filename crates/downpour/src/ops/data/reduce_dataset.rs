//! `ReduceDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReduceDataset(input_dataset, initial_state, other_arguments) -> (components)`.
///
/// * `input_dataset`: variant
/// * `initial_state`: several, of types `Tstate`
/// * `other_arguments`: several, of types `Targuments`
/// * `f`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `components`: several, of types `output_types`
///
/// Gradients do not flow through it. Has state or effects.
pub fn reduce_dataset(input_dataset: &Output, initial_state: &[Output], other_arguments: &[Output], f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ReduceDataset {
    let mut node = NodeBuilder::new("ReduceDataset").input(input_dataset).list(initial_state).list(other_arguments);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ReduceDataset(node)
}

/// A `ReduceDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ReduceDataset(NodeBuilder);

impl ReduceDataset {
    /// The attribute `use_inter_op_parallelism`; `true` unless set.
    pub fn use_inter_op_parallelism(mut self, value: bool) -> ReduceDataset {
        self.0.set("use_inter_op_parallelism", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ReduceDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ReduceDataset {
        ReduceDataset(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
