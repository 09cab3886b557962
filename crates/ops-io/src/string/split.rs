//! StringSplit and StringSplitV2: the words of each string, as a sparse matrix.

use bytes::Bytes;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::elements::is_space;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StringSplit(input: string, delimiter: string) -> (indices: int64, values: string, shape: int64)
                skip_empty: bool = true",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Split::AnyOf { skip_empty: build.bool("skip_empty")? })),
    )?;
    registry.add(
        OpSpec::new(
            "StringSplitV2(input: string, sep: string) -> (indices: int64, values: string, shape: int64)
                maxsplit: int = -1",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            let limit = usize::try_from(build.int("maxsplit")?).ok();
            Ok(KernelBox::new(Split::Whole { limit }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 1)?;
    cx.with_rank(1, 0)?;
    cx.set_output(0, PartialShape::matrix(None, Some(2)));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, PartialShape::vector(Some(2)));
    Ok(())
}

enum Split {
    /// At each byte of the delimiter; at every byte if it is empty.
    AnyOf { skip_empty: bool },
    /// At the whole separator, or at white space if it is empty; at most `limit` times.
    Whole { limit: Option<usize> },
}

impl Kernel for Split {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let texts = cx.input(0);
        if texts.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "input must be a vector, got shape: {}",
                texts.shape()
            )));
        }
        let delimiter = cx.scalar_input(1)?.strings()?[0].clone();
        let (mut indices, mut values, mut widest) = (Vec::new(), Vec::new(), 0);
        for (row, text) in texts.strings()?.iter().enumerate() {
            let words = match self {
                Split::AnyOf { skip_empty } => any_of(text, &delimiter, *skip_empty),
                Split::Whole { limit } if delimiter.is_empty() => white_space(text, *limit),
                Split::Whole { limit } => whole(text, &delimiter, *limit),
            };
            widest = widest.max(words.len());
            for (column, word) in words.into_iter().enumerate() {
                indices.extend([row as i64, column as i64]);
                values.push(text.slice_ref(word));
            }
        }
        let shape = [texts.len() as i64, widest as i64];
        cx.set_output(0, Tensor::from_vec([values.len(), 2], indices)?);
        cx.set_output(1, Tensor::from_strings([values.len()], values)?);
        cx.set_output(2, Tensor::vector(&shape)?);
        Ok(())
    }
}

fn any_of<'a>(text: &'a Bytes, delimiters: &[u8], skip_empty: bool) -> Vec<&'a [u8]> {
    if text.is_empty() {
        return Vec::new();
    }
    if delimiters.is_empty() {
        return text.chunks(1).collect();
    }
    let words = text.split(|b| delimiters.contains(b));
    words.filter(|word| !skip_empty || !word.is_empty()).collect()
}

fn white_space(text: &[u8], limit: Option<usize>) -> Vec<&[u8]> {
    if limit == Some(0) {
        return vec![text];
    }
    let mut words = Vec::new();
    let mut rest = without_leading_space(text);
    while !rest.is_empty() {
        let end = rest.iter().position(|&b| is_space(b)).unwrap_or(rest.len());
        words.push(&rest[..end]);
        rest = without_leading_space(&rest[end..]);
        if limit == Some(words.len()) {
            words.push(rest);
            break;
        }
    }
    words
}

fn without_leading_space(text: &[u8]) -> &[u8] {
    &text[text.iter().position(|&b| !is_space(b)).unwrap_or(text.len())..]
}

fn whole<'a>(text: &'a [u8], separator: &[u8], limit: Option<usize>) -> Vec<&'a [u8]> {
    let mut words = Vec::new();
    let mut rest = text;
    while limit != Some(words.len()) {
        let found = rest.windows(separator.len()).position(|window| window == separator);
        let Some(at) = found else { break };
        words.push(&rest[..at]);
        rest = &rest[at + separator.len()..];
    }
    words.push(rest);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn words(op: &str, texts: &[&'static str], delimiter: &'static str, limit: i64) -> Vec<Tensor> {
        let texts: Vec<Bytes> = texts.iter().map(|&t| t.into()).collect();
        let mut test = OpTest::new(register, op);
        if op == "StringSplitV2" {
            test = test.attr("maxsplit", limit);
        }
        test.input(Tensor::from_strings([texts.len()], texts).unwrap())
            .input(Tensor::string(delimiter))
            .run()
            .unwrap()
    }

    #[test]
    fn the_first_version_splits_at_any_byte() {
        let out = words("StringSplit", &["a,b;,c", "", ";"], ",;", -1);
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 0, 0, 1, 0, 2]);
        assert_eq!(out[1].strings().unwrap(), &["a", "b", "c"]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[3, 3]);
        assert_eq!(words("StringSplit", &["ab"], "", -1)[1].strings().unwrap(), &["a", "b"]);
    }

    #[test]
    fn the_second_version_is_pythons() {
        let out = words("StringSplitV2", &["a b  c", " x ", ""], "", 1);
        assert_eq!(out[1].strings().unwrap(), &["a", "b  c", "x", ""]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[3, 2]);
        let out = words("StringSplitV2", &["1<>2<><>3", ""], "<>", -1);
        assert_eq!(out[1].strings().unwrap(), &["1", "2", "", "3", ""]);
        let out = words("StringSplitV2", &["1<>2<>3"], "<>", 1);
        assert_eq!(out[1].strings().unwrap(), &["1", "2<>3"]);
        assert_eq!(words("StringSplitV2", &["a b"], "", 0)[1].strings().unwrap(), &["a b"]);
    }
}
