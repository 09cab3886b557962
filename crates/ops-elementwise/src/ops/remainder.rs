//! Remainders, with the divisor's sign (FloorMod) or the dividend's (Mod, TruncateMod).

use downpour_graph::{GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelBox, KernelBuild, Registry};
use downpour_tensor::Result;

use super::division::{IntegerDivision, no_zero};
use crate::driver::Cost;
use crate::gradients::{self, Rule};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let binary = |signature| Ok(OpSpec::new(signature)?.shape(shapes::broadcast_binary));
    registry.add(
        binary(
            "FloorMod(x: T, y: T) -> (z: T)
                T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half, float, double}",
        )?
        .gradient(floor_mod_gradient),
        floor_mod,
    )?;
    registry.add(
        binary(
            "Mod(x: T, y: T) -> (z: T)
                T: {int32, int64, half, half, bfloat16, float, double}",
        )?,
        truncate_mod,
    )?;
    registry.add(
        binary(
            "TruncateMod(x: T, y: T) -> (z: T)
                T: {int32, int64, bfloat16, half, float, double}",
        )?
        .gradient(truncate_mod_gradient),
        truncate_mod,
    )
}

fn floor_mod(build: &KernelBuild<'_>) -> Result<KernelBox> {
    if build.input_dtype(0).is_integer() {
        return elementwise!(build, Cost::Cheap, integer, |x, y| x.floor_remainder(y); check(no_zero));
    }
    elementwise!(build, Cost::Moderate, float, |x, y| {
        let r = x % y;
        if r != 0.0 && ((y < 0.0) != (r < 0.0)) { r + y } else { r }
    })
}

fn truncate_mod(build: &KernelBuild<'_>) -> Result<KernelBox> {
    if build.input_dtype(0).is_integer() {
        return elementwise!(build, Cost::Cheap, integer, |x, y| x.remainder(y); check(no_zero));
    }
    elementwise!(build, Cost::Moderate, float, |x, y| x % y)
}

/// x mod y = x - round(x / y) y, with the rounding of the operation.
fn remainder_gradient(cx: &mut GradientContext<'_, '_>, division: &str) -> Rule {
    let grad = cx.grad(0)?;
    let quotient = cx.op(division, &[cx.input(0), cx.input(1)])?;
    let negative = cx.op("Neg", &[quotient])?;
    let to_y = cx.op("Mul", &[grad, negative])?;
    gradients::binary(cx, grad, to_y)
}

fn floor_mod_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    remainder_gradient(cx, "FloorDiv")
}

fn truncate_mod_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    remainder_gradient(cx, "TruncateDiv")
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Element, Tensor};

    fn run<T: Element>(op: &str, a: &[T], b: &[T]) -> Result<Vec<T>> {
        let test = OpTest::new(register, op).input(Tensor::vector(a)?).input(Tensor::vector(b)?);
        Ok(test.run_one()?.as_slice::<T>()?.to_vec())
    }

    #[test]
    fn signs() {
        let (a, b) = ([7i32, -7, 7, -7], [3i32, 3, -3, -3]);
        assert_eq!(run("FloorMod", &a, &b).unwrap(), [1, 2, -2, -1]);
        assert_eq!(run("TruncateMod", &a, &b).unwrap(), [1, -1, 1, -1]);
        let (a, b) = ([7.5f32, -7.5], [2.0f32, 2.0]);
        assert_eq!(run("FloorMod", &a, &b).unwrap(), [1.5, 0.5]);
        assert_eq!(run("Mod", &a, &b).unwrap(), [1.5, -1.5]);
        assert_eq!(run("FloorMod", &[i32::MIN], &[-1]).unwrap(), [0]);
    }

    #[test]
    fn zero_divisors() {
        assert!(run("FloorMod", &[1i64], &[0]).is_err());
        assert!(run("FloorMod", &[1f32], &[0.0]).unwrap()[0].is_nan());
    }
}
