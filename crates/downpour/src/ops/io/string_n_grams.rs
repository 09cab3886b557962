//! `StringNGrams`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringNGrams(data, data_splits) -> (ngrams, ngrams_splits)`.
///
/// * `data`: string
/// * `data_splits`: `Tsplits` (int32, int64)
/// * `separator`: attribute, string
/// * `ngram_widths`: attribute, list(int), at least 0 long
/// * `left_pad`: attribute, string
/// * `right_pad`: attribute, string
/// * `pad_width`: attribute, int
/// * `preserve_short_sequences`: attribute, bool
/// * gives `ngrams`: string
/// * gives `ngrams_splits`: `Tsplits` (int32, int64)
///
/// Gradients do not flow through it.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn string_n_grams(
    data: &Output,
    data_splits: &Output,
    separator: &str,
    ngram_widths: &[i64],
    left_pad: &str,
    right_pad: &str,
    pad_width: i64,
    preserve_short_sequences: bool,
) -> StringNGrams {
    let mut node = NodeBuilder::new("StringNGrams").input(data).input(data_splits);
    node.set("separator", text(separator));
    node.set("ngram_widths", ngram_widths.to_vec().into());
    node.set("left_pad", text(left_pad));
    node.set("right_pad", text(right_pad));
    node.set("pad_width", pad_width.into());
    node.set("preserve_short_sequences", preserve_short_sequences.into());
    StringNGrams(node)
}

/// A `StringNGrams` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringNGrams(NodeBuilder);

impl StringNGrams {
    /// Names the node.
    pub fn name(self, name: &str) -> StringNGrams {
        StringNGrams(self.0.name(name))
    }

    /// Adds the node and gives (`ngrams`, `ngrams_splits`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
