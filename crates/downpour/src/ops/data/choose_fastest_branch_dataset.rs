//! `ChooseFastestBranchDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ChooseFastestBranchDataset(input_dataset, ratio_numerator, ratio_denominator, other_arguments) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `ratio_numerator`: int64
/// * `ratio_denominator`: int64
/// * `other_arguments`: several, of types `Targuments`
/// * `num_elements_per_branch`: attribute, int, at least 1
/// * `branches`: attribute, list(func), at least 1 long
/// * `other_arguments_lengths`: attribute, list(int), at least 1 long
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn choose_fastest_branch_dataset(input_dataset: &Output, ratio_numerator: &Output, ratio_denominator: &Output, other_arguments: &[Output], num_elements_per_branch: i64, branches: &[Function], other_arguments_lengths: &[i64], output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("ChooseFastestBranchDataset").input(input_dataset).input(ratio_numerator).input(ratio_denominator).list(other_arguments);
    node.set("num_elements_per_branch", num_elements_per_branch.into());
    node.set("branches", branches.to_vec().into());
    node.set("other_arguments_lengths", other_arguments_lengths.to_vec().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
