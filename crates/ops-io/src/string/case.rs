//! StringLower and StringUpper: ASCII letters, or all of Unicode's.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{ByteString, Charge, Result, Status, StringWriter};

use super::elements::to_strings;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StringLower(input: string) -> (output: string)
                encoding: string = ''",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| {
            Ok(KernelBox::new(match is_unicode(build)? {
                true => Case(|text| by_character(text, str::to_lowercase)),
                false => Case(|text| by_byte(text, u8::to_ascii_lowercase)),
            }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "StringUpper(input: string) -> (output: string)
                encoding: string = ''",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| {
            Ok(KernelBox::new(match is_unicode(build)? {
                true => Case(|text| by_character(text, str::to_uppercase)),
                false => Case(|text| by_byte(text, u8::to_ascii_uppercase)),
            }))
        },
    )
}

fn is_unicode(build: &KernelBuild<'_>) -> Result<bool> {
    match build.string("encoding")?.as_str() {
        "" => Ok(false),
        "utf-8" => Ok(true),
        other => Err(Status::invalid_argument(format!(
            "only utf-8 or '' (no encoding) is supported, received {other}"
        ))),
    }
}

struct Case(fn(&[u8]) -> Result<ByteString>);

fn by_byte(text: &[u8], convert: fn(&u8) -> u8) -> Result<ByteString> {
    let mut out = StringWriter::new();
    out.fill_with(text.len(), |place| {
        place.iter_mut().zip(text).for_each(|(to, from)| *to = convert(from));
        Ok::<_, Status>(text.len())
    })?;
    Ok(out.finish())
}

fn by_character(text: &[u8], convert: fn(&str) -> String) -> Result<ByteString> {
    // Invalid bytes and some characters become up to three times as long, twice over.
    let _copies = Charge::new(text.len().saturating_mul(6))?;
    ByteString::from_vec(convert(&String::from_utf8_lossy(text)))
}

impl Kernel for Case {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        to_strings(cx, |text| (self.0)(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn convert(op: &str, encoding: &'static str, text: &'static str) -> Result<ByteString> {
        let out = OpTest::new(register, op)
            .attr("encoding", encoding)
            .input(Tensor::string(text))
            .run_one()?;
        Ok(out.strings()?[0].clone())
    }

    #[test]
    fn the_encoding_decides_which_letters_change() {
        assert_eq!(convert("StringUpper", "", "aéßz").unwrap(), "AéßZ");
        assert_eq!(convert("StringUpper", "utf-8", "aéßz").unwrap(), "AÉSSZ");
        assert_eq!(convert("StringLower", "", "AÉ").unwrap(), "aÉ");
        assert_eq!(convert("StringLower", "utf-8", "AÉİΣ").unwrap(), "aéi̇ς");
        assert!(convert("StringLower", "latin-1", "A").is_err());
    }
}
