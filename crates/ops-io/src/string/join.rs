//! StringJoin: element-wise concatenation with a separator; scalars broadcast.

use bytes::Bytes;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, Result, Shape, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StringJoin(inputs: N * string) -> (output: string)
                N: int >= 0
                separator: string = ''",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Join { separator: build.bytes("separator")? })),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut out = PartialShape::scalar();
    for input in cx.inputs() {
        match input.rank() {
            None => out = PartialShape::unknown(),
            Some(0) => {}
            Some(_) if out.rank() == Some(0) => out = input.clone(),
            Some(_) => out = cx.merge(&out, input)?,
        }
    }
    cx.set_output(0, out);
    Ok(())
}

struct Join {
    separator: Bytes,
}

impl Kernel for Join {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let mut shape = Shape::scalar();
        for i in 0..cx.inputs_len() {
            let own = cx.input(i).shape();
            if own.is_scalar() {
                continue;
            }
            if !shape.is_scalar() && shape != *own {
                return Err(Status::invalid_argument(format!(
                    "Input shapes do not match: {shape} vs. {own}"
                )));
            }
            shape = own.clone();
        }
        let parts =
            (0..cx.inputs_len()).map(|i| cx.input(i).strings()).collect::<Result<Vec<_>>>()?;
        let out = Tensor::build_strings(shape, |element| {
            let at = |part: &&[ByteString]| if part.len() == 1 { 0 } else { element };
            ByteString::joined(parts.iter().map(|part| &part[at(part)][..]), &self.separator)
        })?;
        cx.set_output(0, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn scalars_broadcast() {
        let words = Tensor::from_strings([2], vec!["a".into(), "b".into()]).unwrap();
        let out = OpTest::new(register, "StringJoin")
            .attr("separator", "-")
            .attr("N", 2i64)
            .input(words)
            .input(Tensor::string("x"))
            .run_one()
            .unwrap();
        assert_eq!(out.strings().unwrap(), &["a-x", "b-x"]);
    }
}
