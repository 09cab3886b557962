//! `ExperimentalGroupByReducerDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalGroupByReducerDataset(input_dataset, key_func_other_arguments, init_func_other_arguments, reduce_func_other_arguments, finalize_func_other_arguments) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `key_func_other_arguments`: several, of types `Tkey_func_other_arguments`
/// * `init_func_other_arguments`: several, of types `Tinit_func_other_arguments`
/// * `reduce_func_other_arguments`: several, of types `Treduce_func_other_arguments`
/// * `finalize_func_other_arguments`: several, of types `Tfinalize_func_other_arguments`
/// * `key_func`: attribute, func
/// * `init_func`: attribute, func
/// * `reduce_func`: attribute, func
/// * `finalize_func`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn experimental_group_by_reducer_dataset(input_dataset: &Output, key_func_other_arguments: &[Output], init_func_other_arguments: &[Output], reduce_func_other_arguments: &[Output], finalize_func_other_arguments: &[Output], key_func: &Function, init_func: &Function, reduce_func: &Function, finalize_func: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("ExperimentalGroupByReducerDataset").input(input_dataset).list(key_func_other_arguments).list(init_func_other_arguments).list(reduce_func_other_arguments).list(finalize_func_other_arguments);
    node.set("key_func", key_func.clone().into());
    node.set("init_func", init_func.clone().into());
    node.set("reduce_func", reduce_func.clone().into());
    node.set("finalize_func", finalize_func.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
