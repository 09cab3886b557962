//! `ExtractVolumePatches`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExtractVolumePatches(input) -> (patches)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksizes`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `patches`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn extract_volume_patches(
    input: &Output,
    ksizes: &[i64],
    strides: &[i64],
    padding: &str,
) -> ForOutput {
    let mut node = NodeBuilder::new("ExtractVolumePatches").input(input);
    node.set("ksizes", ksizes.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    ForOutput(node)
}
