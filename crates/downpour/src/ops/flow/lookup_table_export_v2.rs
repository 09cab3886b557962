//! `LookupTableExportV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LookupTableExportV2(table_handle) -> (keys, values)`.
///
/// * `table_handle`: resource
/// * `Tkeys`: attribute, type
/// * `Tvalues`: attribute, type
/// * gives `keys`: `Tkeys` (any type)
/// * gives `values`: `Tvalues` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_export_v2(
    table_handle: &Output,
    tkeys: DataType,
    tvalues: DataType,
) -> LookupTableExportV2 {
    let mut node = NodeBuilder::new("LookupTableExportV2").input(table_handle);
    node.set("Tkeys", tkeys.into());
    node.set("Tvalues", tvalues.into());
    LookupTableExportV2(node)
}

/// A `LookupTableExportV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LookupTableExportV2(NodeBuilder);

impl LookupTableExportV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> LookupTableExportV2 {
        LookupTableExportV2(self.0.name(name))
    }

    /// Adds the node and gives (`keys`, `values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
