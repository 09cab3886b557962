//! StringStrip: without the white space around.

use downpour_formats::text_number::trim;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use super::elements::to_strings;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("StringStrip(input: string) -> (output: string)")?
            .shape(shapes::unchanged)
            .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    to_strings(cx, |text| Ok(text.slice_ref(trim(text))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn only_the_ends_are_stripped() {
        let words = vec![" \t\x0b\x0c\r\n a b \x0b".into(), "  ".into(), "".into()];
        let out = OpTest::new(register, "StringStrip")
            .input(Tensor::from_strings([3], words).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(out.strings().unwrap(), &["a b", "", ""]);
    }
}
