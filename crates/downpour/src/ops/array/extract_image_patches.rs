//! `ExtractImagePatches`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExtractImagePatches(images) -> (patches)`.
///
/// * `images`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128, bool)
/// * `ksizes`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `rates`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `patches`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128, bool)
///
/// Differentiable.
pub fn extract_image_patches(
    images: &Output,
    ksizes: &[i64],
    strides: &[i64],
    rates: &[i64],
    padding: &str,
) -> ForOutput {
    let mut node = NodeBuilder::new("ExtractImagePatches").input(images);
    node.set("ksizes", ksizes.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("rates", rates.to_vec().into());
    node.set("padding", text(padding));
    ForOutput(node)
}
