//! StringFormat: a template whose placeholders are replaced by tensors.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, StringWriter, Tensor};

use super::summarize::summarize;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StringFormat(inputs: T) -> (output: string)
                T: list(type) >= 0
                template: string = '%s'
                placeholder: string = '%s'
                summarize: int = 3",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            let inputs = build.dtypes("T")?.len();
            let pieces = pieces(&build.bytes("template")?, &build.bytes("placeholder")?, inputs)?;
            let at_ends = usize::try_from(build.int("summarize")?).ok();
            Ok(KernelBox::new(Format { pieces, at_ends }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let node = cx.node();
    pieces(&node.bytes("template")?, &node.bytes("placeholder")?, cx.inputs().len())?;
    cx.set_output(0, PartialShape::scalar());
    Ok(())
}

/// The texts around the placeholders, one more than there are inputs.
fn pieces(template: &[u8], placeholder: &[u8], inputs: usize) -> Result<Vec<Vec<u8>>> {
    let mut pieces = Vec::new();
    let mut rest = template;
    if placeholder.is_empty() {
        // An empty placeholder stands between every two bytes.
        let (last, front) = template.split_last().map_or((None, &[][..]), |(l, f)| (Some(l), f));
        pieces.extend(front.iter().map(|&b| vec![b]));
        pieces.push(last.into_iter().copied().collect());
    } else {
        while let Some(at) = rest.windows(placeholder.len()).position(|w| w == placeholder) {
            pieces.push(rest[..at].to_vec());
            rest = &rest[at + placeholder.len()..];
        }
        pieces.push(rest.to_vec());
    }
    match pieces.len() - 1 {
        count if count == inputs => Ok(pieces),
        count => Err(Status::invalid_argument(format!(
            "num placeholders in template and num inputs must match: {count} vs. {inputs}"
        ))),
    }
}

struct Format {
    pieces: Vec<Vec<u8>>,
    /// How many elements to show at each end of a dimension; all without.
    at_ends: Option<usize>,
}

impl Kernel for Format {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let mut out = StringWriter::new();
        for (i, piece) in self.pieces.iter().enumerate() {
            out.push(piece)?;
            if i < cx.inputs_len() {
                summarize(cx.input(i), self.at_ends, &mut out)?;
            }
        }
        cx.set_output(0, Tensor::string(out.finish()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    #[test]
    fn placeholders_are_replaced() {
        let run = |template: &'static str| {
            OpTest::new(register, "StringFormat")
                .attr("template", template)
                .attr("T", vec![DataType::Int32, DataType::Bool])
                .input(Tensor::scalar(3i32))
                .input(Tensor::vector(&[true, false]).unwrap())
                .run_one()
        };
        assert_eq!(run("a %s: %s!").unwrap().strings().unwrap(), &["a 3: [1 0]!"]);
        let error = run("%s").unwrap_err();
        assert!(error.message().contains("num placeholders in template and num inputs must match"));
    }

    #[test]
    fn an_empty_placeholder_needs_no_input_for_one_byte() {
        assert_eq!(pieces(b"x", b"", 0).unwrap(), [b"x"]);
        assert_eq!(pieces(b"", b"", 0).unwrap(), [b""]);
        assert_eq!(pieces(b"ab", b"", 1).unwrap(), [b"a", b"b"]);
    }
}
