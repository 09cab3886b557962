//! UnicodeScript: the number that ICU gives to a code point's script.

mod unassigned;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed, props::Script};
use unassigned::is_unassigned;

const COMMON: i32 = 0;
const UNKNOWN: i32 = 103;
/// Code points that are worth a thread of their own.
const GRAIN: usize = 4096;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("UnicodeScript(input: int32) -> (output: int32)")?
            .shape(shapes::unchanged)
            .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

/// Returns the script's number; -1 for what is no code point.
#[expect(
    deprecated,
    reason = "ICU4X asks who needs ICU's numbers; TensorFlow gives them to its users"
)]
fn script(scripts: CodePointMapDataBorrowed<'_, Script>, code_point: i32) -> i32 {
    match u32::try_from(code_point) {
        Ok(code_point) if is_unassigned(code_point) => UNKNOWN,
        // Their script was changed later.
        Ok(0x16fe2 | 0x16fe3) => COMMON,
        Ok(code_point) if code_point <= 0x10_ffff => {
            scripts.get32(code_point).to_icu4c_value().into()
        }
        _ => -1,
    }
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.input(0);
    let code_points = input.as_slice::<i32>()?;
    let scripts = CodePointMapData::<Script>::new();
    let out = Tensor::build(input.shape(), |out: &mut [i32]| {
        cx.parallel().for_chunks(out, 1, GRAIN, |start, out| {
            for (out, &code_point) in out.iter_mut().zip(&code_points[start..]) {
                *out = script(scripts, code_point);
            }
        });
    })?;
    cx.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn scripts_have_the_numbers_of_icu() {
        let code_points = [0x61i32, 0x3042, 0x3b1, 0x20, 0xd800, -1, 0x11_0000, 0x31350, 0x16fe2];
        let input = Tensor::vector(&code_points).unwrap();
        let out = OpTest::new(register, "UnicodeScript").input(input).run_one().unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [25, 20, 14, 0, 103, -1, -1, 103, 0]);
    }
}
