//! Rounding to whole numbers, and tests for values that are not ordinary numbers.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, Registry};
use downpour_tensor::Result;

use crate::driver::Cost;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let spec = |name: &str, output: &str, types: &str| {
        let signature = format!("{name}(x: T) -> (y: {output})\nT: {{{types}}}");
        Ok(OpSpec::new(&signature)?.shape(shapes::unchanged).not_differentiable())
    };
    const FLOAT: &str = "bfloat16, half, float, double";
    const ALL: &str =
        "bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128";
    registry.add(spec("Round", "T", ALL)?, |build| match build.input_dtype(0).is_integer() {
        true => Ok(KernelBox::cheap(|cx| {
            let input = cx.take(0);
            cx.set_output(0, input);
            Ok(())
        })),
        false => elementwise!(build, Cost::Cheap, float, |x| x.round_ties_even()),
    })?;
    registry.add(spec("Rint", "T", FLOAT)?, |build| {
        elementwise!(build, Cost::Cheap, float, |x| x.round_ties_even())
    })?;
    registry.add(spec("Floor", "T", FLOAT)?, |build| {
        elementwise!(build, Cost::Cheap, float, |x| x.floor())
    })?;
    registry.add(spec("Ceil", "T", FLOAT)?, |build| {
        elementwise!(build, Cost::Cheap, float, |x| x.ceil())
    })?;
    registry.add(
        spec("IsNan", "bool", FLOAT)?,
        |build| elementwise!(build, Cost::Cheap, float => bool, |x| x.is_nan()),
    )?;
    registry.add(
        spec("IsInf", "bool", FLOAT)?,
        |build| elementwise!(build, Cost::Cheap, float => bool, |x| x.is_infinite()),
    )?;
    registry.add(
        spec("IsFinite", "bool", FLOAT)?,
        |build| elementwise!(build, Cost::Cheap, float => bool, |x| x.is_finite()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Tensor, f16};

    #[test]
    fn halves_go_to_the_even_neighbour() {
        let x = Tensor::vector(&[0.5f32, 1.5, 2.5, -0.5, -1.5]).unwrap();
        for op in ["Round", "Rint"] {
            let y = OpTest::new(register, op).input(x.clone()).run_one().unwrap();
            assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 2.0, 2.0, 0.0, -2.0]);
        }
        let i = Tensor::vector(&[3i32]).unwrap();
        let y = OpTest::new(register, "Round").input(i).run_one().unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[3]);
    }

    #[test]
    fn tests_of_special_values() {
        let values = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0].map(f16::from_f32);
        let run = |op: &str| {
            let x = Tensor::vector(&values).unwrap();
            let y = OpTest::new(register, op).input(x).run_one().unwrap();
            y.as_slice::<bool>().unwrap().to_vec()
        };
        assert_eq!(run("IsNan"), [true, false, false, false]);
        assert_eq!(run("IsInf"), [false, true, true, false]);
        assert_eq!(run("IsFinite"), [false, false, false, true]);
    }
}
