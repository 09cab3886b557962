//! `ParallelMapDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParallelMapDatasetV2(input_dataset, other_arguments, num_parallel_calls) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `other_arguments`: several, of types `Targuments`
/// * `num_parallel_calls`: int64
/// * `f`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn parallel_map_dataset_v2(input_dataset: &Output, other_arguments: &[Output], num_parallel_calls: &Output, f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ParallelMapDatasetV2 {
    let mut node = NodeBuilder::new("ParallelMapDatasetV2").input(input_dataset).list(other_arguments).input(num_parallel_calls);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ParallelMapDatasetV2(node)
}

/// A `ParallelMapDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParallelMapDatasetV2(NodeBuilder);

impl ParallelMapDatasetV2 {
    /// The attribute `use_inter_op_parallelism`; `true` unless set.
    pub fn use_inter_op_parallelism(mut self, value: bool) -> ParallelMapDatasetV2 {
        self.0.set("use_inter_op_parallelism", value.into());
        self
    }

    /// The attribute `deterministic`; `"default"` unless set.
    pub fn deterministic(mut self, value: &str) -> ParallelMapDatasetV2 {
        self.0.set("deterministic", text(value));
        self
    }

    /// The attribute `preserve_cardinality`; `false` unless set.
    pub fn preserve_cardinality(mut self, value: bool) -> ParallelMapDatasetV2 {
        self.0.set("preserve_cardinality", value.into());
        self
    }

    /// The attribute `use_unbounded_threadpool`; `false` unless set.
    pub fn use_unbounded_threadpool(mut self, value: bool) -> ParallelMapDatasetV2 {
        self.0.set("use_unbounded_threadpool", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ParallelMapDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ParallelMapDatasetV2 {
        ParallelMapDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
