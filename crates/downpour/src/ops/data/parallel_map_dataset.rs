//! `ParallelMapDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParallelMapDataset(input_dataset, other_arguments, num_parallel_calls) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `other_arguments`: several, of types `Targuments`
/// * `num_parallel_calls`: int32
/// * `f`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn parallel_map_dataset(input_dataset: &Output, other_arguments: &[Output], num_parallel_calls: &Output, f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ParallelMapDataset {
    let mut node = NodeBuilder::new("ParallelMapDataset").input(input_dataset).list(other_arguments).input(num_parallel_calls);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ParallelMapDataset(node)
}

/// A `ParallelMapDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParallelMapDataset(NodeBuilder);

impl ParallelMapDataset {
    /// The attribute `use_inter_op_parallelism`; `true` unless set.
    pub fn use_inter_op_parallelism(mut self, value: bool) -> ParallelMapDataset {
        self.0.set("use_inter_op_parallelism", value.into());
        self
    }

    /// The attribute `sloppy`; `false` unless set.
    pub fn sloppy(mut self, value: bool) -> ParallelMapDataset {
        self.0.set("sloppy", value.into());
        self
    }

    /// The attribute `preserve_cardinality`; `false` unless set.
    pub fn preserve_cardinality(mut self, value: bool) -> ParallelMapDataset {
        self.0.set("preserve_cardinality", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ParallelMapDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ParallelMapDataset {
        ParallelMapDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
