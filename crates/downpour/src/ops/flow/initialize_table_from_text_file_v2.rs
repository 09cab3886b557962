//! `InitializeTableFromTextFileV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `InitializeTableFromTextFileV2(table_handle, filename) -> ()`.
///
/// * `table_handle`: resource
/// * `filename`: string
/// * `key_index`: attribute, int, at least -2
/// * `value_index`: attribute, int, at least -2
///
/// Gradients do not flow through it. Has state or effects.
pub fn initialize_table_from_text_file_v2(
    table_handle: &Output,
    filename: &Output,
    key_index: i64,
    value_index: i64,
) -> InitializeTableFromTextFileV2 {
    let mut node =
        NodeBuilder::new("InitializeTableFromTextFileV2").input(table_handle).input(filename);
    node.set("key_index", key_index.into());
    node.set("value_index", value_index.into());
    InitializeTableFromTextFileV2(node)
}

/// A `InitializeTableFromTextFileV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct InitializeTableFromTextFileV2(NodeBuilder);

impl InitializeTableFromTextFileV2 {
    /// The attribute `vocab_size`; `-1` unless set.
    pub fn vocab_size(mut self, value: i64) -> InitializeTableFromTextFileV2 {
        self.0.set("vocab_size", value.into());
        self
    }

    /// The attribute `delimiter`; `"\t"` unless set.
    pub fn delimiter(mut self, value: &str) -> InitializeTableFromTextFileV2 {
        self.0.set("delimiter", text(value));
        self
    }

    /// The attribute `offset`; `0` unless set.
    pub fn offset(mut self, value: i64) -> InitializeTableFromTextFileV2 {
        self.0.set("offset", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> InitializeTableFromTextFileV2 {
        InitializeTableFromTextFileV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
