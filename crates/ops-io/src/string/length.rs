//! StringLength: the number of bytes or of UTF-8 characters.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use super::elements::{is_continuation, to_numbers};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StringLength(input: string) -> (output: int32)
                unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Length { characters: build.string("unit")? == "UTF8_CHAR" })),
    )
}

struct Length {
    characters: bool,
}

impl Kernel for Length {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        to_numbers(cx, |text| {
            Ok(match self.characters {
                true => text.iter().filter(|&&b| !is_continuation(b)).count() as i32,
                false => text.len() as i32,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn bytes_or_characters() {
        for (unit, expected) in [("BYTE", 6), ("UTF8_CHAR", 5)] {
            let out = OpTest::new(register, "StringLength")
                .attr("unit", unit)
                .input(Tensor::string("héllo"))
                .run_one()
                .unwrap();
            assert_eq!(out.to_scalar::<i32>().unwrap(), expected);
        }
    }
}
