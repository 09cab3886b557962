//! `DecodeCSV`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeCSV(records, record_defaults) -> (output)`.
///
/// * `records`: string
/// * `record_defaults`: several, of types `OUT_TYPE`
/// * gives `output`: several, of types `OUT_TYPE`
///
/// Gradients do not flow through it.
pub fn decode_csv(records: &Output, record_defaults: &[Output]) -> DecodeCSV {
    let node = NodeBuilder::new("DecodeCSV").input(records).list(record_defaults);
    DecodeCSV(node)
}

/// A `DecodeCSV` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeCSV(NodeBuilder);

impl DecodeCSV {
    /// The attribute `field_delim`; `","` unless set.
    pub fn field_delim(mut self, value: &str) -> DecodeCSV {
        self.0.set("field_delim", text(value));
        self
    }

    /// The attribute `use_quote_delim`; `true` unless set.
    pub fn use_quote_delim(mut self, value: bool) -> DecodeCSV {
        self.0.set("use_quote_delim", value.into());
        self
    }

    /// The attribute `na_value`; `""` unless set.
    pub fn na_value(mut self, value: &str) -> DecodeCSV {
        self.0.set("na_value", text(value));
        self
    }

    /// The attribute `select_cols`; an empty list unless set.
    pub fn select_cols(mut self, value: &[i64]) -> DecodeCSV {
        self.0.set("select_cols", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeCSV {
        DecodeCSV(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
