//! `LookupTableExport`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LookupTableExport(table_handle) -> (keys, values)`.
///
/// * `table_handle`: string, a reference
/// * `Tkeys`: attribute, type
/// * `Tvalues`: attribute, type
/// * gives `keys`: `Tkeys` (any type)
/// * gives `values`: `Tvalues` (any type)
///
/// Gradients do not flow through it.
pub fn lookup_table_export(
    table_handle: &Output,
    tkeys: DataType,
    tvalues: DataType,
) -> LookupTableExport {
    let mut node = NodeBuilder::new("LookupTableExport").input(table_handle);
    node.set("Tkeys", tkeys.into());
    node.set("Tvalues", tvalues.into());
    LookupTableExport(node)
}

/// A `LookupTableExport` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LookupTableExport(NodeBuilder);

impl LookupTableExport {
    /// Names the node.
    pub fn name(self, name: &str) -> LookupTableExport {
        LookupTableExport(self.0.name(name))
    }

    /// Adds the node and gives (`keys`, `values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
