//! StringSplit and StringSplitV2: the words of each string, as a sparse matrix.

use downpour_formats::text_number::is_space;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Status, Tensor};

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

/// Texts between two looks at the cancellation.
const TEXTS_PER_CHECK: usize = 256;

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
        let mut values = CountedVec::new();
        let mut counts = CountedVec::with_capacity(texts.len())?;
        for (i, text) in texts.strings()?.iter().enumerate() {
            if i % TEXTS_PER_CHECK == 0 {
                cx.check_cancelled()?;
            }
            let before = values.len();
            let mut add = |word: &[u8]| values.push(text.slice_ref(word));
            match self {
                Split::AnyOf { skip_empty } => any_of(text, &delimiter, *skip_empty, &mut add)?,
                Split::Whole { limit } if delimiter.is_empty() => {
                    white_space(text, *limit, &mut add)?
                }
                Split::Whole { limit } => whole(text, &delimiter, *limit, &mut add)?,
            }
            counts.push(values.len() - before)?;
        }
        let indices = Tensor::build([values.len(), 2], |out: &mut [i64]| {
            let places = counts.iter().enumerate();
            let places =
                places.flat_map(|(row, &count)| (0..count).map(move |column| [row, column]));
            for (out, place) in out.as_chunks_mut::<2>().0.iter_mut().zip(places) {
                *out = place.map(|index| index as i64);
            }
        })?;
        let widest = counts.iter().copied().max().unwrap_or(0);
        let shape = [texts.len() as i64, widest as i64];
        cx.set_output(0, indices);
        cx.set_output(1, Tensor::from_counted([values.len()], values)?);
        cx.set_output(2, Tensor::vector(&shape)?);
        Ok(())
    }
}

/// Takes the words one by one; how many there are is bounded by whoever takes them.
type Add<'a> = &'a mut dyn FnMut(&[u8]) -> Result<()>;

fn any_of(text: &[u8], delimiters: &[u8], skip_empty: bool, add: Add<'_>) -> Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    if delimiters.is_empty() {
        return text.chunks(1).try_for_each(add);
    }
    let mut is_delimiter = [false; 256];
    delimiters.iter().for_each(|&b| is_delimiter[b as usize] = true);
    let words = text.split(|&b| is_delimiter[b as usize]);
    words.filter(|word| !skip_empty || !word.is_empty()).try_for_each(add)
}

fn white_space(text: &[u8], limit: Option<usize>, add: Add<'_>) -> Result<()> {
    if limit == Some(0) {
        return add(text);
    }
    let mut words = 0;
    let mut rest = without_leading_space(text);
    while !rest.is_empty() {
        let end = rest.iter().position(|&b| is_space(b)).unwrap_or(rest.len());
        add(&rest[..end])?;
        words += 1;
        rest = without_leading_space(&rest[end..]);
        if limit == Some(words) {
            return add(rest);
        }
    }
    Ok(())
}

fn without_leading_space(text: &[u8]) -> &[u8] {
    &text[text.iter().position(|&b| !is_space(b)).unwrap_or(text.len())..]
}

fn whole(text: &[u8], separator: &[u8], limit: Option<usize>, add: Add<'_>) -> Result<()> {
    let mut start = 0;
    // In linear time whatever the separator is: both may be many megabytes of the same byte.
    let places = memchr::memmem::find_iter(text, separator).take(limit.unwrap_or(usize::MAX));
    for at in places {
        add(&text[start..at])?;
        start = at + separator.len();
    }
    add(&text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::ByteString;

    fn words(op: &str, texts: &[&'static str], delimiter: &'static str, limit: i64) -> Vec<Tensor> {
        let texts: Vec<ByteString> = texts.iter().map(|&t| t.into()).collect();
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
    fn a_long_separator_that_almost_matches_everywhere_takes_linear_time() {
        let text = vec![b'a'; 4 << 20];
        let mut separator = vec![b'a'; 1 << 20];
        separator.push(b'b');
        let started = std::time::Instant::now();
        let mut words = 0;
        whole(&text, &separator, None, &mut |_| {
            words += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(words, 1);
        assert!(started.elapsed().as_secs() < 20, "a naive search takes an hour");
    }

    #[test]
    fn a_cancelled_step_is_not_worked_for() {
        let status = OpTest::new(register, "StringSplitV2")
            .input(Tensor::from_strings([1], vec!["a b".into()]).unwrap())
            .input(Tensor::string(""))
            .cancelled()
            .run()
            .unwrap_err();
        assert_eq!(status.code(), downpour_tensor::Code::Cancelled);
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
