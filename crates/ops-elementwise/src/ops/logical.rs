//! And, or, not on booleans.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::Registry;
use downpour_tensor::Result;

use crate::driver::{Cost, Elementwise};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let binary = |signature| {
        Ok(OpSpec::new(signature)?.shape(shapes::broadcast_binary).not_differentiable())
    };
    registry.add(binary("LogicalAnd(x: bool, y: bool) -> (z: bool) @commutative")?, |build| {
        Ok(Elementwise::same(build, Cost::Cheap, row!(bool => bool, |x, y| x & y)).boxed())
    })?;
    registry.add(binary("LogicalOr(x: bool, y: bool) -> (z: bool) @commutative")?, |build| {
        Ok(Elementwise::same(build, Cost::Cheap, row!(bool => bool, |x, y| x | y)).boxed())
    })?;
    let not = OpSpec::new("LogicalNot(x: bool) -> (y: bool)")?.shape(shapes::unchanged);
    registry.add(not.not_differentiable(), |build| {
        Ok(Elementwise::same(build, Cost::Cheap, row!(bool => bool, |x| !x)).boxed())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn truth_tables() {
        let x = Tensor::vector(&[false, false, true, true]).unwrap();
        let y = Tensor::vector(&[false, true, false, true]).unwrap();
        let run = |op: &str| {
            let out =
                OpTest::new(register, op).input(x.clone()).input(y.clone()).run_one().unwrap();
            out.as_slice::<bool>().unwrap().to_vec()
        };
        assert_eq!(run("LogicalAnd"), [false, false, false, true]);
        assert_eq!(run("LogicalOr"), [false, true, true, true]);
        let not = OpTest::new(register, "LogicalNot").input(x.clone()).run_one().unwrap();
        assert_eq!(not.as_slice::<bool>().unwrap(), &[true, true, false, false]);
    }
}
