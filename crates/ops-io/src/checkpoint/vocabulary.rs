//! GenerateVocabRemapping: where the tokens of a new vocabulary stood in an old one.

use std::collections::HashMap;
use std::path::Path;

use downpour_formats::read_regular;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, CountedVec, Result, Status, StringWriter, Tensor};

use super::arguments::text;
use crate::file::stop_if_cancelled;

/// Stands for a token the old vocabulary does not have.
const NOT_FOUND: i64 = -1;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "GenerateVocabRemapping(new_vocab_file: string, old_vocab_file: string) -> (remapping: int64, num_present: int32)
                new_vocab_offset: int >= 0
                num_new_vocab: int >= 0
                old_vocab_size: int >= -1 = -1",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            let size = |name: &str| Ok::<_, Status>(usize::try_from(build.int(name)?).unwrap_or(0));
            Ok(KernelBox::blocking(Remapping {
                offset: size("new_vocab_offset")?,
                count: size("num_new_vocab")?,
                old_size: usize::try_from(build.int("old_vocab_size")?).ok(),
            }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 0)?;
    cx.with_rank(1, 0)?;
    let count = cx.node().int("num_new_vocab")?;
    cx.set_output(0, PartialShape::from_i64(&[count])?);
    cx.set_output(1, PartialShape::scalar());
    Ok(())
}

struct Remapping {
    offset: usize,
    count: usize,
    old_size: Option<usize>,
}

impl Kernel for Remapping {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let new = file_name(cx, 0, "new_vocab_file")?;
        let old = file_name(cx, 1, "old_vocab_file")?;
        let new_tokens = read_tokens(cx, &new, None)?;
        let end = self.offset.checked_add(self.count).filter(|&end| end <= new_tokens.len());
        let Some(end) = end else {
            return Err(Status::invalid_argument(
                "lookup table size must be larger than last new vocab entry's line",
            ));
        };
        let mut old_ids = HashMap::new();
        for (id, token) in read_tokens(cx, &old, self.old_size)?.iter().enumerate() {
            let id = id as i64;
            if let Some(first) = old_ids.insert(token.clone(), id) {
                return Err(Status::failed_precondition(format!(
                    "HashTable has different value for same key: lines {first} and {id} of {old} are the same"
                )));
            }
        }
        let remapping: Vec<i64> = new_tokens[self.offset..end]
            .iter()
            .map(|token| old_ids.get(token).copied().unwrap_or(NOT_FOUND))
            .collect();
        let present = remapping.iter().filter(|&&id| id != NOT_FOUND).count();
        cx.set_output(0, Tensor::vector(&remapping)?);
        cx.set_output(1, Tensor::scalar(present as i32));
        Ok(())
    }
}

fn file_name(cx: &OpContext<'_>, i: usize, argument: &str) -> Result<String> {
    match (cx.input(i).rank(), cx.input(i).strings()?) {
        (0, [name]) if name.is_empty() => {
            Err(Status::invalid_argument(format!("{argument}: vocab filename cannot be empty.")))
        }
        (0, [name]) => text(name),
        _ => Err(Status::invalid_argument(format!(
            "{argument} should be a single string, but got {}",
            cx.input(i).shape()
        ))),
    }
}

/// A line without carriage returns; most have none and stay where they are.
fn without_returns(contents: &ByteString, line: &[u8]) -> Result<ByteString> {
    if !line.contains(&b'\r') {
        return Ok(contents.slice_ref(line));
    }
    let mut kept = StringWriter::with_capacity(line.len())?;
    line.split(|&b| b == b'\r').try_for_each(|part| kept.push(part))?;
    Ok(kept.finish())
}

/// The lines of a vocabulary; with a size, exactly that many of them.
fn read_tokens(
    cx: &OpContext<'_>,
    name: &str,
    size: Option<usize>,
) -> Result<CountedVec<ByteString>> {
    let path = Path::new(name);
    let contents = read_regular(path, || stop_if_cancelled(cx))?;
    let mut tokens = CountedVec::new();
    // A newline ends a line, so that the last one starts none.
    let body = contents.strip_suffix(b"\n").unwrap_or(&contents);
    let lines = body.split(|&b| b == b'\n').take(size.unwrap_or(usize::MAX));
    for line in lines.filter(|_| !contents.is_empty()) {
        let token = without_returns(&contents, line)?;
        if token.is_empty() {
            return Err(Status::invalid_argument(format!(
                "Invalid content in {name}: empty line found at line {}.",
                tokens.len()
            )));
        }
        tokens.push(token)?;
    }
    match size {
        Some(size) if tokens.len() < size => Err(Status::invalid_argument(format!(
            "Invalid vocab_size in {name}: expected {size} but got {}",
            tokens.len()
        ))),
        _ => Ok(tokens),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn remap(new: &str, old: &str, offset: i64, count: i64, old_size: i64) -> Result<Vec<Tensor>> {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, contents: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, contents).unwrap();
            Tensor::from_string(path.to_str().unwrap()).unwrap()
        };
        OpTest::new(register, "GenerateVocabRemapping")
            .attr("new_vocab_offset", offset)
            .attr("num_new_vocab", count)
            .attr("old_vocab_size", old_size)
            .input(file("new", new))
            .input(file("old", old))
            .run()
    }

    #[test]
    fn tokens_are_found_in_the_old_vocabulary() {
        let out =
            remap("MISSING\nknitting\nflask\neminem\n", "knitting\neminem\nMISSING", 0, 4, -1);
        let out = out.unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[2, 0, -1, 1]);
        assert_eq!(out[1].to_scalar::<i32>().unwrap(), 3);
        let part = remap("a\r\nb\nc\n", "b\nc\na\n", 1, 2, 1).unwrap();
        assert_eq!(part[0].as_slice::<i64>().unwrap(), &[0, -1]);
    }

    #[test]
    fn bad_vocabularies_are_refused() {
        assert!(remap("a\n", "a\n", 0, 2, -1).is_err());
        assert!(remap("a\n\nb\n", "a\n", 0, 1, -1).is_err());
        assert!(remap("a\n", "a\n", 0, 1, 2).unwrap_err().message().contains("vocab_size"));
        assert!(remap("a\n", "a\na\n", 0, 1, -1).is_err());
        assert!(remap("", "", i64::MAX, i64::MAX, -1).is_err());
    }
}
