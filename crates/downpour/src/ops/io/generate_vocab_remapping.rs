//! `GenerateVocabRemapping`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GenerateVocabRemapping(new_vocab_file, old_vocab_file) -> (remapping, num_present)`.
///
/// * `new_vocab_file`: string
/// * `old_vocab_file`: string
/// * `new_vocab_offset`: attribute, int, at least 0
/// * `num_new_vocab`: attribute, int, at least 0
/// * gives `remapping`: int64
/// * gives `num_present`: int32
///
/// Gradients do not flow through it.
pub fn generate_vocab_remapping(
    new_vocab_file: &Output,
    old_vocab_file: &Output,
    new_vocab_offset: i64,
    num_new_vocab: i64,
) -> GenerateVocabRemapping {
    let mut node =
        NodeBuilder::new("GenerateVocabRemapping").input(new_vocab_file).input(old_vocab_file);
    node.set("new_vocab_offset", new_vocab_offset.into());
    node.set("num_new_vocab", num_new_vocab.into());
    GenerateVocabRemapping(node)
}

/// A `GenerateVocabRemapping` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GenerateVocabRemapping(NodeBuilder);

impl GenerateVocabRemapping {
    /// The attribute `old_vocab_size`; `-1` unless set.
    pub fn old_vocab_size(mut self, value: i64) -> GenerateVocabRemapping {
        self.0.set("old_vocab_size", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> GenerateVocabRemapping {
        GenerateVocabRemapping(self.0.name(name))
    }

    /// Adds the node and gives (`remapping`, `num_present`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
