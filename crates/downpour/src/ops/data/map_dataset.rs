//! `MapDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MapDataset(input_dataset, other_arguments) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `other_arguments`: several, of types `Targuments`
/// * `f`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn map_dataset(input_dataset: &Output, other_arguments: &[Output], f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> MapDataset {
    let mut node = NodeBuilder::new("MapDataset").input(input_dataset).list(other_arguments);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    MapDataset(node)
}

/// A `MapDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapDataset(NodeBuilder);

impl MapDataset {
    /// The attribute `use_inter_op_parallelism`; `true` unless set.
    pub fn use_inter_op_parallelism(mut self, value: bool) -> MapDataset {
        self.0.set("use_inter_op_parallelism", value.into());
        self
    }

    /// The attribute `preserve_cardinality`; `false` unless set.
    pub fn preserve_cardinality(mut self, value: bool) -> MapDataset {
        self.0.set("preserve_cardinality", value.into());
        self
    }

    /// The attribute `force_synchronous`; `false` unless set.
    pub fn force_synchronous(mut self, value: bool) -> MapDataset {
        self.0.set("force_synchronous", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> MapDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapDataset {
        MapDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
