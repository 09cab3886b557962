//! `ExperimentalParseExampleDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalParseExampleDataset(input_dataset, num_parallel_calls, dense_defaults) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `num_parallel_calls`: int64
/// * `dense_defaults`: several, of types `Tdense`
/// * `sparse_keys`: attribute, list(string), at least 0 long
/// * `dense_keys`: attribute, list(string), at least 0 long
/// * `sparse_types`: attribute, list(type), at least 0 long, one of float, int64, string
/// * `dense_shapes`: attribute, list(shape), at least 0 long
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn experimental_parse_example_dataset(input_dataset: &Output, num_parallel_calls: &Output, dense_defaults: &[Output], sparse_keys: &[&str], dense_keys: &[&str], sparse_types: &[DataType], dense_shapes: &[PartialShape], output_types: &[DataType], output_shapes: &[PartialShape]) -> ExperimentalParseExampleDataset {
    let mut node = NodeBuilder::new("ExperimentalParseExampleDataset").input(input_dataset).input(num_parallel_calls).list(dense_defaults);
    node.set("sparse_keys", texts(sparse_keys));
    node.set("dense_keys", texts(dense_keys));
    node.set("sparse_types", sparse_types.to_vec().into());
    node.set("dense_shapes", dense_shapes.to_vec().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ExperimentalParseExampleDataset(node)
}

/// A `ExperimentalParseExampleDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExperimentalParseExampleDataset(NodeBuilder);

impl ExperimentalParseExampleDataset {
    /// The attribute `sloppy`; `false` unless set.
    pub fn sloppy(mut self, value: bool) -> ExperimentalParseExampleDataset {
        self.0.set("sloppy", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExperimentalParseExampleDataset {
        ExperimentalParseExampleDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
