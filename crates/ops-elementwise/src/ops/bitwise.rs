//! Operations on the bits of integers.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::Registry;
use downpour_tensor::{Result, dispatch_integer};

use crate::driver::{Cost, Elementwise, Row, map1};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    const TYPES: &str = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}";
    let binary = |name: &str, flags: &str| {
        let signature = format!("{name}(x: T, y: T) -> (z: T){flags}\n{TYPES}");
        Ok(OpSpec::new(&signature)?.shape(shapes::broadcast_binary).not_differentiable())
    };
    registry.add(binary("BitwiseAnd", " @commutative")?, |build| {
        elementwise!(build, Cost::Cheap, integer, |x, y| x & y)
    })?;
    registry.add(binary("BitwiseOr", " @commutative")?, |build| {
        elementwise!(build, Cost::Cheap, integer, |x, y| x | y)
    })?;
    registry.add(binary("BitwiseXor", " @commutative")?, |build| {
        elementwise!(build, Cost::Cheap, integer, |x, y| x ^ y)
    })?;
    // Shift counts outside the type's width are brought to its edge, as TensorFlow does.
    registry.add(binary("LeftShift", "")?, |build| {
        elementwise!(build, Cost::Cheap, integer, |x, y| {
            x.wrapping_shl((y as i128).clamp(0, T::BITS as i128 - 1) as u32)
        })
    })?;
    registry.add(binary("RightShift", "")?, |build| {
        elementwise!(build, Cost::Cheap, integer, |x, y| {
            x.wrapping_shr((y as i128).clamp(0, T::BITS as i128 - 1) as u32)
        })
    })?;
    let unary = |signature: String| {
        Ok(OpSpec::new(&signature)?.shape(shapes::unchanged).not_differentiable())
    };
    registry.add(unary(format!("Invert(x: T) -> (y: T)\n{TYPES}"))?, |build| {
        elementwise!(build, Cost::Cheap, integer, |x| !x)
    })?;
    registry.add(unary(format!("PopulationCount(x: T) -> (y: uint8)\n{TYPES}"))?, |build| {
        dispatch_integer!(build.input_dtype(0), "PopulationCount", U => {
            let row: Row<U, u8, 1> = |inputs, out| map1(inputs, out, |x| x.count_ones() as u8);
            Ok(Elementwise::new(build, Cost::Cheap, row).boxed())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Element, Tensor};

    fn run<T: Element>(op: &str, a: &[T], b: &[T]) -> Vec<T> {
        let test = OpTest::new(register, op);
        let test = test.input(Tensor::vector(a).unwrap()).input(Tensor::vector(b).unwrap());
        test.run_one().unwrap().as_slice::<T>().unwrap().to_vec()
    }

    #[test]
    fn bits() {
        assert_eq!(run("BitwiseAnd", &[12u8], &[10]), [8]);
        assert_eq!(run("BitwiseOr", &[12i16], &[10]), [14]);
        assert_eq!(run("BitwiseXor", &[12i64], &[10]), [6]);
    }

    #[test]
    fn shifts_stop_at_the_width() {
        assert_eq!(run("LeftShift", &[1i8, 1, 1, -1], &[3, 9, -2, 7]), [8, -128, 1, -128]);
        assert_eq!(run("RightShift", &[-128i8, -128, 64], &[1, 100, -5]), [-64, -1, 64]);
        assert_eq!(run("RightShift", &[u64::MAX], &[u64::MAX]), [1]);
    }

    #[test]
    fn counting_and_inverting() {
        let x = Tensor::vector(&[0i32, -1, 7]).unwrap();
        let out = OpTest::new(register, "PopulationCount").input(x.clone()).run_one().unwrap();
        assert_eq!(out.as_slice::<u8>().unwrap(), &[0, 32, 3]);
        let out = OpTest::new(register, "Invert").input(x).run_one().unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), &[-1, 0, -8]);
    }
}
