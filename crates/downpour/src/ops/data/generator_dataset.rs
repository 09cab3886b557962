//! `GeneratorDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GeneratorDataset(init_func_other_args, next_func_other_args, finalize_func_other_args) -> (handle)`.
///
/// * `init_func_other_args`: several, of types `Tinit_func_args`
/// * `next_func_other_args`: several, of types `Tnext_func_args`
/// * `finalize_func_other_args`: several, of types `Tfinalize_func_args`
/// * `init_func`: attribute, func
/// * `next_func`: attribute, func
/// * `finalize_func`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn generator_dataset(graph: &Graph, init_func_other_args: &[Output], next_func_other_args: &[Output], finalize_func_other_args: &[Output], init_func: &Function, next_func: &Function, finalize_func: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> GeneratorDataset {
    let mut node = NodeBuilder::in_graph(graph, "GeneratorDataset").list(init_func_other_args).list(next_func_other_args).list(finalize_func_other_args);
    node.set("init_func", init_func.clone().into());
    node.set("next_func", next_func.clone().into());
    node.set("finalize_func", finalize_func.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    GeneratorDataset(node)
}

/// A `GeneratorDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GeneratorDataset(NodeBuilder);

impl GeneratorDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> GeneratorDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> GeneratorDataset {
        GeneratorDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
