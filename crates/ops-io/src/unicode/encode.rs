//! UnicodeEncode: texts from their code points.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, Result, Status, StringWriter, Tensor};

use super::errors::{Errors, Policy};
use super::output::Output;

/// Texts between two looks at the cancellation.
const TEXTS_PER_CHECK: usize = 256;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "UnicodeEncode(input_values: int32, input_splits: Tsplits) -> (output: string)
                errors: {'ignore', 'replace', 'strict'} = 'replace'
                output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}
                replacement_char: int = 65533
                Tsplits: {int32, int64} = int64",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            Ok(KernelBox::new(Encode { errors: Errors::new(build)?, output: Output::new(build)? }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 1)?;
    let splits = cx.with_rank(1, 1)?.dim(0);
    if splits == Some(0) {
        return Err(Status::invalid_argument(format!(
            "Negative dimension size caused by subtracting 1 from 0 for {}",
            cx.describe()
        )));
    }
    cx.set_output(0, PartialShape::vector(splits.map(|n| n - 1)));
    Ok(())
}

struct Encode {
    errors: Errors,
    output: Output,
}

impl Kernel for Encode {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (values, splits) = (cx.input(0), cx.input(1));
        if values.rank() != 1 || splits.rank() != 1 {
            return Err(Status::invalid_argument(
                "Both the input_tensor and input_splits should be of rank 1. ",
            ));
        }
        let values = values.as_slice::<i32>()?;
        let splits = splits.to_i64_vec()?;
        let (Some(&first), Some(&last)) = (splits.first(), splits.last()) else {
            return Err(Status::invalid_argument(
                "Input_splits should contain elements, but given input_values has 0 elements",
            ));
        };
        if first != 0 {
            return Err(Status::invalid_argument("First value in input_splits must be zero."));
        }
        if last != values.len() as i64 {
            return Err(Status::invalid_argument(
                "Last value in input_splits must be equal to length of input_tensor.",
            ));
        }
        let texts = Tensor::build_strings([splits.len() - 1], |i| {
            if i % TEXTS_PER_CHECK == TEXTS_PER_CHECK - 1 {
                cx.check_cancelled()?;
            }
            let (start, end) = (splits[i], splits[i + 1]);
            if start > end {
                return Err(Status::invalid_argument(
                    "Values in input_splits must be equal or in ascending order.",
                ));
            }
            let row = usize::try_from(end).ok().and_then(|end| values.get(start as usize..end));
            let row = row.ok_or_else(|| {
                Status::invalid_argument(
                    "Values in input_splits must be less than or equal to input_tensor length.",
                )
            })?;
            self.encode(row)
        })?;
        cx.set_output(0, texts);
        Ok(())
    }
}

impl Encode {
    fn encode(&self, code_points: &[i32]) -> Result<ByteString> {
        let mut text = StringWriter::with_capacity(code_points.len())?;
        for &code_point in code_points {
            let character = u32::try_from(code_point).ok().and_then(char::from_u32);
            if character.is_none() && self.errors.policy == Policy::Strict {
                return Err(Status::invalid_argument(
                    "Code point is out of range for Unicode, or is a surrogate.",
                ));
            }
            if let Some(code_point) = self.errors.handle(character.map(u32::from)) {
                self.output.push(&mut text, code_point)?;
            }
        }
        Ok(text.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(
        encoding: &'static str,
        errors: &'static str,
        values: &[i32],
        splits: &[i64],
    ) -> Result<Tensor> {
        OpTest::new(register, "UnicodeEncode")
            .attr("output_encoding", encoding)
            .attr("errors", errors)
            .input(Tensor::vector(values).unwrap())
            .input(Tensor::vector(splits).unwrap())
            .run_one()
    }

    #[test]
    fn code_points_become_texts() {
        let values = [97, 0x1f600, 233];
        let out = run("UTF-8", "replace", &values, &[0, 2, 2, 3]).unwrap();
        assert_eq!(out.strings().unwrap(), ["a😀", "", "é"]);
        let out = run("UTF-16-BE", "replace", &values, &[0, 3]).unwrap();
        assert_eq!(out.strings().unwrap()[0], b"\x00a\xd8\x3d\xde\x00\x00\xe9");
        let out = run("UTF-32-BE", "replace", &values, &[0, 3]).unwrap();
        assert_eq!(out.strings().unwrap()[0], b"\0\0\0a\0\x01\xf6\0\0\0\0\xe9");
    }

    #[test]
    fn what_is_no_character_is_replaced_or_refused() {
        let values = [-1, 0xd800, 0x11_0000, 97];
        assert_eq!(
            run("UTF-8", "replace", &values, &[0, 4]).unwrap().strings().unwrap(),
            ["\u{fffd}\u{fffd}\u{fffd}a"]
        );
        assert_eq!(run("UTF-8", "ignore", &values, &[0, 4]).unwrap().strings().unwrap(), ["a"]);
        assert!(run("UTF-8", "strict", &values, &[0, 4]).is_err());
    }

    #[test]
    fn splits_are_checked() {
        for splits in [&[][..], &[1, 2], &[0], &[0, 3], &[0, 2, 1, 2], &[0, 5, 2], &[0, -1, 2]] {
            assert!(run("UTF-8", "replace", &[97, 98], splits).is_err(), "{splits:?}");
        }
    }
}
