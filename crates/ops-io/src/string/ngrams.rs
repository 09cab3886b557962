//! StringNGrams: runs of neighbouring strings of a ragged tensor, joined.

use bytes::Bytes;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, CountedVec, DataType, Result, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StringNGrams(data: string, data_splits: Tsplits) -> (ngrams: string, ngrams_splits: Tsplits)
                separator: string
                ngram_widths: list(int) >= 0
                left_pad: string
                right_pad: string
                pad_width: int
                preserve_short_sequences: bool
                Tsplits: {int32, int64} = int64",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            Ok(KernelBox::new(NGrams {
                separator: build.bytes("separator")?,
                widths: build.ints("ngram_widths")?,
                left_pad: build.bytes("left_pad")?,
                right_pad: build.bytes("right_pad")?,
                pad_width: usize::try_from(build.int("pad_width")?).ok(),
                preserve_short: build.bool("preserve_short_sequences")?,
            }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 1)?;
    let splits = cx.with_rank(1, 1)?;
    cx.set_output(0, PartialShape::vector(None));
    cx.set_output(1, splits);
    Ok(())
}

/// More tokens than this in one result are a mistake in a width, and would exhaust the memory.
const LARGEST: usize = 1 << 28;

struct NGrams {
    separator: Bytes,
    widths: Vec<i64>,
    left_pad: Bytes,
    right_pad: Bytes,
    /// None: as much as the width asks for.
    pad_width: Option<usize>,
    preserve_short: bool,
}

impl Kernel for NGrams {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let data = cx.input(0).strings()?;
        let splits = cx.input(1).to_i64_vec()?;
        let widths = self
            .widths
            .iter()
            .map(|&width| usize::try_from(width).ok().filter(|&width| width > 0))
            .collect::<Option<Vec<usize>>>()
            .ok_or_else(|| Status::invalid_argument("ngram_widths must contain positive values"))?;
        check_splits(&splits, data.len())?;
        let mut ngrams = CountedVec::new();
        let mut out_splits = splits.clone();
        out_splits.iter_mut().take(1).for_each(|first| *first = 0);
        let mut budget = LARGEST;
        for (i, ends) in splits.windows(2).enumerate() {
            if !data.is_empty() {
                let tokens = &data[ends[0] as usize..ends[1] as usize];
                self.sequence(tokens, &widths, &mut budget, &mut ngrams)?;
            }
            out_splits[i + 1] = ngrams.len() as i64;
        }
        let narrow = cx.input(1).dtype() == DataType::Int32;
        let out_splits = if narrow {
            let narrowed = out_splits
                .iter()
                .map(|&s| i32::try_from(s))
                .collect::<std::result::Result<Vec<_>, _>>();
            Tensor::vector(&narrowed.map_err(|_| {
                Status::invalid_argument("StringNGrams: there are too many ngrams for int32 splits")
            })?)?
        } else {
            Tensor::vector(&out_splits)?
        };
        cx.set_output(0, Tensor::from_counted([ngrams.len()], ngrams)?);
        cx.set_output(1, out_splits.into_shape(cx.input(1).shape())?);
        Ok(())
    }
}

/// Takes `count` ngrams of `width` tokens from what may still be made.
fn charge(budget: &mut usize, count: usize, width: usize) -> Result<()> {
    let left = count.checked_mul(width).and_then(|tokens| budget.checked_sub(tokens));
    *budget = left.ok_or_else(|| {
        Status::resource_exhausted(format!(
            "StringNGrams: the result would have more than {LARGEST} tokens"
        ))
    })?;
    Ok(())
}

fn check_splits(splits: &[i64], size: usize) -> Result<()> {
    let (Some(&first), Some(&last)) = (splits.first(), splits.last()) else { return Ok(()) };
    if first != 0 {
        return Err(Status::invalid_argument(format!("First split value must be 0, got {first}")));
    }
    if let Some(pair) = splits.windows(2).find(|w| w[1] < w[0] || w[1] > size as i64) {
        return Err(Status::invalid_argument(format!(
            "Invalid split value {}, must be in [{}, {size}]",
            pair[1], pair[0]
        )));
    }
    if last != size as i64 {
        return Err(Status::invalid_argument(format!(
            "Last split value must be data size. Expected {size}, got {last}"
        )));
    }
    Ok(())
}

