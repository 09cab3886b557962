//! `LoadAndRemapMatrix`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LoadAndRemapMatrix(ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values) -> (output_matrix)`.
///
/// * `ckpt_path`: string
/// * `old_tensor_name`: string
/// * `row_remapping`: int64
/// * `col_remapping`: int64
/// * `initializing_values`: float
/// * `num_rows`: attribute, int, at least 0
/// * `num_cols`: attribute, int, at least 1
/// * gives `output_matrix`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn load_and_remap_matrix(
    ckpt_path: &Output,
    old_tensor_name: &Output,
    row_remapping: &Output,
    col_remapping: &Output,
    initializing_values: &Output,
    num_rows: i64,
    num_cols: i64,
) -> LoadAndRemapMatrix {
    let mut node = NodeBuilder::new("LoadAndRemapMatrix")
        .input(ckpt_path)
        .input(old_tensor_name)
        .input(row_remapping)
        .input(col_remapping)
        .input(initializing_values);
    node.set("num_rows", num_rows.into());
    node.set("num_cols", num_cols.into());
    LoadAndRemapMatrix(node)
}

/// A `LoadAndRemapMatrix` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LoadAndRemapMatrix(NodeBuilder);

impl LoadAndRemapMatrix {
    /// The attribute `max_rows_in_memory`; `-1` unless set.
    pub fn max_rows_in_memory(mut self, value: i64) -> LoadAndRemapMatrix {
        self.0.set("max_rows_in_memory", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LoadAndRemapMatrix {
        LoadAndRemapMatrix(self.0.name(name))
    }

    /// Adds the node and gives `output_matrix`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
