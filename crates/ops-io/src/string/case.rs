//! StringLower and StringUpper: ASCII letters, or all of Unicode's.

use bytes::Bytes;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status};

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
                true => Case(|text| String::from_utf8_lossy(text).to_lowercase().into()),
                false => Case(|text| text.to_ascii_lowercase().into()),
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
                true => Case(|text| String::from_utf8_lossy(text).to_uppercase().into()),
                false => Case(|text| text.to_ascii_uppercase().into()),
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

struct Case(fn(&[u8]) -> Bytes);

impl Kernel for Case {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        to_strings(cx, |text| Ok((self.0)(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn convert(op: &str, encoding: &'static str, text: &'static str) -> Result<Bytes> {
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