impl NGrams {
    /// All ngrams of one sequence.
    fn sequence(
        &self,
        tokens: &[ByteString],
        widths: &[usize],
        budget: &mut usize,
        out: &mut CountedVec<ByteString>,
    ) -> Result<()> {
        let before = out.len();
        for &width in widths {
            let pad = self.pad_width.unwrap_or(width - 1).min(width - 1);
            if pad > (i32::MAX as usize / 2).saturating_sub(tokens.len()) {
                return Err(Status::invalid_argument(format!(
                    "Pad width could lead to integer overflow, got pad_width = {pad}"
                )));
            }
            let count = (tokens.len() + 2 * pad + 1).saturating_sub(width);
            charge(budget, count, width)?;
            for i in 0..count {
                out.push(self.ngram(tokens, i, count, width, pad)?)?;
            }
        }
        if self.preserve_short && out.len() == before && !tokens.is_empty() {
            let Some(pad) = self.pad_width else {
                return Err(Status::invalid_argument(
                    "Pad width should be >= 0 when preserve_short_sequences is True and ngram_widths are not provided, got -1",
                ));
            };
            let width = pad.saturating_mul(2).saturating_add(tokens.len());
            let pad = pad.min(width - 1);
            charge(budget, 1, width)?;
            out.push(self.ngram(tokens, 0, 1, width, pad)?)?;
        }
        Ok(())
    }

    /// Ngram `i` of `count`.
    fn ngram(
        &self,
        tokens: &[ByteString],
        i: usize,
        count: usize,
        width: usize,
        pad: usize,
    ) -> Result<ByteString> {
        let left = pad.saturating_sub(i);
        let right = pad.saturating_sub(count - 1 - i);
        let middle = width.saturating_sub(left.saturating_add(right));
        let start = i.saturating_sub(pad);
        let shown = &tokens[start..(start + middle).min(tokens.len())];
        let parts = std::iter::repeat_n(&self.left_pad[..], left)
            .chain(shown.iter().map(|token| &token[..]))
            .chain(std::iter::repeat_n(&self.right_pad[..], right));
        ByteString::joined(parts, &self.separator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn ngrams(
        data: &[&'static str],
        splits: &[i64],
        widths: &[i64],
        pad: i64,
        short: bool,
    ) -> Result<(Vec<ByteString>, Vec<i64>)> {
        let data: Vec<ByteString> = data.iter().map(|&d| d.into()).collect();
        let out = OpTest::new(register, "StringNGrams")
            .attr("separator", "|")
            .attr("left_pad", "L")
            .attr("right_pad", "R")
            .attr("ngram_widths", widths.to_vec())
            .attr("pad_width", pad)
            .attr("preserve_short_sequences", short)
            .input(Tensor::from_strings([data.len()], data).unwrap())
            .input(Tensor::vector(splits).unwrap())
            .run()?;
        Ok((out[0].strings()?.to_vec(), out[1].as_slice::<i64>()?.to_vec()))
    }

    #[test]
    fn ngrams_agree_with_tensorflow() {
        let letters = ["a", "b", "c", "d"];
        let (texts, splits) = ngrams(&letters, &[0, 3, 4], &[2], -1, false).unwrap();
        assert_eq!(texts, ["L|a", "a|b", "b|c", "c|R", "L|d", "d|R"]);
        assert_eq!(splits, [0, 4, 6]);
        let (texts, splits) = ngrams(&letters, &[0, 3, 4], &[3, 2], 0, true).unwrap();
        assert_eq!(texts, ["a|b|c", "a|b", "b|c", "d"]);
        assert_eq!(splits, [0, 3, 4]);
        let (texts, _) = ngrams(&["a"], &[0, 0, 1], &[5], 1, true).unwrap();
        assert_eq!(texts, ["L|a|R"]);
        let (texts, _) = ngrams(&["a"], &[0, 1], &[5], 4, false).unwrap();
        let all = ["L|L|L|L|a", "L|L|L|a|R", "L|L|a|R|R", "L|a|R|R|R", "a|R|R|R|R"];
        assert_eq!(texts, all);
        assert_eq!(ngrams(&[], &[0, 0, 0], &[2], -1, false).unwrap().1, [0, 0, 0]);
    }

    #[test]
    fn bad_input_is_refused() {
        assert!(ngrams(&["a"], &[1, 1], &[2], 0, false).is_err());
        assert!(ngrams(&["a"], &[0, 2], &[2], 0, false).is_err());
        assert!(ngrams(&["a"], &[0, 0], &[2], 0, false).is_err());
        assert!(ngrams(&["a"], &[0, 1], &[0], 0, false).is_err());
        assert!(ngrams(&["a"], &[0, 1], &[1 << 40], -1, false).is_err());
        assert!(ngrams(&["a"], &[0, 1], &[1 << 29], -1, false).is_err());
        assert!(ngrams(&["a"], &[0, 1], &[], -1, true).is_err());
    }
}
