//! `SaveDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SaveDatasetV2(input_dataset, path, shard_func_other_args) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `path`: string
/// * `shard_func_other_args`: several, of types `Tshard_func_args`
/// * `shard_func`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn save_dataset_v2(input_dataset: &Output, path: &Output, shard_func_other_args: &[Output], shard_func: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> SaveDatasetV2 {
    let mut node = NodeBuilder::new("SaveDatasetV2").input(input_dataset).input(path).list(shard_func_other_args);
    node.set("shard_func", shard_func.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    SaveDatasetV2(node)
}

/// A `SaveDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SaveDatasetV2(NodeBuilder);

impl SaveDatasetV2 {
    /// The attribute `compression`; `""` unless set.
    pub fn compression(mut self, value: &str) -> SaveDatasetV2 {
        self.0.set("compression", text(value));
        self
    }

    /// The attribute `use_shard_func`; `true` unless set.
    pub fn use_shard_func(mut self, value: bool) -> SaveDatasetV2 {
        self.0.set("use_shard_func", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SaveDatasetV2 {
        SaveDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
