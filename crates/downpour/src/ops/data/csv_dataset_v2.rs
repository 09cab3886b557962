//! `CSVDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CSVDatasetV2(filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults, exclude_cols) -> (handle)`.
///
/// * `filenames`: string
/// * `compression_type`: string
/// * `buffer_size`: int64
/// * `header`: bool
/// * `field_delim`: string
/// * `use_quote_delim`: bool
/// * `na_value`: string
/// * `select_cols`: int64
/// * `record_defaults`: several, of types `output_types`
/// * `exclude_cols`: int64
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn csv_dataset_v2(filenames: &Output, compression_type: &Output, buffer_size: &Output, header: &Output, field_delim: &Output, use_quote_delim: &Output, na_value: &Output, select_cols: &Output, record_defaults: &[Output], exclude_cols: &Output, output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("CSVDatasetV2").input(filenames).input(compression_type).input(buffer_size).input(header).input(field_delim).input(use_quote_delim).input(na_value).input(select_cols).list(record_defaults).input(exclude_cols);
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
