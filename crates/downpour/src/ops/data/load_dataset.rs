//! `LoadDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LoadDataset(path, reader_func_other_args) -> (handle)`.
///
/// * `path`: string
/// * `reader_func_other_args`: several, of types `Treader_func_args`
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * `reader_func`: attribute, func
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn load_dataset(path: &Output, reader_func_other_args: &[Output], output_types: &[DataType], output_shapes: &[PartialShape], reader_func: &Function) -> LoadDataset {
    let mut node = NodeBuilder::new("LoadDataset").input(path).list(reader_func_other_args);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    node.set("reader_func", reader_func.clone().into());
    LoadDataset(node)
}

/// A `LoadDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LoadDataset(NodeBuilder);

impl LoadDataset {
    /// The attribute `compression`; `""` unless set.
    pub fn compression(mut self, value: &str) -> LoadDataset {
        self.0.set("compression", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LoadDataset {
        LoadDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
