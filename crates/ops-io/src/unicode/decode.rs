//! UnicodeDecode and UnicodeDecodeWithOffsets: the code points of texts, and where they start.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Tensor};

use super::decoder::Decoder;
use super::encoding;
use super::errors::{Errors, Policy, malformed};

/// Characters between two looks at the cancellation.
const CHARACTERS_PER_CHECK: usize = 1 << 16;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "UnicodeDecode(input: string) -> (row_splits: Tsplits, char_values: int32)
                input_encoding: string
                errors: {'strict', 'replace', 'ignore'} = 'replace'
                replacement_char: int = 65533
                replace_control_characters: bool = false
                Tsplits: {int32, int64} = int64",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Decode::new(build, false)?)),
    )?;
    registry.add(
        OpSpec::new(
            "UnicodeDecodeWithOffsets(input: string) \
                -> (row_splits: Tsplits, char_values: int32, char_to_byte_starts: int64)
                input_encoding: string
                errors: {'strict', 'replace', 'ignore'} = 'replace'
                replacement_char: int = 65533
                replace_control_characters: bool = false
                Tsplits: {int32, int64} = int64",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Decode::new(build, true)?)),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let splits = cx.input(0).elements().and_then(|n| n.checked_add(1));
    cx.set_output(0, PartialShape::vector(splits));
    (1..cx.outputs_len()).for_each(|i| cx.set_output(i, PartialShape::vector(None)));
    Ok(())
}

struct Decode {
    decoder: Decoder,
    errors: Errors,
    splits: DataType,
    has_offsets: bool,
}

impl Decode {
    fn new(build: &KernelBuild<'_>, has_offsets: bool) -> Result<Decode> {
        let decoder = encoding::decoder(&build.string("input_encoding")?)?;
        let errors = Errors::new(build)?;
        Ok(Decode { decoder, errors, splits: build.dtype("Tsplits")?, has_offsets })
    }
}

impl Kernel for Decode {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let texts = cx.input(0).strings()?;
        let mut splits = CountedVec::with_capacity(texts.len() + 1)?;
        let mut characters: CountedVec<i32> = CountedVec::new();
        let mut starts: CountedVec<i64> = CountedVec::new();
        splits.push(0i64)?;
        let mut order = None;
        for text in texts {
            let mut at = 0;
            self.decoder.decode(&mut order, text, &mut |character, size| {
                if character.is_none() && self.errors.policy == Policy::Strict {
                    return Err(malformed());
                }
                if let Some(character) = self.errors.handle(character) {
                    characters.push(character as i32)?;
                    if self.has_offsets {
                        starts.push(at)?;
                    }
                    if characters.len().is_multiple_of(CHARACTERS_PER_CHECK) {
                        cx.check_cancelled()?;
                    }
                }
                at += size as i64;
                Ok(())
            })?;
            splits.push(characters.len() as i64)?;
        }
        let splits = match self.splits {
            DataType::Int32 => Tensor::build([splits.len()], |out: &mut [i32]| {
                out.iter_mut().zip(splits.iter()).for_each(|(out, &split)| *out = split as i32);
            })?,
            _ => Tensor::vector(&splits)?,
        };
        cx.set_output(0, splits);
        cx.set_output(1, Tensor::vector(&characters)?);
        if self.has_offsets {
            cx.set_output(2, Tensor::vector(&starts)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(
        encoding: &'static str,
        errors: &'static str,
        texts: &[&'static [u8]],
    ) -> Result<Vec<Tensor>> {
        let texts = texts.iter().map(|&text| text.into()).collect::<Vec<_>>();
        OpTest::new(register, "UnicodeDecodeWithOffsets")
            .attr("input_encoding", encoding)
            .attr("errors", errors)
            .attr("replacement_char", 63i64)
            .attr("replace_control_characters", true)
            .input(Tensor::from_strings([texts.len()], texts).unwrap())
            .run()
    }

    #[test]
    fn texts_become_rows_of_code_points() {
        let out = run("UTF-8", "replace", &["aé".as_bytes(), b"", b"\xe2\x82b\n"]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 2, 2, 5]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [97, 233, 63, 98, 63]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [0, 1, 0, 2, 3]);
        let out = run("UTF-8", "ignore", &[b"\xe2\x82b\n"]).unwrap();
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [98]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [2]);
    }

    #[test]
    fn malformed_texts_and_unknown_encodings_are_refused() {
        let error = run("UTF-8", "strict", &[b"\xff"]).unwrap_err();
        assert_eq!(error.message(), "Invalid formatting on input string");
        assert!(run("UTF-8", "strict", &[b"\n"]).is_ok(), "a control character is well formed");
        let error = run("bogus", "replace", &[b"a"]).unwrap_err();
        let expected = "Could not create converter for input encoding: bogus";
        assert!(error.message().starts_with(expected), "{error}");
    }
}
