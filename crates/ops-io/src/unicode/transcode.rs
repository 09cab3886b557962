//! UnicodeTranscode: the same texts in another encoding.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, StringWriter, Tensor};

use super::decoder::Decoder;
use super::encoding;
use super::errors::{Errors, Policy, malformed};
use super::output::Output;

/// Characters between two looks at the cancellation.
const CHARACTERS_PER_CHECK: usize = 1 << 16;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "UnicodeTranscode(input: string) -> (output: string)
                input_encoding: string
                output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}
                errors: {'strict', 'replace', 'ignore'} = 'replace'
                replacement_char: int = 65533
                replace_control_characters: bool = false",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| {
            Ok(KernelBox::new(Transcode {
                errors: Errors::new(build)?,
                output: Output::new(build)?,
                decoder: encoding::decoder(&build.string("input_encoding")?)?,
            }))
        },
    )
}

struct Transcode {
    decoder: Decoder,
    output: Output,
    errors: Errors,
}

impl Kernel for Transcode {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let texts = input.strings()?;
        let mut characters = 0usize;
        let mut order = None;
        let out = Tensor::build_strings(input.shape(), |i| {
            let mut text = StringWriter::with_capacity(texts[i].len())?;
            self.decoder.decode(&mut order, &texts[i], &mut |character, _| {
                characters += 1;
                if characters.is_multiple_of(CHARACTERS_PER_CHECK) {
                    cx.check_cancelled()?;
                }
                let handled = self.errors.handle(character);
                // Control characters that shall not stay are errors here, unlike in UnicodeDecode.
                if self.errors.policy == Policy::Strict && handled != character {
                    return Err(malformed());
                }
                handled.map_or(Ok(()), |code_point| self.output.push(&mut text, code_point))
            })?;
            Ok(text.finish())
        })?;
        cx.set_output(0, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(
        from: &'static str,
        to: &'static str,
        errors: &'static str,
        text: &'static [u8],
    ) -> Result<Vec<u8>> {
        let out = OpTest::new(register, "UnicodeTranscode")
            .attr("input_encoding", from)
            .attr("output_encoding", to)
            .attr("errors", errors)
            .attr("replacement_char", 32i64)
            .attr("replace_control_characters", true)
            .input(Tensor::string(text))
            .run_one()?;
        Ok(out.strings()?[0].to_vec())
    }

    #[test]
    fn texts_change_their_encoding() {
        assert_eq!(
            run("UTF-8", "UTF-16-BE", "replace", "aé".as_bytes()).unwrap(),
            b"\x00a\x00\xe9"
        );
        assert_eq!(run("latin1", "UTF-8", "replace", b"caf\xe9").unwrap(), "café".as_bytes());
        assert_eq!(run("Shift-JIS", "UTF-8", "replace", b"\x82\xa0").unwrap(), "あ".as_bytes());
        assert_eq!(run("US-ASCII", "UTF-32-BE", "replace", b"a\xff").unwrap(), b"\0\0\0a\0\0\0 ");
    }

    #[test]
    fn errors_are_replaced_left_out_or_refused() {
        assert_eq!(run("UTF-8", "UTF-8", "replace", b"a\xf0\x9fb\x01").unwrap(), b"a b ");
        assert_eq!(run("UTF-8", "UTF-8", "ignore", b"a\xf0\x9fb\x01").unwrap(), b"ab");
        assert!(run("UTF-8", "UTF-8", "strict", b"\x01").is_err());
        assert!(run("UTF-8", "UTF-8", "strict", b"\xff").is_err());
        assert!(run("UTF-8", "UTF-8", "strict", b"ab").is_ok());
    }
}
