//! `IndexFlatMapDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IndexFlatMapDataset(input_dataset, map_func_other_args, index_map_func_other_args, output_cardinality) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `map_func_other_args`: several, of types `Tmap_func_args`
/// * `index_map_func_other_args`: several, of types `Tindex_map_func_args`
/// * `output_cardinality`: int64
/// * `map_func`: attribute, func
/// * `index_map_func`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn index_flat_map_dataset(input_dataset: &Output, map_func_other_args: &[Output], index_map_func_other_args: &[Output], output_cardinality: &Output, map_func: &Function, index_map_func: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> IndexFlatMapDataset {
    let mut node = NodeBuilder::new("IndexFlatMapDataset").input(input_dataset).list(map_func_other_args).list(index_map_func_other_args).input(output_cardinality);
    node.set("map_func", map_func.clone().into());
    node.set("index_map_func", index_map_func.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    IndexFlatMapDataset(node)
}

/// A `IndexFlatMapDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IndexFlatMapDataset(NodeBuilder);

impl IndexFlatMapDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> IndexFlatMapDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IndexFlatMapDataset {
        IndexFlatMapDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
