//! `ExperimentalGroupByWindowDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalGroupByWindowDataset(input_dataset, key_func_other_arguments, reduce_func_other_arguments, window_size_func_other_arguments) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `key_func_other_arguments`: several, of types `Tkey_func_other_arguments`
/// * `reduce_func_other_arguments`: several, of types `Treduce_func_other_arguments`
/// * `window_size_func_other_arguments`: several, of types `Twindow_size_func_other_arguments`
/// * `key_func`: attribute, func
/// * `reduce_func`: attribute, func
/// * `window_size_func`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn experimental_group_by_window_dataset(input_dataset: &Output, key_func_other_arguments: &[Output], reduce_func_other_arguments: &[Output], window_size_func_other_arguments: &[Output], key_func: &Function, reduce_func: &Function, window_size_func: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("ExperimentalGroupByWindowDataset").input(input_dataset).list(key_func_other_arguments).list(reduce_func_other_arguments).list(window_size_func_other_arguments);
    node.set("key_func", key_func.clone().into());
    node.set("reduce_func", reduce_func.clone().into());
    node.set("window_size_func", window_size_func.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
